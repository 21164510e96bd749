"""B11: a message that is too large keeps its head and its tail, and says what is left out."""

import json
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from history.core.plan.neutral_request import canonical
from history.core.plan.verdict import Verdict
from history.core.transcript.clamp import FRAME, clamp, clamped_text
from history.core.transcript.messages import Message, Role, ToolCall, Unread
from history.core.words.facts import Rule, fact, note
from tests.history.core.making import ROOMY, of_transcript, projected
from tests.history.core.making import transcript as made
from tests.history.core.strategies import thorough
from tests.transcripts import transcript

LETTERS = "".join(chr(97 + n % 26) for n in range(4_000))


def count(text):
    """Count a token for every four characters."""
    return -(-len(text) // 4)


def answer(text, *arguments):
    calls = tuple(
        ToolCall(f"c{n}", "write", given, FRAME - 1 + count("write") + count(given))
        for n, given in enumerate(arguments)
    )
    tokens = FRAME + count(text) + sum(call.tokens for call in calls)
    return Message(1, Role.ASSISTANT, text, calls, tokens=tokens)


def test_a_text_keeps_two_thirds_of_head_and_a_third_of_tail():
    text = clamped_text(LETTERS, 100, count)
    head, marker, tail = text.split("\n")

    assert (len(head), len(tail)) == (238, 120)
    assert (LETTERS.startswith(head), LETTERS.endswith(tail)) == (True, True)
    assert marker == "[... 3,642 characters left out ...]"
    assert count(text) <= 100


@pytest.mark.parametrize("limit", [100, 500, 800])
@pytest.mark.parametrize(
    "text",
    [LETTERS, LETTERS[:3_000] + " " * 4_000, "x" * 4_000],
    ids=["even", "blank at the end", "one letter"],
)
def test_a_text_comes_down_to_near_its_limit(text, limit):
    """This test's count gives a blank a quarter of a letter's cost."""

    def uneven(given):
        return count(given) - given.count(" ") * 3 // 16

    size = uneven(clamped_text(text, limit, uneven))

    assert limit * 0.97 <= size <= limit


def test_where_nothing_fits_the_marker_stands_alone():
    assert clamped_text(LETTERS, 0, count) == "\n[... 4,000 characters left out ...]\n"


@pytest.mark.parametrize("limit", [64, 100, 500, 999])
def test_a_clamped_message_is_within_its_limit_and_counts_again(limit):
    short = clamp(answer(LETTERS), limit, count)

    assert short.tokens <= limit
    assert short.tokens == FRAME + count(short.text)


def test_a_message_within_its_limit_is_itself():
    message = answer(LETTERS)

    assert clamp(message, message.tokens, count) is message


def test_arguments_of_calls_stay_json():
    message = answer("Let me", json.dumps({"text": LETTERS}), "{}")
    short = clamp(message, 200, count)
    large, small = short.tool_calls

    assert json.loads(large.arguments)["clamped"].startswith('{"text": "abc')
    assert "characters left out" in json.loads(large.arguments)["clamped"]
    assert (small, large.id, large.name) == (message.tool_calls[1], "c0", "write")
    assert short.tokens == answer(short.text, *(c.arguments for c in short.tool_calls)).tokens
    assert short.text == "Let me"


def test_arguments_and_text_may_both_be_too_large():
    short = clamp(answer(LETTERS, json.dumps({"text": LETTERS})), 300, count)

    assert short.tokens <= 300
    assert "left out" in short.text
    assert "left out" in json.loads(short.tool_calls[0].arguments)["clamped"]


@thorough
@given(
    st.text(max_size=2_000),
    st.lists(st.dictionaries(st.text(max_size=5), st.text(max_size=600), max_size=3), max_size=3),
    st.integers(0, 400),
)
def test_a_clamped_message_is_never_larger_and_its_calls_are_json(text, arguments, limit):
    message = answer(text, *map(json.dumps, arguments))
    short = clamp(message, limit, count)

    assert 0 <= short.tokens <= message.tokens
    assert [(c.id, c.name) for c in short.tool_calls] == [
        (c.id, c.name) for c in message.tool_calls
    ]
    assert all(isinstance(json.loads(call.arguments), dict) for call in short.tool_calls)


@thorough
@given(st.text(min_size=1, max_size=3_000), st.integers(0, 300))
def test_head_and_tail_are_the_texts_own(text, limit):
    short = clamped_text(text, limit, count)
    head, _, rest = short.partition("\n[... ")
    tail = rest.partition(" characters left out ...]\n")[2]

    assert text.startswith(head)
    assert text.endswith(tail)


def two_turns(text):
    return (
        Message(0, Role.USER, "q", turn=1, tokens=5),
        replace(answer(text), turn=1),
        Message(2, Role.USER, "next", turn=2, tokens=5),
    )


def test_an_old_message_is_clamped_in_a_projection():
    plan = projected(two_turns(LETTERS), **ROOMY, max_message_tokens=100).plan
    entry = plan.entry_at(1)

    assert of_transcript(plan) == "KAK"
    assert (entry.rule, entry.setting, entry.tokens) == ("clamp", "max_message_tokens", 1_004)
    assert entry.sent_tokens <= 100
    assert entry.reasons == (fact(Rule.CLAMPED),)


def test_unset_half_of_the_budget_is_the_bound():
    values = {**ROOMY, "context_window": 2_001}

    assert of_transcript(projected(two_turns(LETTERS), **values).plan) == "KAK"
    assert of_transcript(projected(two_turns(LETTERS[:3_900]), **values).plan) == "KKK"


def test_the_current_message_comes_whole_where_it_fits():
    messages = (Message(0, Role.USER, LETTERS, turn=1, tokens=1_004),)

    assert of_transcript(projected(messages, **ROOMY, max_message_tokens=64).plan) == "K"


def test_the_current_message_is_clamped_before_it_is_refused():
    messages = (Message(0, Role.USER, LETTERS, turn=1, tokens=1_004),)
    projection = projected(messages, policy="all", context_window=600, output_reserve=100)

    assert of_transcript(projection.plan) == "A"
    assert "characters left out" in projection.messages[0].text
    assert projection.plan.window.over == 0


TURN = {"policy": "all", "context_window": 1_300, "output_reserve": 300}


STEPS = {"token_stride": 10}


def three_turns(question):
    lines = ["user: a x10", "assistant: b x10"] * 3
    return made(*lines, f"user: {question} x6671")


@pytest.mark.parametrize("values", [{}, {"token_stride": 300}, {"min_history_turns": 2}])
def test_a_huge_question_leaves_protected_turns_their_place(values):
    projection = projected(three_turns(LETTERS * 5), **TURN, **values)

    protected = "TTKKKKA" if "min_history_turns" in values else "KKKKKKA"
    assert of_transcript(projection.plan) == protected
    assert 960 <= projection.plan.window.history <= 1_000


def test_the_turn_after_a_huge_question_keeps_its_protected_turns_too():
    lines = ["user: a x10", "assistant: b x10"] * 3
    huge = f"user: {LETTERS * 5} x6671"
    plan = projected(made(*lines, huge, "assistant: b x10", "user: c x10"), **TURN, **STEPS).plan

    assert of_transcript(plan) == "TTKKKKAKK"


def test_a_huge_tool_result_leaves_protected_turns_their_place():
    lines = [*["user: a x10", "assistant: b x10"] * 3, "user: q x10", "call c1 a x10"]
    path = made(*lines, f"result c1: {LETTERS * 5} x6671")
    projection = projected(path, **TURN)

    assert of_transcript(projection.plan) == "KKKKKKKKA"
    assert 960 <= projection.plan.window.history <= 1_000


def test_what_was_left_unread_takes_no_room_from_the_current_turn():
    """The unread turn is left out if the budget is exceeded, so the sums must be as if it were
    read.
    """
    lines = ["user: a x300", "user: b x117", "assistant: d x120", f"user: c {LETTERS} x275"]
    values = {"policy": "all", "context_window": 512, "output_reserve": 1, "token_budget": 256}
    path = made(*lines)

    whole = projected(path, **values, min_history_turns=0).plan
    part = projected((Unread(0, 0, 1, 1, 300), *path[1:]), **values, min_history_turns=0).plan

    assert canonical(part.as_dict()) == canonical(whole.as_dict())
    (why,) = whole.entry_at(0).reasons
    assert [why.figures[name] for name in ("kept", "tokens", "budget")] == [[3, 3], 275, 255]
    assert why.figures["beyond"] == {"turn": 2, "tokens": 512}


def test_a_huge_question_shrinks_to_no_less_than_what_any_message_may_have():
    lines = ["user: a x200", "assistant: b x200"] * 2
    projection = projected(made(*lines, f"user: {LETTERS * 5} x6671"), **TURN)

    assert of_transcript(projection.plan) == "TTKKA"
    assert 560 <= projection.plan.entry_at(4).sent_tokens <= 600
    assert projection.plan.notes == (note(Rule.TURNS_EXPOSED, least=3, kept=[2, 3]),)


def test_the_newest_round_comes_whole_and_older_ones_are_clamped():
    def result(place, id_):
        return Message(place, Role.TOOL, LETTERS, tool_call_id=id_, turn=1, tokens=1_004)

    def call(place, id_):
        calls = (ToolCall(id_, "read", "{}", 5),)
        return Message(place, Role.ASSISTANT, "", calls, turn=1, tokens=9)

    question = Message(0, Role.USER, "go", turn=1, tokens=5)
    messages = (question, call(1, "a"), result(2, "a"), call(3, "b"), result(4, "b"))

    assert of_transcript(projected(messages, **ROOMY, max_message_tokens=100).plan) == "KKAKK"


def test_an_oversized_system_message_is_clamped_as_any_other():
    projection = projected(made("user: a x10", f"system: {LETTERS * 5} x6671", "user: b"), **TURN)
    entry = projection.plan.entry_at(1)

    assert of_transcript(projection.plan) == "KAK"
    assert 480 <= entry.sent_tokens <= 500
    assert entry.reasons == (fact(Rule.SYSTEM_KEPT), fact(Rule.CLAMPED))


def test_what_was_repaired_in_a_clamped_message_stays_said():
    path = transcript("user: hi", "call c1 search: Look", "user: and?", "assistant: x", "user: so?")
    path = (path[0], replace(path[1], text="word " * 2_000, tokens=2_010), *path[2:])

    entry = projected(path, **ROOMY, max_message_tokens=100).plan.entry_at(1)

    assert entry.verdict is Verdict.ALTERED
    assert [why.rule for why in entry.reasons] == [Rule.UNPAIRED_CALL, Rule.CLAMPED]
