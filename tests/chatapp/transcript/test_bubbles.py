import json
from datetime import UTC, datetime, timedelta
from uuid import UUID, uuid4

import pytest

from chatapp.transcript.branches import Switcher
from chatapp.transcript.bubbles import Answer, bubbles
from chatapp.transcript.joining import linked
from chatapp.transcript.marks import MarkedSegments
from chatapp.transcript.tool_cards import CallPlace, ToolCard
from chatapp.transcript.user_message import UserMessage
from history.core.transcript.parts import Reasoning, ReasoningForm, part_as_dict
from history.models import Generation, Message
from history.services.path.marks import Marks

NOON = datetime(2026, 3, 1, 12, tzinfo=UTC)
CALL = {"id": "c1", "name": "calculator", "arguments": '{"expression": "6*7"}', "tokens": 9}


def generation(status="done", minutes=0, turn=1, **fields):
    created = NOON + timedelta(minutes=minutes)
    return Generation(id=uuid4(), status=status, turn=turn, created=created, **fields)


def message(position, role, text="", turn=1, by=None, **fields):
    return Message(position=position, role=role, text=text, turn=turn, generation=by, **fields)


def shape(shown):
    """Describe bubbles in words, such as `user 0` and `answer 1-4 done`."""
    return [
        f"{b.message.role} {b.position}"
        if isinstance(b, UserMessage)
        else f"answer {b.position}-{b.last} {b.status}"
        for b in shown
    ]


def test_a_tool_loop_is_one_answer():
    by = generation()
    path = [
        message(0, "user", "six times seven?"),
        message(1, "assistant", "I reckon.", by=by, tool_calls=[CALL]),
        message(2, "tool", "42", by=by, tool_call_id="c1"),
        message(3, "assistant", "It is 42.", by=by),
    ]

    said, answer = bubbles(path)

    assert shape([said, answer]) == ["user 0", "answer 1-3 done"]
    assert [part.name if isinstance(part, ToolCard) else str(part) for part in answer.parts] == [
        "<p>I reckon.</p>\n",
        "calculator",
        "<p>It is 42.</p>\n",
    ]
    assert answer.source == "I reckon.\n\nIt is 42."


def test_a_continued_text_is_an_article_of_its_own():
    first, second = generation("stopped"), generation(kind="continue", minutes=1)
    path = [
        message(0, "user", "tell me"),
        message(1, "assistant", "Once", by=first),
        message(2, "assistant", "upon a time", by=second),
    ]

    shown = bubbles(path)

    assert shape(shown) == ["user 0", "answer 1-1 stopped", "answer 2-2 done"]
    assert [a.is_continued for a in shown[1:]] == [False, True]


def texts(answer):
    return [str(part) for part in answer.parts]


def test_a_continued_answer_begins_with_the_block_in_which_the_one_above_was_broken_off():
    first = generation("stopped")
    second = generation("stopped", kind="continue", minutes=1)
    third = generation(kind="continue", minutes=2)
    path = [
        message(0, "user", "tell me"),
        message(1, "assistant", "Well.\n\nOnce", by=first),
        message(2, "assistant", "upon", by=second),
        message(3, "assistant", "a time.", by=third),
    ]

    _, one, two, three = linked(bubbles(path))

    assert texts(one) == ["<p>Well.</p>\n<p>Once</p>\n"]
    assert [texts(two), texts(three)] == [["<p>Once upon</p>\n"], ["<p>Once upon a time.</p>\n"]]
    assert [one.source, three.source] == ["Well.\n\nOnce", "Well.\n\nOnce upon a time."]
    assert [one.is_joined, two.is_joined, three.is_joined] == [False, True, True]


def test_what_does_not_begin_with_words_leaves_the_answer_above_as_it_is():
    first, failed = generation("stopped"), generation("failed", kind="continue", minutes=1)
    calls = generation(kind="continue", minutes=1)
    path = [message(0, "user", "go on"), message(1, "assistant", "Once", by=first)]
    called = message(2, "assistant", by=calls, tool_calls=[CALL])

    *_, nothing = linked(bubbles(path, [failed]))
    *_, call = linked(bubbles([*path, called]))

    assert (nothing.is_joined, nothing.opening, call.is_joined) == (False, None, False)


def test_answers_that_were_imported_have_no_generation():
    path = [message(0, "assistant", "Hello", turn=0), message(1, "system", "Be kind", turn=0)]

    greeting, system = bubbles(path)

    assert (greeting.generation, greeting.ending, greeting.status) == (None, None, "done")
    assert shape([system]) == ["system 1"]


@pytest.mark.parametrize(
    ("minutes", "shown"),
    [
        pytest.param(1, ["user 0", "answer 1-1 done", "answer 2-2 failed"], id="a later one"),
        pytest.param(-1, ["user 0", "answer 1-1 done"], id="one that was tried again"),
    ],
)
def test_a_generation_that_wrote_nothing_stands_after_what_came_before_it(minutes, shown):
    path = [message(0, "user", "hi"), message(1, "assistant", "Hello", by=generation())]

    assert shape(bubbles(path, silent=[generation("failed", minutes)])) == shown


def test_a_waiting_generation_stands_below_its_question():
    path = [message(0, "user", "one"), message(1, "user", "two", turn=2)]

    assert shape(bubbles(path, silent=[generation("queued")])) == [
        "user 0",
        "answer 1-1 queued",
        "user 1",
    ]


def test_a_switcher_stands_at_the_bubble_that_covers_its_position():
    by, switcher = generation(), Switcher(UUID(int=1), 2, 3, 8, None)
    path = [
        message(0, "user", "hi"),
        message(1, "assistant", "a", by=by),
        message(2, "assistant", "b", by=by),
    ]

    said, answer = bubbles(path, choices={2: switcher})

    assert (said.switcher, answer.switcher) == (None, switcher)


def test_marks_stand_at_the_bubble_and_at_the_card_of_their_segments():
    by = generation()
    path = [
        message(0, "user", "hi", pk=10, segment=0),
        message(1, "assistant", pk=11, segment=1, by=by, tool_calls=[CALL]),
        message(2, "tool", "42", pk=12, segment=1, by=by, tool_call_id="c1"),
        message(3, "assistant", "It is 42.", pk=13, segment=3, by=by),
    ]

    said, answer = bubbles(path, marks=Marks(frozenset({0}), frozenset({1})))
    card, _ = answer.parts

    assert (said.marked, said.marked.state) == (MarkedSegments({10: "pin"}), "pin")
    assert (answer.marked, answer.marked.state) == (
        MarkedSegments({11: "exclusion", 13: ""}),
        "partly",
    )
    assert card.place == CallPlace(2, MarkedSegments({11: "exclusion"}))


def test_a_call_of_a_running_answer_has_no_place_yet():
    path = [message(1, "assistant", by=generation("running"), tool_calls=[CALL])]
    (answer,) = bubbles(path)
    (card,) = answer.parts

    assert card.place is None


@pytest.mark.parametrize(
    ("status", "text", "sentence", "can_continue"),
    [
        ("done", "text", None, None),
        ("running", "text", None, None),
        ("stopped", "text", "Stopped. The text above was kept.", True),
        ("stopped", "", "Stopped. Nothing had been written yet.", False),
        ("passed_over", "text", " Not decided: a newer message came first.", False),
        ("interrupted", "text", "Interrupted: the server stopped. The text above was kept.", True),
        ("failed", "", " The key is missing.", False),
    ],
)
def test_an_answer_says_how_it_ended(status, text, sentence, can_continue):
    by = generation(status, error={"kind": "missing_key", "message": "The key is missing."})
    written = [message(1, "assistant", text, by=by)] if text else []
    ending = Answer(1, 1, by, written).ending

    assert (ending and f"{ending.label} {ending.sentence}") == sentence
    assert (ending and ending.can_continue) == can_continue


def test_an_answer_that_was_stopped_while_the_model_thought_says_so():
    thought = part_as_dict(Reasoning(form=ReasoningForm.TEXT, text="Perhaps", tokens=2))
    by = generation("stopped")
    ending = Answer(1, 1, by, [message(1, "assistant", by=by, parts=[thought])]).ending

    assert ending.sentence == "The model was still thinking."


@pytest.mark.parametrize(
    ("arguments", "digest", "pretty"),
    [
        pytest.param(
            '{"x": "a\\u0000"}', "a\ufffd", '{\n  "x": "a\\u0000"\n}', id="an escaped NUL"
        ),
        pytest.param('{"x": "\\ud800"}', "\ufffd", '{\n  "x": "\ufffd"\n}', id="half a character"),
        pytest.param("[" * 100_000, "[" * 120, "[" * 100_000, id="brackets without end"),
        ('{"a": "1+1", "b": 2}', "1+1, 2", '{\n  "a": "1+1",\n  "b": 2\n}'),
        ("{broken", "{broken", "{broken"),
        ("[1]", "[1]", "[\n  1\n]"),
        ("{}", "", "{}"),
    ],
)
def test_a_tool_card_shows_arguments_as_they_are(arguments, digest, pretty):
    card = ToolCard("c1", "tool", arguments, "done")

    assert (card.digest, card.pretty) == (digest, pretty)


@pytest.mark.parametrize(
    ("status", "state"), [("running", "running"), ("interrupted", "unanswered")]
)
def test_a_call_without_a_result_runs_only_while_its_generation_does(status, state):
    by = generation(status)
    (answer,) = bubbles([message(1, "assistant", by=by, tool_calls=[CALL])])
    (card,) = answer.parts

    assert (card.state, json.loads(card.arguments)) == (state, {"expression": "6*7"})
