import pytest

from agents.context import ContextErrors, ContextPart, check_context, parse_context

FORM = (
    'must look like {"name": "date", "text": "Today is {date}."} or '
    '{"use": "a registered provider"}, with or without a place'
)
NAMED = "names consist of a-z, 0-9, - and _, up to 40 characters"


def test_parts_stand_before_the_turn_unless_they_ask_for_the_start():
    data = [
        {"name": "date", "text": "Today is {date}."},
        {"use": "notes", "place": "start"},
        {"name": "who", "text": "You talk to {person}.", "place": "turn"},
    ]

    assert parse_context(data) == (
        ContextPart("date", "Today is {date}.", "turn"),
        ContextPart("notes", None, "start"),
        ContextPart("who", "You talk to {person}.", "turn"),
    )
    assert [part.label for part in parse_context(data)] == [
        "context date",
        "context notes",
        "context who",
    ]


@pytest.mark.parametrize(
    ("data", "complaints"),
    [
        pytest.param({}, ["context: must be a list of at most 20 entries"], id="no list"),
        pytest.param([{}] * 21, ["context: must be a list of at most 20 entries"], id="too many"),
        pytest.param(["date"], [f"context, 1: {FORM}"], id="no object"),
        pytest.param([{"name": "a"}], [f"context, 1: {FORM}"], id="no text"),
        pytest.param([{"text": "a"}], [f"context, 1: {FORM}"], id="no name"),
        pytest.param([{"use": "a", "text": "b"}], [f"context, 1: {FORM}"], id="both"),
        pytest.param([{"use": "a", "limit": 1}], [f"context, 1: {FORM}"], id="more"),
        pytest.param([{"use": "A b"}], [f"context, 1: A b: {NAMED}"], id="name"),
        pytest.param([{"use": 7}], [f"context, 1: 7: {NAMED}"], id="number"),
        pytest.param(
            [{"use": "a", "place": "end"}],
            ["context, 1: place=end: must be turn or start"],
            id="place",
        ),
        pytest.param(
            [{"name": "a", "text": " "}],
            ["context, 1: text: must not be empty"],
            id="empty",
        ),
        pytest.param(
            [{"name": "a", "text": "x" * 20_001}],
            ["context, 1: text: has 20,001 characters; the limit is 20,000"],
            id="long",
        ),
        pytest.param(
            [{"use": "a"}, {"use": "a"}],
            ["context, 2: the name a is already used"],
            id="twice",
        ),
        pytest.param(
            [{"name": "a", "text": "{"}, {"use": "b"}, 3],
            [
                "context, 1: text: unmatched brace; write {{ or }} for a literal one",
                f"context, 3: {FORM}",
            ],
            id="all faults at once",
        ),
    ],
)
def test_what_is_wrong_is_told_by_place(data, complaints):
    with pytest.raises(ContextErrors) as refused:
        parse_context(data)

    assert refused.value.messages == complaints


def test_a_provider_must_be_registered_when_a_template_is_saved(providers):
    providers["profile"] = lambda facts: "known"

    check_context([{"use": "profile"}])
    with pytest.raises(ContextErrors) as refused:
        check_context([{"use": "profile"}, {"use": "notes"}])

    assert refused.value.messages == ["context, 2: unknown function; available: profile"]


def test_without_any_provider_the_way_to_one_is_told(providers):
    with pytest.raises(ContextErrors, match="register functions with CONTEXT_PROVIDERS"):
        check_context([{"use": "notes"}])
