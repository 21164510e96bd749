"""Decode images within limits and encode them anew, so that nothing else of the file remains.

This is the only file that uses Pillow.
"""

import warnings
from io import BytesIO

from PIL import Image, ImageOps

from chatapp.uploads.bounds import Bounds
from chatapp.uploads.cleaned import CleanPicture, FileRefused

LARGEST = 3_500_000  # In bytes: providers refuse images that have 5 MB in base64.
QUALITIES = (90, 75, 60)  # Qualities of a JPEG to try; one that is still too large is made smaller.
HEAVY = {"WEBP": 2}  # The decoder of WebP holds each pixel in memory this many times.
JPEGS = {"JPEG", "MPO"}  # MPO is what some cameras write: a JPEG with further ones after it.


def cleaned(data: bytes, bounds: Bounds, decoders: tuple[str, ...]) -> CleanPicture:
    """Return the first frame, upright and no larger than the bounds allow. Raise FileRefused.

    Location, camera, colour profile, comments and anything appended to the file are removed.
    """
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # Vitrine's own bounds decide, not Pillow's warning.
            Image.MAX_IMAGE_PIXELS = None
            return _written(_opened(data, bounds, decoders), bounds.side)
    except (FileRefused, MemoryError):
        raise
    except Exception as error:  # On damaged data decoders raise all kinds of errors.
        raise FileRefused("damaged", type=f"image/{decoders[0].lower()}") from error


def _opened(data: bytes, bounds: Bounds, decoders: tuple[str, ...]) -> Image.Image:
    """Open an image. Refuse one with too many pixels before anything is decoded."""
    image: Image.Image = Image.open(BytesIO(data), formats=decoders)
    width, height = image.size
    most = bounds.pixels // HEAVY.get(image.format or "", 1)
    if width * height > most:
        raise FileRefused("pixels", width=width, height=height, most=most)
    return image


def _written(image: Image.Image, side: int) -> CleanPicture:
    """Encode an image as JPEG if it was one, or would be too large as PNG; otherwise as PNG."""
    was_jpeg = image.format in JPEGS
    image.draft("RGB", (side, side))
    scaled = _plain(image)
    scaled.thumbnail((side, side), Image.Resampling.LANCZOS)
    upright = ImageOps.exif_transpose(scaled)
    upright.info.clear()  # Writers copy an old profile and comments from `info`, so it is cleared.
    if was_jpeg or len(data := _saved(upright, "PNG")) > LARGEST:
        return _fitting_jpeg(_on_white(upright))
    return CleanPicture(data, "image/png", *upright.size)


def _plain(image: Image.Image) -> Image.Image:
    """Convert an image to RGB, or to RGBA if it has transparency."""
    if image.mode.startswith("I"):
        image = _eight_bits(image)
    mode = "RGBA" if image.has_transparency_data else "RGB"
    return image if image.mode == mode else image.convert(mode)


def _eight_bits(deep: Image.Image) -> Image.Image:
    """Scale 16-bit grey to 8 bits: Pillow itself would turn every shade above 255 white."""
    grey = deep.convert("I").point(lambda value: value * (1 / 256)).convert("L")
    grey.info.clear()  # `info` may name a transparent shade in 16 bits.
    return grey


def _on_white(image: Image.Image) -> Image.Image:
    if image.mode != "RGBA":
        return image
    white = Image.new("RGB", image.size, "white")
    white.paste(image, mask=image.getchannel("A"))
    return white


def _fitting_jpeg(image: Image.Image) -> CleanPicture:
    """Encode a JPEG with lower quality, and then smaller, until providers accept its size."""
    while True:
        for quality in QUALITIES:
            data = _saved(image, "JPEG", quality=quality)
            if len(data) <= LARGEST:
                return CleanPicture(data, "image/jpeg", *image.size)
        image = image.resize((image.width * 3 // 4, image.height * 3 // 4))


def _saved(image: Image.Image, kind: str, **how: int) -> bytes:
    file = BytesIO()
    image.save(file, kind, **how)
    return file.getvalue()
