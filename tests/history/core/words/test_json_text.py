"""JSON from outside is read, or refused with a sentence; nothing else can happen."""

import pytest

from history.core.words.json_text import DEEPEST, read_json


def nested(levels):
    return "[" * levels + "]" * levels


@pytest.mark.parametrize(
    ("text", "value"),
    [
        pytest.param('{"a": [1, "b", null]}', {"a": [1, "b", None]}, id="what JSON holds"),
        pytest.param(b'"\xc3\xa9"', "é", id="bytes"),
        pytest.param('{"a": 1, "a": 2}', {"a": 2}, id="a name twice, where nobody minds"),
    ],
)
def test_what_is_json_is_read(text, value):
    assert read_json(text) == value


def test_as_many_levels_as_are_allowed_are_read():
    assert read_json(nested(DEEPEST)) is not None


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        pytest.param("{", "is not JSON: Expecting .* line 1 column 2", id="cut short"),
        pytest.param("[NaN]", "is not JSON: NaN is not a JSON number", id="not a number"),
        pytest.param("9" * 5_000, "is not JSON: Exceeds the limit", id="a number without end"),
        pytest.param(b"\xff\xfe\xfd", "is not JSON: ", id="not a text"),
        pytest.param(nested(DEEPEST + 1), "is nested too deeply", id="one level too many"),
        pytest.param('{"a":' * 900 + "1" + "}" * 900, "is nested too deeply", id="objects"),
        pytest.param("[" * 100_000, "is nested too deeply", id="deeper than Python goes"),
    ],
)
def test_anything_else_is_refused_in_a_sentence(text, complaint):
    with pytest.raises(ValueError, match=f"^{complaint}"):
        read_json(text)


def test_a_name_that_stands_twice_is_refused_where_it_matters():
    with pytest.raises(ValueError, match=r"^is not JSON: 'a' appears twice in one object$"):
        read_json('{"a": 1, "a": 2}', each_name_once=True)
