"""If a request would begin with the assistant, a short text in the user's name precedes it."""

import pytest
from hypothesis import event, given

from history.core.draft.budget import DoesNotFit
from history.core.money.prefix import shared_prefix
from history.core.plan.injected import Injected
from history.core.plan.neutral_request import openai_messages
from history.core.projection.invariants import check
from history.core.projection.opening import TEXT
from history.core.projection.project import project
from history.core.stages.processors import parse_levels
from history.core.summaries.checkpoints import Checkpoint
from history.core.transcript.messages import Role
from history.core.words.facts import Rule, fact
from tests import transcripts
from tests.history.core import strategies
from tests.history.core.making import ROOMY, requested, transcript
from tests.history.core.strategies import thorough
from tests.pairing import faults
from tests.transcripts import turns

LOOP = transcript(
    "user: a", "call c1 x", "result c1: y", "assistant: b", "user: c", "assistant: d", "user: e"
)
OPENING = {"role": "user", "content": TEXT}
LIMIT = parse_levels({"agent": [{"use": "token_limiter", "limit": 80}]})
PERSIST = parse_levels({"agent": [{"use": "tool_call_filter", "persist_results": True}]})
CALLED = transcript("call c1 x", "result c1: y", "system: be kind", "user: a")
ROUND_OF_SYSTEMS = transcript(
    "user: a",
    "assistant: b",
    "system: be kind",
    "call c1 x",
    "result c1: y",
    "system: be brief",
    "assistant: c",
    "user: d",
)
SUMMARY = Checkpoint(1, 0, 0, 1, 1, "they greeted", 30, 60)
TODAY = Injected("context date", Role.USER, "Monday", 5, "turn")


def sent(messages, values=(), **request):
    projection = requested(messages, {**ROOMY, **dict(values)}, **request)
    check(messages, projection)
    return openai_messages(projection.messages, projection.injected)


@pytest.mark.parametrize(
    ("messages", "values", "request_", "follows"),
    [
        pytest.param(LOOP, {"max_items": 5}, {}, "assistant", id="a window within a turn"),
        pytest.param(turns(3)[:-1], {"max_items": 4}, {}, "assistant", id="a window at an answer"),
        pytest.param(transcripts.GREETED, {}, {}, "assistant", id="a greeting"),
        pytest.param(LOOP, {}, {"exclusions": frozenset({0})}, "assistant", id="an exclusion"),
        pytest.param(
            LOOP, {"policy": "none"}, {"pins": frozenset({2})}, "assistant", id="a pinned round"
        ),
    ],
)
def test_an_opening_comes_where_the_assistant_would_begin(messages, values, request_, follows):
    first, second, *_ = sent(messages, values, **request_)

    assert (first, second["role"]) == (OPENING, follows)


@pytest.mark.parametrize(
    ("messages", "values", "request_"),
    [
        pytest.param(LOOP, {}, {}, id="all"),
        pytest.param(LOOP, {"max_items": 3}, {}, id="a window at a turn"),
        pytest.param(LOOP, {"policy": "lastN", "length": 2}, {}, id="turns"),
        pytest.param(transcripts.INSTRUCTED, {}, {}, id="system messages first"),
        pytest.param(LOOP, {}, {"exclusions": frozenset({3})}, id="an answer excluded"),
        pytest.param(LOOP, {}, {"checkpoints": (SUMMARY,)}, id="a summary is the user's"),
        pytest.param(
            LOOP[1:4],
            {},
            {"injected": (TODAY,)},
            id="a text for the turn is the user's",
        ),
        pytest.param((), {}, {}, id="nothing at all"),
    ],
)
def test_elsewhere_there_is_none(messages, values, request_):
    assert OPENING not in sent(messages, values, **request_)


def test_an_opening_comes_after_system_messages():
    messages = transcript("system: be kind", "assistant: hello", "user: a")

    assert [m["content"] for m in sent(messages)] == ["be kind", TEXT, "hello", "a"]


@pytest.mark.parametrize(
    ("messages", "values", "texts"),
    [
        pytest.param(CALLED, {}, [TEXT, "Used x tool", "be kind", "a"], id="first of all"),
        pytest.param(
            ROUND_OF_SYSTEMS,
            {"max_items": 4},
            ["be kind", TEXT, "Used x tool", "be brief", "c", "d"],
            id="within the transcript",
        ),
    ],
)
def test_an_opening_comes_before_a_note_that_a_held_message_follows(messages, values, texts):
    assert [m["content"] for m in sent(messages, values, levels=PERSIST)] == texts


def test_an_opening_is_an_entry_with_a_reason_and_counted_tokens():
    plan = requested(LOOP, {**ROOMY, "max_items": 5}).plan
    place = next(n for n, entry in enumerate(plan.entries) if entry.label)
    entry, following = plan.entries[place : place + 2]

    assert (str(entry.verdict), entry.label, entry.rule) == ("+", "opening", "opening")
    assert (entry.reasons, entry.sent_tokens) == ((fact(Rule.OPENING),), 25)
    assert following.first == 3
    assert plan.window.history == sum(e.sent_tokens for e in plan.entries)
    assert plan.budget == plan.window.context_window - 1 - entry.sent_tokens


@pytest.mark.parametrize(
    ("values", "request_", "reserved"),
    [
        pytest.param({}, {}, 0, id="whole turns"),
        pytest.param({"max_items": 100}, {}, 25, id="a window of messages"),
        pytest.param({}, {"levels": LIMIT}, 25, id="a processor"),
        pytest.param({}, {"pins": frozenset({1})}, 25 + 25, id="a pin within a turn"),
        pytest.param({}, {"pins": frozenset({0})}, 10, id="a pin of a question"),
        pytest.param({}, {"exclusions": frozenset({0})}, 25, id="an exclusion of a question"),
        pytest.param({}, {"exclusions": frozenset({3})}, 0, id="an exclusion of an answer"),
    ],
)
def test_tokens_are_reserved_where_an_opening_may_be_needed(values, request_, reserved):
    budget = requested(LOOP, {**ROOMY, **values}, **request_).plan.budget

    assert 1_000_000 - 1 - budget == reserved


def test_the_window_that_moves_is_the_difference_not_the_opening():
    before = requested(turns(4)[:-1], {**ROOMY, "max_items": 5}).plan
    after = requested(turns(5)[:-1], {**ROOMY, "max_items": 4}).plan

    prefix = shared_prefix(before, after)

    assert prefix.first_difference.rule is Rule.WINDOW_MOVED
    assert prefix.now.label == "opening"


def test_while_the_start_stays_the_prefix_does():
    lines = ["assistant: hello", *["user: q", "assistant: a"] * 3]
    messages = transcript(*lines)
    before, after = (sent(messages[:end]) for end in (4, 6))

    assert after[: len(before)] == before


@pytest.mark.parametrize("name", transcripts.ALL)
@pytest.mark.parametrize("items", [None, 2, 3])
@pytest.mark.parametrize("levels", [{}, {"agent": [{"use": "token_limiter", "limit": 30}]}])
def test_no_request_of_a_malformed_history_is_one_that_a_provider_refuses(name, items, levels):
    values = {**ROOMY, **({"max_items": items} if items else {})}
    request = {"levels": parse_levels(levels)}

    assert faults({"messages": sent(transcripts.ALL[name], values, **request)}) == []


@thorough
@given(strategies.cases())
def test_no_request_at_all_is_one_that_a_provider_refuses(case):
    """No provider would refuse the request. User messages without text are the one exception:
    imports may contain them.
    """
    path, request = case
    try:
        projection = project(path, request)
    except DoesNotFit:
        return event("does not fit")
    body = openai_messages(projection.messages, projection.injected)

    assert faults({"messages": [_worded(message) for message in body]}) == []


def _worded(message):
    return message if message["content"] or "tool_calls" in message else {**message, "content": "-"}
