"""Pictures: decoded within bounds and written again, so that nothing else of the file is left.

This is the only file that talks to Pillow.
"""

import warnings
from io import BytesIO

from PIL import Image, ImageOps

from chatapp.uploads.cleaned import Bounds, Picture, Unfit

LARGEST = 3_500_000  # Bytes. Providers refuse pictures of 5 MB in base64.
QUALITY = 90
HEAVY = {"WEBP": 2}  # Its decoder holds each pixel several times.
JPEGS = {"JPEG", "MPO"}  # MPO: what some cameras write, a JPEG with further ones behind it.


def cleaned(data: bytes, bounds: Bounds, decoders: tuple[str, ...]) -> Picture:
    """Return the first frame, upright and no larger than the bounds say. Raise Unfit.

    Location, camera, colour profile, comments and whatever is appended are gone.
    """
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # The bounds decide, not Pillow's own warning.
            Image.MAX_IMAGE_PIXELS = None
            return _written(_opened(data, bounds, decoders), bounds.side)
    except (Unfit, MemoryError):
        raise
    except Exception as error:  # Decoders raise anything on damaged data.
        raise Unfit("damaged", type=f"image/{decoders[0].lower()}") from error


def _opened(data: bytes, bounds: Bounds, decoders: tuple[str, ...]) -> Image.Image:
    """Look at the size before anything is decoded."""
    image: Image.Image = Image.open(BytesIO(data), formats=decoders)
    width, height = image.size
    most = bounds.pixels // HEAVY.get(image.format or "", 1)
    if width * height > most:
        raise Unfit("pixels", width=width, height=height, most=most)
    return image


def _written(image: Image.Image, side: int) -> Picture:
    """Write it as JPEG if it was one, or is too large as PNG."""
    was_jpeg = image.format in JPEGS
    image.draft("RGB", (side, side))
    scaled = _plain(image)
    scaled.thumbnail((side, side), Image.Resampling.LANCZOS)
    upright = ImageOps.exif_transpose(scaled)
    upright.info.clear()  # Writers copy profiles and comments from here.
    data, kind = _saved(upright, "JPEG" if was_jpeg else "PNG")
    if len(data) > LARGEST and kind == "PNG":
        data, kind = _saved(_on_white(upright), "JPEG")
    return Picture(data, f"image/{kind.lower()}", upright.width, upright.height)


def _plain(image: Image.Image) -> Image.Image:
    """Use red, green and blue, with transparency only if it has any."""
    wanted = "RGBA" if image.has_transparency_data else "RGB"
    return image if image.mode == wanted else image.convert(wanted)


def _on_white(image: Image.Image) -> Image.Image:
    if image.mode != "RGBA":
        return image
    white = Image.new("RGB", image.size, "white")
    white.paste(image, mask=image.getchannel("A"))
    return white


def _saved(image: Image.Image, kind: str) -> tuple[bytes, str]:
    file = BytesIO()
    image.save(file, kind, **({"quality": QUALITY} if kind == "JPEG" else {}))
    return file.getvalue(), kind
