"""Pictures look the same after they are encoded again, and fit the limits of providers."""

from io import BytesIO

import pytest
from PIL import Image

from chatapp.uploads import pictures
from chatapp.uploads.bounds import Bounds

BOUNDS = Bounds(50_000_000, 4_096, 300, 3, 1_048_576, 20)


def deep(kind):
    """Make a picture of sixteen bits per pixel with a black, a grey and a white column."""
    file = BytesIO()
    made = Image.frombytes("I;16", (3, 1), b"\0\0\0\x80\xff\xff")
    made.save(file, kind)
    return file.getvalue()


@pytest.mark.parametrize("kind", ["PNG", "TIFF"])
def test_sixteen_bits_of_grey_keep_their_shades(kind):
    kept = Image.open(BytesIO(pictures.cleaned(deep(kind), BOUNDS, (kind,)).data))

    assert [kept.getpixel((x, 0))[0] for x in range(3)] == [0, 128, 255]


def test_what_providers_would_refuse_for_its_size_is_written_smaller():
    noise = BytesIO()
    Image.effect_noise((2_200, 2_100), 100).save(noise, "JPEG", quality=95)

    kept = pictures.cleaned(noise.getvalue(), BOUNDS, ("JPEG",))

    assert len(kept.data) <= pictures.LARGEST < len(noise.getvalue())
    assert (kept.width, kept.height) == Image.open(BytesIO(kept.data)).size
    assert kept.width > 1_500
