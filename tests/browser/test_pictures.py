"""docs/images contains exactly the pictures that `make pictures` draws, each in a small file."""

import pytest
from PIL import Image

from tests.browser.pictures import PICTURES
from tests.browser.views.pictures import DOCS, MOST_EACH, PAGE, page, pictures

MOST = 3_000_000  # The most bytes of all pictures together.


@pytest.mark.parametrize("picture", list(pictures()), ids=lambda picture: picture.path.stem)
def test_each_picture_is_there_as_wide_as_it_says_and_light(picture):
    with Image.open(picture.path) as shown:
        assert shown.width == picture.width
    assert picture.path.stat().st_size < MOST_EACH


@pytest.mark.daily
def test_there_are_no_others_and_the_page_shows_them_all():
    drawn = {picture.path for picture in pictures()}

    walk = {picture.path for picture in PICTURES}
    assert {path for path in (DOCS / "images").rglob("*") if path.is_file()} == drawn | walk
    assert sum(path.stat().st_size for path in drawn) < MOST
    assert PAGE.read_text() == page()
