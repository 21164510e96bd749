"""F12 to F16: within the budget nothing is left out; above it, whole turns are, oldest first."""

from dataclasses import replace

import pytest

from history.core.settings import registry
from history.core.transcript.clamp import FRAME
from history.core.transcript.messages import Unread
from history.core.words.errors import ExtensionFailed, NeedsMore
from history.core.words.facts import Rule, fact, note, warning
from tests.history.core.making import (
    ROOMY,
    cold_at,
    of_transcript,
    projected,
    requested,
    sent,
    transcript,
)

DASH = "\N{EN DASH}"


SLIDING = {"pruner": "sliding_window", "sliding_window_turns": 3}


def asked(count, size=100):
    """Make this many turns of two messages, and then one more question."""
    lines = (line for n in range(count) for line in (f"user: q x{size}", f"assistant: a x{size}"))
    return transcript(*lines, f"user: now x{size}")


def pruned(messages, budget, **values):
    """Project with this budget, all of it for the history."""
    room = {"token_budget": budget + 1, "max_message_tokens": 1_000_000, "min_history_turns": 0}
    return projected(messages, **{**ROOMY, **room, **values})


@pytest.mark.parametrize(
    ("budget", "expected"),
    [
        pytest.param(900, "KKKKKKKKK", id="exactly the budget"),
        pytest.param(899, "TTKKKKKKK", id="one token over"),
        pytest.param(700, "TTKKKKKKK", id="three turns and the question fit exactly"),
        pytest.param(699, "TTTTKKKKK", id="one turn less"),
        pytest.param(300, "TTTTTTKKK", id="one turn"),
        pytest.param(299, "TTTTTTTTK", id="the current turn alone"),
    ],
)
def test_fifo_takes_whole_turns_the_oldest_first(budget, expected):
    assert of_transcript(pruned(asked(4), budget).plan) == expected


def cut(kept, tokens, budget, beyond, pruner="fifo", token_stride=1):
    turn, more = beyond
    figures = {"kept": kept, "tokens": tokens, "budget": budget, "token_stride": token_stride}
    return fact(Rule.BUDGET, pruner=pruner, beyond={"turn": turn, "tokens": more}, **figures)


def over(tokens, budget, why):
    return warning(Rule.OVER_BUDGET, tokens=tokens, budget=budget, why=why)


def test_within_the_budget_the_plan_says_so():
    plan = pruned(asked(4), 900).plan

    assert plan.notes == (note(Rule.WITHIN_BUDGET, tokens=900, budget=900),)
    assert plan.budget == 900


def test_over_the_budget_it_shows_its_arithmetic():
    plan = pruned(asked(4), 899).plan
    entry = plan.entry_at(0)

    assert (entry.rule, entry.setting, plan.notes) == ("budget", "token_budget", ())
    assert (entry.turns, entry.reasons) == ((1, 1), (cut([2, 5], 700, 899, (1, 900)),))


@pytest.mark.parametrize(
    ("values", "named"),
    [
        pytest.param({}, ("fifo", None, None, 1), id="plain"),
        pytest.param({"token_stride": 1_000}, ("fifo", None, None, 1_000), id="of tokens"),
        pytest.param({"length_stride": 2}, ("fifo", None, None, 1), id="a stride not its own"),
        pytest.param(SLIDING, ("sliding_window", 3, 1, 1), id="a number of turns"),
        pytest.param(
            {**SLIDING, "length_stride": 2},
            ("sliding_window", 3, 2, 1),
            id="a number of turns in steps",
        ),
        pytest.param(
            {**SLIDING, "length_stride": 2, "token_stride": 150},
            ("sliding_window", 3, 2, 150),
            id="both steps",
        ),
    ],
)
def test_it_names_its_number_and_its_steps(values, named):
    (why,) = pruned(asked(9), 899, **values).plan.entry_at(0).reasons
    names = ("pruner", "size", "turn_stride", "token_stride")

    assert tuple(map(why.figures.get, names)) == named


def test_a_turn_that_would_fit_is_left_out_for_the_steps():
    entry = pruned(asked(5), 1_000, token_stride=600).plan.entry_at(0)

    assert entry.turns == (1, 3)
    assert entry.reasons == (cut([4, 6], 500, 1_000, (3, 700), token_stride=600),)


def test_the_window_is_a_budget_too():
    plan = pruned(asked(4), 10_000, context_window=800, output_reserve=100).plan

    assert (of_transcript(plan), plan.entry_at(0).setting) == ("TTKKKKKKK", "context_window")


def test_a_call_leaves_with_its_result():
    messages = transcript(
        "user: go x100", "call c1 a x100", "result c1: x x100", "assistant: b x100", "user: c x100"
    )

    assert of_transcript(pruned(messages, 499).plan) == "TTTTK"


@pytest.mark.parametrize(
    ("kept", "budget", "expected"),
    [
        pytest.param(3, 1_100, "K" * 11, id="within the budget it does not run"),
        pytest.param(3, 1_000, "TTTTTTKKKKK", id="over it the last three turns stay"),
        pytest.param(1, 1_000, "TTTTTTTTTTK", id="the current turn alone"),
        pytest.param(9, 1_000, "TTKKKKKKKKK", id="fifo for what is still over"),
        pytest.param(3, 300, "TTTTTTTTKKK", id="fifo within the three"),
    ],
)
def test_sliding_window_then_fifo(kept, budget, expected):
    plan = pruned(asked(5), budget, pruner="sliding_window", sliding_window_turns=kept).plan

    assert of_transcript(plan) == expected


@pytest.mark.parametrize(("count", "first_turn"), [(5, 3), (6, 3), (7, 6), (8, 6), (9, 6), (10, 9)])
def test_sliding_window_moves_in_steps(count, first_turn):
    values = {"pruner": "sliding_window", "sliding_window_turns": 2, "length_stride": 3}
    projection = pruned(asked(count), 999, **values)

    assert projection.messages[0].turn == first_turn + 1


def test_after_a_cold_gap_the_sliding_window_moves_at_once():
    values = {"pruner": "sliding_window", "sliding_window_turns": 2, "length_stride": 50}
    messages = cold_at(asked(6), 10)

    assert pruned(asked(6), 1_200, **values).messages[0].turn == 2
    assert pruned(messages, 1_200, **values).messages[0].turn == 5


def test_summarize_cuts_as_fifo_and_says_that_a_summary_is_due():
    plan = pruned(asked(4), 899, pruner="summarize").plan

    assert of_transcript(plan) == "TTKKKKKKK"
    assert plan.notes == (
        note(Rule.SUMMARY_IS_DUE, waits=False),
        warning(Rule.LOST, count=2, runs=[{"setting": "token_budget", "places": [[0, 1]]}]),
    )


def test_a_summary_is_due_only_where_something_went_and_none_waits():
    values = {**ROOMY, "token_budget": 300, "pruner": "summarize", "min_history_turns": 0}
    waiting = requested(asked(4), {**values, "max_message_tokens": 1_000}, waits=True).plan

    assert waiting.notes[0] == note(Rule.SUMMARY_IS_DUE, waits=True)
    assert pruned(transcript("user: a x900"), 299, pruner="summarize").plan.notes == (
        over(900, 299, "current"),
    )


@pytest.mark.parametrize("pruner", ["fifo", "sliding_window", "summarize"])
@pytest.mark.parametrize(
    ("protected", "expected"),
    [
        pytest.param(0, "TTTTTTTTK", id="0"),
        pytest.param(1, "TTTTTTKKK", id="1"),
        pytest.param(3, "TTKKKKKKK", id="3"),
        pytest.param(4, "KKKKKKKKK", id="all there are"),
        pytest.param(9, "KKKKKKKKK", id="more than there are"),
    ],
)
def test_complete_turns_are_protected_with_the_current_one_on_top(pruner, protected, expected):
    values = {"pruner": pruner, "sliding_window_turns": 1, "min_history_turns": protected}

    assert of_transcript(pruned(asked(4), 299, **values).plan) == expected


def test_a_turn_without_an_answer_in_words_is_not_complete():
    messages = transcript(
        "user: a x100",
        "assistant: b x100",
        "user: c x100",
        "call c1 x x100",
        "result c1: y x100",
        "user: d x100",
        "user: e x100",
    )

    assert of_transcript(pruned(messages, 256, min_history_turns=1).plan) == "KKKKKKK"


def test_protected_turns_exceed_the_token_budget_and_the_plan_says_so():
    plan = pruned(asked(4), 299, min_history_turns=3).plan

    assert plan.notes == (over(700, 299, "protected"),)
    assert (plan.window.history, plan.window.over) == (700, 0)


def test_a_current_turn_over_the_budget_is_not_said_to_be_protected():
    messages = transcript("user: a x10", "assistant: b x10", "user: c x600")

    assert pruned(messages, 299, min_history_turns=0).plan.notes == (over(600, 299, "current"),)


def test_the_figure_is_of_what_is_sent():
    """The answer of 5,000 tokens is clamped, and the plan's figure counts what is left of it."""
    messages = transcript("user: a x10", f"assistant: {'b ' * 5_000} x5000", "user: c x10")
    plan = pruned(messages, 299, max_message_tokens=400, min_history_turns=1).plan

    assert plan.notes == (over(plan.window.history, 299, "protected"),)


def test_the_figure_of_a_later_step_is_that_steps_own():
    messages = transcript("user: a x100", "assistant: b x100", "user: c x100")
    later = (*messages, *transcript("user: c", "call c1 a x40", "result c1: x x60")[1:])
    later = tuple(
        replace(m, position=n, turn=n // 2 + 1 if n < 3 else 2) for n, m in enumerate(later)
    )
    values = {**ROOMY, "token_budget": 351}
    step = requested(later, values, settled=3).plan

    assert step.notes == (over(400, 350, "running"),)
    assert requested(later, {**values, "token_budget": 401}, settled=3).plan.notes == (
        note(Rule.WITHIN_BUDGET, tokens=400, budget=400),
    )


@pytest.mark.parametrize(
    ("window", "expected"),
    [(1_000, "TTKKKKKKK"), (701, "TTKKKKKKK"), (700, "TTTTKKKKK"), (513, "TTTTKKKKK")],
)
def test_protected_turns_never_exceed_the_context_window(window, expected):
    plan = pruned(asked(4), 299, min_history_turns=3, context_window=window).plan
    said = note(Rule.TURNS_EXPOSED, least=3, kept=[3, 5]) in plan.notes

    assert (of_transcript(plan), said) == (expected, expected.startswith("TTTT"))


@pytest.mark.parametrize(
    ("count", "first"), [(4, 0), (5, 6), (6, 6), (7, 6), (8, 12), (10, 12), (11, 18)]
)
def test_with_a_token_stride_the_cut_stands_on_a_grid(count, first):
    """A turn costs 200 tokens, so every third turn begins on the grid of 600 tokens."""
    assert sent(pruned(asked(count), 1_000, token_stride=600))[0] == first


def test_a_custom_pruner_is_found_by_its_name(empty_registry):
    registry.register_pruner("newest_two", lambda turns, settings, budget: len(turns) - 2)

    plan = pruned(asked(4), 899, pruner="newest_two").plan

    assert of_transcript(plan) == "TTTTTTKKK"
    assert plan.entry_at(0).reasons == (cut([4, 5], 300, 899, (3, 500), pruner="newest_two"),)


@pytest.mark.parametrize(
    ("wanted", "expected"),
    [(-5, "TTKKKKKKK"), (0, "TTKKKKKKK"), (4, "TTTTTTTTK"), (99, "TTTTTTTTK")],
)
def test_a_custom_pruner_cannot_take_the_current_turn_nor_exceed_the_budget(
    empty_registry, wanted, expected
):
    registry.register_pruner("mine", lambda turns, settings, budget: wanted)

    assert of_transcript(pruned(asked(4), 899, pruner="mine").plan) == expected


def test_a_pruner_sees_the_settings_and_the_budget(empty_registry):
    seen = []

    def look(turns, settings, budget):
        seen.append(([t.turn for t in turns], settings.value("length"), budget))
        return 0

    registry.register_pruner("look", look)
    pruned(asked(2), 400, pruner="look")

    assert seen == [([1, 2, 3], 20, 400)]


def test_a_custom_pruner_sees_every_turn(empty_registry):
    registry.register_pruner("mine", lambda turns, settings, budget: 2)
    messages = asked(4)

    with pytest.raises(NeedsMore):
        pruned((Unread(0, 3, 1, 2, 400), *messages[4:]), 300, pruner="mine")
    assert of_transcript(pruned(messages, 600, pruner="mine").plan) == "TTTTKKKKK"


def test_in_steps_a_message_that_is_clamped_later_moves_nothing_back():
    lines = ("user: a x10", "assistant: b x90", "user: c x400", "assistant: d x1", "user: e x10")
    messages = cold_at(transcript(*lines), 2)
    values = {"pruner": "sliding_window", "sliding_window_turns": 1, "length_stride": 4}

    for asked_at in (2, 4):
        projection = pruned(messages[: asked_at + 1], 489, max_message_tokens=200, **values)
        assert sent(projection)[0] == 2


def no_turn(kind):
    return fact(Rule.NO_TURN, kind=kind).as_dict()


@pytest.mark.parametrize(
    ("pruner", "why"),
    [
        pytest.param(lambda *given: 1 / 0, "ZeroDivisionError", id="it raises"),
        pytest.param(lambda turns: 0, "TypeError", id="it takes something else"),
        pytest.param(lambda *given: None, no_turn("NoneType"), id="none"),
        pytest.param(lambda *given: True, no_turn("bool"), id="a bool"),
    ],
)
def test_a_custom_pruner_that_fails_names_itself(empty_registry, pruner, why):
    registry.register_pruner("mine", pruner)

    with pytest.raises(ExtensionFailed) as refusal:
        pruned(asked(4), 899, pruner="mine")

    assert refusal.value.fact == fact(Rule.PRUNER_FAILED, name="mine", why=why)


def weighed(role, tokens):
    """Make a line of a transcript whose text is as long as this many tokens."""
    return f"{role}: {'x' * 3 * (tokens - FRAME)} x{tokens}"


LARGE = transcript(
    weighed("user", 30_000),
    weighed("assistant", 30_000),
    weighed("user", 40_000),
    weighed("assistant", 20_000),
    weighed("user", 2_000),
    weighed("assistant", 2_000),
    weighed("user", 90_000),
)


def test_the_sum_is_of_what_is_sent_where_a_message_comes_whole_after_all():
    """Protected turns do not fit even if the newest message is shortened, so they go, and the
    newest message is sent whole after all.
    """
    plan = projected(LARGE, policy="all", context_window=128_000).plan

    assert (plan.window.history, plan.budget) == (94_000, 123_904)
    assert plan.entry_at(0).reasons == (cut([3, 4], 94_000, 123_904, (2, 154_000)),)
