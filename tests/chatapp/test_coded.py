"""In the sentences of a page, only texts that must be typed exactly are set as code."""

import pytest

from chatapp.templatetags.page import coded


@pytest.mark.parametrize(
    ("sentence", "html"),
    [
        pytest.param(
            "historyLength=lots: must be a whole number",
            "<code>historyLength=lots</code>: must be a whole number",
            id="a parameter with its value",
        ),
        pytest.param(
            "Capped at 30 by HISTORY_LENGTH_MAX.",
            "Capped at 30 by <code>HISTORY_LENGTH_MAX</code>.",
            id="a variable",
        ),
        pytest.param("debug=maybe is new", "<code>debug=maybe</code> is new", id="another's"),
        pytest.param("lastN 2 keeps the agent's", "lastN 2 keeps the agent&#x27;s", id="words"),
        pytest.param(
            "History window (items) 5; tooMany=<b>",
            "History window (items) 5; <code>tooMany=&lt;b&gt;</code>",
            id="somebody's HTML",
        ),
    ],
)
def test_what_is_typed_is_code(sentence, html):
    assert coded(sentence) == html
