import pytest

from chatapp.markdown.stylesheet import INKS, PATH, stylesheet

LIGHT_PAPER, DARK_PAPER = "#f0f2f1", "#25292b"  # Backgrounds of the least contrast.


def luminance(colour):
    parts = (int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5))
    linear = (p / 12.92 if p <= 0.04045 else ((p + 0.055) / 1.055) ** 2.4 for p in parts)
    return sum(weight * part for weight, part in zip((0.2126, 0.7152, 0.0722), linear, strict=True))


def contrast(ink, paper):
    dark, light = sorted((luminance(ink), luminance(paper)))
    return (light + 0.05) / (dark + 0.05)


def test_the_stylesheet_is_up_to_date():
    assert PATH.read_text(encoding="utf-8") == stylesheet()


@pytest.mark.parametrize("ink", INKS.values(), ids=INKS.keys())
def test_code_can_be_read_by_day_and_by_night(ink):
    assert contrast(ink.light, LIGHT_PAPER) >= 4.5
    assert contrast(ink.dark, DARK_PAPER) >= 4.5


def test_more_special_tokens_have_the_ink_of_their_nearest_parent():
    comment, number = stylesheet().split("color: var(--code-comment)"), ".mi,"

    assert ".code .c1," in comment[0]
    assert f".code {number}" in comment[1]
