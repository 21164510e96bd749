import math
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agents.files.formats import format_of, parse, written

TEXT = st.text(st.characters(exclude_categories=["Cs"]))
VALUES = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats(allow_nan=False, allow_infinity=False)
    | TEXT,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(TEXT, inner, max_size=4),
    max_leaves=8,
)


@pytest.mark.parametrize("format_name", ["yaml", "json"])
@given(value=VALUES)
def test_what_was_written_reads_the_same(format_name, value):
    assert parse(written(value, format_name), format_name) == value


@given(
    st.lists(
        st.sampled_from(["", " ", "\n", "\t", "a", "#", ":", "- b", "\r", "\x85", "\u2028"])
    ).map("".join)
)
def test_texts_of_blanks_and_line_ends_read_the_same(text):
    assert parse(written({"text": text}, "yaml"), "yaml") == {"text": text}


@pytest.mark.parametrize(
    ("name", "format_name"),
    [("a.yaml", "yaml"), ("a.yml", "yaml"), ("a.json", "json"), ("A.JSON", "json")],
)
def test_the_name_tells_the_format(name, format_name):
    assert format_of(Path(name)) == format_name


def test_any_other_name_is_refused():
    with pytest.raises(ValueError, match=r"^the name must end in \.yaml, \.yml, \.json$"):
        format_of(Path("agents.txt"))


@pytest.mark.parametrize(
    ("format_name", "text", "complaint"),
    [
        pytest.param("json", '{"a": 1, "a": 2}', "'a' appears twice in one object", id="twice"),
        pytest.param("yaml", "a: 1\nb: 2\na: 3\n", "'a' twice", id="twice in yaml"),
        pytest.param("json", "{", "is not JSON: .* line 1 column 2", id="cut short"),
        pytest.param("json", "[NaN]", "NaN is not a JSON number", id="no number"),
        pytest.param("yaml", "a: [1", "is not YAML: .* line 1", id="open bracket"),
        pytest.param("yaml", "!!python/name:os.system", "is not YAML: could not", id="python"),
        pytest.param("json", "[" * 100_000, "is nested too deeply", id="deep"),
    ],
)
def test_what_is_not_clear_is_refused(format_name, text, complaint):
    with pytest.raises(ValueError, match=complaint):
        parse(text, format_name)


def test_several_lines_are_written_as_one_reads_them():
    document = {"agents": [{"slug": "helper", "prompt": "Be kind.\nBe brief.", "limit": None}]}

    assert written(document, "yaml") == (
        "agents:\n"
        "  - slug: helper\n"
        "    prompt: |-\n"
        "      Be kind.\n"
        "      Be brief.\n"
        "    limit: null\n"
    )


def test_a_name_of_ones_own_replaces_what_is_merged_in():
    text = "base: &base {a: 1, b: 2}\nown: {<<: *base, b: 3}\n"

    assert parse(text, "yaml") == {"base": {"a": 1, "b": 2}, "own": {"a": 1, "b": 3}}


def test_yamls_infinity_is_read_and_left_to_the_fields():
    assert parse("a: .inf", "yaml") == {"a": math.inf}
