"""F23 and F24: the processors of three levels in order, and custom processors."""

from dataclasses import replace

import pytest

from history.core.plan.verdict import Verdict
from history.core.projection.invariants import check
from history.core.projection.project import project
from history.core.projection.request import ProjectionRequest
from history.core.settings import registry
from history.core.stages.processors import parse_levels
from history.core.transcript.messages import Role
from history.core.words.errors import ExtensionFailed, SettingError, SettingErrors
from history.core.words.facts import Rule, fact
from tests.history.core.making import (
    ROOMY,
    chained,
    of_transcript,
    projected,
    sent,
    settings_of,
    transcript,
    weighing,
)
from tests.transcripts import turns

NO_DEBUG = {"use": "tool_call_filter", "exclude": ["debug_tool"]}
LIMIT = {"use": "token_limiter", "limit": 16_000}
NO_TOOLS = {"use": "tool_call_filter"}
WORKED = {"history": [NO_DEBUG], "network": [LIMIT], "agent": [NO_TOOLS]}

LONG = transcript(
    "user: an old question x4000",
    "assistant: an old answer x8000",
    "user: look x1000",
    "call d1 debug_tool x50",
    "result d1: a trace x9000",
    "call s1 search x50",
    "result s1: a page x6000",
    "assistant: here x500",
    "user: thanks x10",
)


def with_levels(messages, levels, **request):
    request = ProjectionRequest(settings_of(**ROOMY), levels=parse_levels(levels), **request)
    return project(messages, request)


@pytest.mark.parametrize(
    ("levels", "expected"),
    [
        pytest.param({}, "KKKKKKKKK", id="none"),
        pytest.param({"history": [NO_DEBUG]}, "KKKFFKKKK", id="history alone"),
        pytest.param({"network": [LIMIT]}, "FFFKKKKKK", id="network alone"),
        pytest.param({"agent": [NO_TOOLS]}, "KKKFFFFKK", id="agent alone"),
        pytest.param(
            {"history": [NO_DEBUG], "network": [LIMIT]}, "FKKFFKKKK", id="history, then network"
        ),
        pytest.param(WORKED, "FKKFFFFKK", id="all three"),
        pytest.param(
            {"agent": [NO_TOOLS], "network": [LIMIT], "history": [NO_DEBUG]},
            "FKKFFFFKK",
            id="the levels have an order of their own",
        ),
    ],
)
def test_each_level_works_on_the_previous_ones_output(levels, expected):
    """The limiter keeps the old answer, because the filter before it has removed the long
    results.
    """
    assert of_transcript(with_levels(LONG, levels).plan) == expected


def test_each_levels_effect_shows_in_the_plan():
    plan = with_levels(LONG, WORKED).plan

    assert [(e.first, e.last, e.level, e.rule) for e in plan.not_sent()] == [
        (0, 0, "network", "token_limiter"),
        (3, 4, "history", "tool_call_filter"),
        (5, 6, "agent", "tool_call_filter"),
    ]
    limiter, *filters = (why for e in plan.not_sent() for why in e.reasons)
    assert limiter.rule is Rule.TOKEN_LIMITER
    assert limiter.figures["beyond"] == {"places": [0, 0], "tokens": 19_560}
    assert (limiter.figures["limit"], limiter.figures["tokens"]) == (16_000, 15_560)
    named = {"processor": "tool_call_filter"}
    assert filters == [
        fact(Rule.TOOL_CALL_FILTER, exclude=["debug_tool"], level="history", **named),
        fact(Rule.TOOL_CALL_FILTER, level="agent", **named),
    ]


def test_a_level_may_have_several_in_order():
    levels = {"history": [NO_DEBUG, {"use": "token_limiter", "limit": 700}]}

    assert of_transcript(with_levels(LONG, levels).plan) == "FFFFFFFKK"


def test_without_processors_nothing_changes():
    assert parse_levels({}) == parse_levels({"history": [], "agent": ()}) == ()
    assert with_levels(LONG, {}).plan == projected(LONG, **ROOMY).plan


BY_LEVEL = {"": fact(Rule.NO_LEVELS, known=["history", "network", "agent"])}
NO_USE = {"example": '{"use": "tool_call_filter"}'}


def at(level, place, rule, **figures):
    return fact(
        Rule.BAD_PROCESSOR, level=level, place=place, why={"rule": rule, "figures": figures}
    )


@pytest.mark.parametrize(
    ("data", "errors"),
    [
        ([], BY_LEVEL),
        (
            {"site": [], "agents": [], "agent": []},
            {
                "": fact(
                    Rule.NO_LEVEL, names=["agents", "site"], known=["history", "network", "agent"]
                )
            },
        ),
        ({"agent": "x"}, {"agent": fact(Rule.NO_LIST, level="agent")}),
        ({"history": 0}, {"history": fact(Rule.NO_LIST, level="history")}),
        ({"agent": ["x"]}, {"agent 1": at("agent", 1, Rule.NO_USE, **NO_USE)}),
        (
            {"agent": [NO_TOOLS, {"use": "nothing"}]},
            {
                "agent 2": at(
                    "agent",
                    2,
                    Rule.NO_PROCESSOR,
                    name="nothing",
                    known=["tool_call_filter", "token_limiter"],
                )
            },
        ),
        (
            {"history": ["x"], "agent": [{"use": 3}]},
            {
                "history 1": at("history", 1, Rule.NO_USE, **NO_USE),
                "agent 1": at("agent", 1, Rule.NO_USE, **NO_USE),
            },
        ),
    ],
)
def test_a_bad_chain_names_its_level_and_its_place(data, errors):
    with pytest.raises(SettingErrors) as error:
        parse_levels(data)

    assert error.value.by_setting == errors


LIMIT_IS = "token_limiter: limit"
RANGE = {"least": 1, "most": 1_000_000_000}


@pytest.mark.parametrize(
    ("spec", "why"),
    [
        (
            {"use": "token_limiter", "most": 5},
            fact(Rule.NO_OPTION, name="token_limiter", option="most", known=["limit"]),
        ),
        (
            {"use": "token_limiter", "limit": "5"},
            fact(Rule.NO_NUMBER, name=LIMIT_IS, value='"5"', **RANGE),
        ),
        (
            {"use": "token_limiter", "limit": True},
            fact(Rule.NO_NUMBER, name=LIMIT_IS, value="true", **RANGE),
        ),
        (
            {"use": "token_limiter"},
            fact(
                Rule.OPTION_MISSING,
                name="token_limiter",
                option="limit",
                example='{"use": "token_limiter", "limit": 16000}',
            ),
        ),
        (
            {"use": "tool_call_filter", "exclude": []},
            fact(Rule.NO_NAMES, name="tool_call_filter: exclude", value="[]"),
        ),
        (
            {"use": "tool_call_filter", "persist_results": 1},
            fact(Rule.NO_BOOLEAN, name="tool_call_filter: persist_results", value="1"),
        ),
    ],
)
def test_a_bad_option_is_named_with_its_value(spec, why):
    with pytest.raises(SettingErrors) as error:
        parse_levels({"history": [spec]})

    assert error.value.by_setting == {"history 1": at("history", 1, why.rule, **why.figures)}


@pytest.fixture
def mine(empty_registry):
    """Return a function that registers a processor `mine`, and projects a transcript through it."""

    def through(messages, function, **request):
        registry.register_processor("mine", lambda: function)
        return chained(messages, {"use": "mine"}, **request)

    return through


ROUND = transcript(
    "user: a", "call c1 a, c2 b", "result c1: x", "result c2: y", "assistant: b", "user: c"
)


def only_heads(segments):
    return [replace(part, messages=part.messages[:1]) for part in segments]


def only_results(segments):
    return [replace(part, messages=part.results or part.messages) for part in segments]


def test_one_of_ones_own_takes_out_segments(mine):
    plan = mine(turns(3), lambda segments: segments[2:]).plan
    entry = plan.entry_at(0)

    assert of_transcript(plan) == "FFKKKK"
    assert (entry.rule, entry.level) == ("mine", "history")
    assert entry.reasons == (fact(Rule.OWN_PROCESSOR, processor="mine", level="history"),)


def test_a_custom_processor_is_made_with_its_options(empty_registry):
    registry.register_processor("newest", lambda count: lambda segments: segments[-count:])

    assert sent(chained(turns(3), {"use": "newest", "count": 3})) == [3, 4, 5]


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        ({"most": 3}, "unexpected keyword argument 'most'"),
        ({"count": 0}, "count must be 1 or more"),
    ],
)
def test_bad_options_are_refused_with_their_place(empty_registry, options, sentence):
    def newest(count):
        if count < 1:
            raise SettingError("count must be 1 or more")
        return lambda segments: segments[-count:]

    registry.register_processor("newest", newest)
    with pytest.raises(SettingErrors, match=sentence) as error:
        parse_levels({"agent": [{"use": "newest", **options}]})

    assert list(error.value.by_setting) == ["agent 1"]


def test_a_custom_processor_cannot_remove_the_current_turn(mine):
    assert of_transcript(mine(turns(3), lambda segments: ()).plan) == "FFFFKK"


def test_a_custom_processor_sees_what_was_there_before_the_generation(mine):
    seen = []

    def look(segments):
        seen.append([part.position for part in segments])
        return segments

    mine((*ROUND, *transcript_after()), look, settled=6)

    assert seen == [[0, 1, 4, 5]]


def transcript_after():
    lines = transcript("user: c", "call c9 a", "result c9: x")[1:]
    return [replace(m, position=m.position + 5, turn=2) for m in lines]


@pytest.mark.parametrize(
    ("function", "expected"),
    [
        pytest.param(only_heads, "K!FFKK", id="calls without their results"),
        pytest.param(only_results, "KF!!KK", id="results without their calls"),
        pytest.param(reversed, "KKKKKK", id="another order"),
        pytest.param(
            lambda given: [replace(part, messages=()) for part in given],
            "FFFFFK",
            id="segments with nothing in them",
        ),
    ],
)
def test_pairs_that_it_breaks_are_repaired(mine, function, expected):
    projection = mine(ROUND, function)

    check(ROUND, projection)
    assert of_transcript(projection.plan) == expected


def twice(segments):
    return [*segments, *segments]


def invented(segments):
    message = replace(segments[0].messages[0], text="I was never here")
    return [replace(segments[0], messages=(message,)), *segments[1:]]


def another_role(segments):
    message = replace(segments[0].messages[0], role=Role.ASSISTANT)
    return [replace(segments[0], messages=(message,)), *segments[1:]]


@pytest.mark.parametrize("function", [twice, invented, another_role], ids=lambda f: f.__name__)
def test_what_it_invents_is_refused(mine, function):
    with pytest.raises(ExtensionFailed) as refusal:
        mine(ROUND, function)

    why = fact(Rule.MESSAGE_CHANGED, position=0).as_dict()
    assert refusal.value.fact == fact(Rule.PROCESSOR_FAILED, name="mine", level="history", why=why)


@pytest.mark.parametrize(
    ("function", "why"),
    [
        pytest.param(lambda segments: 1 / 0, "ZeroDivisionError", id="it raises"),
        pytest.param(lambda segments: None, "TypeError", id="nothing"),
        pytest.param(lambda segments: ["text"], "AttributeError", id="something else"),
    ],
)
def test_one_that_fails_names_itself_and_its_level(mine, function, why):
    with pytest.raises(ExtensionFailed) as refusal:
        mine(ROUND, function)

    assert refusal.value.fact == fact(Rule.PROCESSOR_FAILED, name="mine", level="history", why=why)


def test_a_factory_that_gives_no_function_is_refused_with_its_place(empty_registry):
    registry.register_processor("mine", lambda: (1, 2))

    with pytest.raises(SettingErrors) as error:
        parse_levels({"agent": [{"use": "mine"}]})

    wrong = at("agent", 1, Rule.NO_FUNCTION, name="mine", kind="tuple")
    assert error.value.by_setting == {"agent 1": wrong}


def test_a_factory_that_raises_is_refused_with_its_place(empty_registry):
    registry.register_processor("mine", lambda: {}["lexicon"])

    with pytest.raises(SettingErrors) as error:
        parse_levels({"agent": [{"use": "mine"}]})

    wrong = at("agent", 1, Rule.TOLD, sentence="mine: KeyError: 'lexicon'")
    assert error.value.by_setting == {"agent 1": wrong}


def test_a_note_of_its_own_is_an_entry(mine):
    def noted(segments):
        question = segments[0].messages[0]
        note = replace(question, role=Role.ASSISTANT, text="skipped", label="skipped", tokens=3)
        return [replace(segments[0], messages=(replace(note, position=1),)), *segments[1:]]

    messages = weighing(turns(3), 10)
    projection = mine(messages, noted)
    injected = [e for e in projection.plan.entries if e.verdict is Verdict.INJECTED]

    check(messages, projection)
    assert of_transcript(projection.plan) == "FKKKKK"
    assert [(e.label, e.sent_tokens) for e in injected] == [("opening", 25), ("skipped", 3)]
