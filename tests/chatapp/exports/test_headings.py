"""Headings of messages have the levels in an export's text that they have on the page."""

import pytest

from chatapp.exports.headings import rewritten
from chatapp.markdown import to_html
from tests.chatapp.markdown.test_headings import levels


@pytest.mark.parametrize("ranks", [[1], [3, 4], [1, 3, 6], [1, 2, 3, 4, 5, 6], [2, 4, 3, 4]])
def test_a_rewritten_text_looks_as_it_did(ranks):
    text = "\n\nText\n\n".join(f"{'#' * rank} Title" for rank in ranks)

    assert levels(to_html(rewritten(text))) == levels(to_html(text))
    assert rewritten(rewritten(text)) == rewritten(text)


def test_signs_are_rewritten_and_nothing_else_is():
    code, rest = "\n\n```sh\n# no heading\n```\n\n", "\n\n> # Said\n\n---\n"
    text = f"Big\n==={code}Two\nlines\n---\n\n  ## Small ##{rest}"

    assert rewritten(text) == f"### Big{code}#### Two lines\n\n#### Small ##{rest}"
    assert rewritten("#no heading\r\n") == "#no heading\n"
    assert rewritten("plain\r\n") == "plain\r\n"
