"""The history has a token budget, and a request that is too large is refused before it is sent."""

from dataclasses import replace

import pytest

from history.core.draft.budget import DoesNotFit, budget_of
from history.core.plan.injected import SYSTEM_PROMPT, Injected
from history.core.transcript.messages import Role, ToolCall
from history.core.words.facts import Rule, fact
from tests.history.core.making import (
    of_transcript,
    requested,
    settings_of,
    transcript,
    weighing,
)
from tests.history.core.parted import agent, file, path, result, user
from tests.transcripts import turns

VALUES = {"policy": "all", "context_window": 1_000, "output_reserve": 100}
PROMPT = Injected(SYSTEM_PROMPT, Role.SYSTEM, "You are kind", 880)


@pytest.mark.parametrize(
    ("values", "arguments", "expected"),
    [
        pytest.param({}, (0,), (900, 900), id="the window less the output reserve"),
        pytest.param({}, (300,), (600, 600), id="less what else is sent"),
        pytest.param({"token_budget": 500}, (100,), (300, 800), id="the smaller of the two"),
        pytest.param({"token_budget": 5_000}, (0,), (900, 900), id="never more than the window"),
        pytest.param({}, (0, 1.3), (692, 692), id="a model that counts more"),
        pytest.param({}, (0, 0.8), (1_125, 1_125), id="a model that counts less"),
        pytest.param({}, (100, 1.0, 75), (575, 575), id="three quarters after a refusal"),
        pytest.param({}, (950,), (-50, -50), id="nothing is left"),
    ],
)
def test_what_the_history_may_cost(values, arguments, expected):
    budget = budget_of(settings_of(**{**VALUES, **values}), *arguments)

    assert (budget.soft, budget.hard) == expected


@pytest.mark.parametrize(
    ("values", "setting"),
    [
        ({}, "context_window"),
        ({"token_budget": 500}, "token_budget"),
        ({"token_budget": 1_000}, "context_window"),
    ],
)
def test_a_budget_names_the_setting_that_limits_it(values, setting):
    assert budget_of(settings_of(**{**VALUES, **values}), 0).setting == setting


def test_what_cannot_be_sent_is_refused_with_its_sum():
    """The message does not fit, even if it is shortened to the marker of its omission."""
    with pytest.raises(DoesNotFit) as error:
        requested(transcript("user: hi x130"), VALUES, injected=(PROMPT,), tool_schema_tokens=20)

    largest = fact(Rule.LARGEST_SHORTENED, position=0, tokens=130, now=15).as_dict()
    sums = {"over": 15, "rest": 900, "history": 15, "window": 1_000, "reserve": 100}
    assert error.value.fact == fact(Rule.DOES_NOT_FIT, **sums, largest=largest)


def test_a_refusal_names_what_was_the_largest_before_it_was_shortened():
    system = "system: " + "be kind " * 4_000 + " x10000"
    messages = transcript("user: a x10", *[system] * 3, "user: b x10")

    with pytest.raises(DoesNotFit) as error:
        requested(messages, VALUES)

    largest = error.value.fact.figures["largest"]
    assert (largest["rule"], largest["figures"]["tokens"]) == (Rule.LARGEST_SHORTENED, 10_000)


def test_what_just_fits_is_sent():
    projection = requested(transcript("user: hi x20"), VALUES, injected=(PROMPT,))

    assert (projection.plan.window.free, projection.plan.window.over) == (0, 0)


def test_instructions_alone_may_be_too_large():
    with pytest.raises(DoesNotFit) as error:
        requested((), VALUES, injected=(PROMPT,), tool_schema_tokens=120)

    figures = error.value.fact.figures
    assert (figures["over"], figures["largest"]["rule"]) == (100, Rule.NO_MESSAGE)


def test_older_turns_go_before_anything_is_refused():
    messages = weighing(turns(5), 400)
    projection = requested(messages, {**VALUES, "min_history_turns": 3})

    assert of_transcript(projection.plan) == "TTTTTTTTKK"


def test_the_tools_of_the_current_turn_push_out_older_turns():
    messages = transcript(
        "user: a x300", "assistant: b x300", "user: c x100", "call c1 a x10", "result c1: x x250"
    )
    plan = requested(messages, VALUES, settled=3).plan

    assert of_transcript(plan) == "TTKKK"
    assert plan.entry_at(0).reasons == (fact(Rule.NO_ROOM, tokens=900),)


@pytest.mark.parametrize("factor", [0.8, 1.0, 1.3])
@pytest.mark.parametrize("count", [1, 5, 9, 60])
def test_the_sums_close_whatever_the_model_counts(factor, count):
    projection = requested(turns(count), VALUES, factor=factor, tool_schema_tokens=33)
    window = projection.plan.window

    assert sum(part.tokens for part in window.parts()) == window.context_window
    assert window.sent == window.counted + window.calibration <= 900
    assert abs(window.sent - window.counted * factor) <= 0.5
    assert projection.plan.factor == factor


@pytest.mark.parametrize(("factor", "kept"), [(0.8, 112), (1.0, 90), (1.3, 68)])
def test_a_model_that_counts_more_is_sent_less(factor, kept):
    projection = requested(turns(100), {**VALUES, "min_history_turns": 0}, factor=factor)

    assert len(projection.messages) == kept


def test_after_a_refusal_less_is_sent():
    values = {**VALUES, "min_history_turns": 0}

    assert len(requested(turns(100), values).messages) == 90
    assert len(requested(turns(100), values, percent=75).messages) == 66


def test_what_can_hardly_be_shortened_takes_room_from_the_rest():
    """The result with three small files stays above its share of what the window has left."""
    calls = tuple(ToolCall(f"c{place}", "read", "{}", 10) for place in range(3))
    found, *others = (result(call.id) for call in calls)
    files = tuple(file(f"{place}.txt", 20, "line") for place in range(3))
    with_files = replace(found, text="a few words " * 20, tokens=80, parts=files)
    large = (replace(message, text="many words " * 100, tokens=300) for message in others)
    messages = path(user(tokens=20), agent(calls=calls), with_files, *large)

    sent = requested(messages, VALUES, tool_schema_tokens=640).messages

    assert [message.tokens for message in sent] == [20, 47, 76, 54, 54]
