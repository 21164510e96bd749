"""Headings of a message begin below those of the page, and skip no level."""

import re

import pytest

from chatapp.markdown import BlockStream, to_html


def levels(html):
    return [int(level) for level in re.findall(r"<h(\d)>", html)]


@pytest.mark.parametrize(
    ("ranks", "shown"),
    [
        pytest.param([1], [3], id="the first is always the highest"),
        pytest.param([3, 4], [3, 4], id="as models like to begin"),
        pytest.param([1, 3, 6], [3, 4, 5], id="none is skipped"),
        pytest.param([1, 2, 3, 4, 5, 6], [3, 4, 5, 6, 6, 6], id="there are only six"),
        pytest.param([3, 2, 3, 1, 2], [3, 3, 4, 3, 4], id="a higher one later"),
        pytest.param([2, 4, 3, 4], [3, 4, 4, 5], id="back by half"),
    ],
)
def test_levels_follow_the_headings_above(ranks, shown):
    text = "\n\nText\n\n".join(f"{'#' * rank} Title" for rank in ranks)

    assert levels(to_html(text)) == shown
    stream = BlockStream()
    streamed = "".join(stream.feed(f"{line}\n") for line in text.split("\n")) + stream.end()
    assert streamed == to_html(text)
