from datetime import UTC, datetime
from uuid import UUID

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agents.context.facts import Facts, blanks_fault, filled

FACTS = Facts(datetime(2026, 11, 22, 14, 5, tzinfo=UTC), "Ada", "Helper", 3, UUID(int=1))


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("Today is {weekday}, {date}.", "Today is Sunday, 2026-11-22."),
        ("It is {time}.", "It is 14:05 UTC."),
        ("{person} asks {agent}, turn {turn}", "Ada asks Helper, turn 3"),
        ("{date}{date}", "2026-11-222026-11-22"),
        ("No blanks.", "No blanks."),
        ('Answer as {{"a": 1}}.', 'Answer as {"a": 1}.'),
    ],
)
def test_blanks_are_filled_in(text, said):
    assert filled(text, FACTS) == said


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("{mood}", "unknown placeholder {mood}; use {date}, {time}, {weekday}, {person}, "),
        ("{}", "unknown placeholder {}; "),
        ("{date!r}", "unknown placeholder {date}; "),
        ("{date:>9}", "unknown placeholder {date}; "),
        ("{person.password}", "unknown placeholder {person.password}; "),
        ("a { b", "unmatched brace; write {{ or }} for a literal one"),
        ("a } b", "unmatched brace; write {{ or }} for a literal one"),
    ],
)
def test_anything_else_in_braces_is_refused(text, complaint):
    assert blanks_fault(text).startswith(complaint)
    with pytest.raises(ValueError, match=r"brace"):
        filled(text, FACTS)


PIECES = ["{date}", "{person}", "{", "}", "{{", "}}", "a", "!", ":", "0", "."]


@given(st.lists(st.sampled_from(PIECES)).map("".join))
def test_a_text_without_fault_is_filled_in_as_python_would(text):
    if not blanks_fault(text):
        assert filled(text, FACTS) == text.format(date="2026-11-22", person="Ada")
