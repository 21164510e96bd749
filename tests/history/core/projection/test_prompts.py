"""A system prompt edited during a conversation follows what the model has read, or waits."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from history.core.money.prefix import shared_prefix
from history.core.plan.injected import SYSTEM_PROMPT, Injected, new_prompt
from history.core.plan.neutral_request import in_order, openai_messages
from history.core.plan.plan import Plan
from history.core.plan.verdict import SENT, Verdict
from history.core.projection.invariants import check
from history.core.projection.project import project
from history.core.projection.prompts import begin_alike, keeping, may_keep
from history.core.projection.request import ProjectionRequest
from history.core.summaries.checkpoints import Checkpoint
from history.core.transcript.messages import Role
from history.core.words.facts import Rule, fact, note
from tests.history.core.making import ROOMY, settings_of, transcript

LINES = ("user: One?", "assistant: Two.", "user: Three?", "assistant: Four.", "user: Five?")
CHAT = transcript(*LINES, "assistant: Six.", "user: Seven?")
BRIEF, KIND, FRENCH = (
    Injected(SYSTEM_PROMPT, Role.SYSTEM, text, 3)
    for text in ("Be brief.", "Be kind.", "Speak French.")
)
STABLE = {**ROOMY, "prefix": "stable"}


def asked(prompt, *, turn=2, takes=True, before=(BRIEF,), rest=()):
    """Return the request of a turn, after a request that sent the prompts `before`."""
    texts = (*([prompt] if prompt else []), *rest)
    request = ProjectionRequest(settings_of(**STABLE), texts, takes_new_prompts=takes)
    return keeping(request, before, turn)


def said(projection):
    return [m["content"] for m in openai_messages(projection.messages, projection.injected)]


def test_an_edited_prompt_goes_before_the_turn_and_stays_there():
    request = asked(KIND)

    second, third = (project(CHAT[:size], request) for size in (3, 5))

    assert said(second) == ["Be brief.", "One?", "Two.", "Be kind.", "Three?"]
    assert said(third) == [*said(second), "Four.", "Five?"]
    assert third.plan.new_prompts == (2,)
    assert shared_prefix(second.plan, third.plan).first_difference is None
    for size, projection in ((3, second), (5, third)):
        check(CHAT[:size], projection)
        assert Plan.from_dict(projection.plan.as_dict()) == projection.plan


def test_the_map_and_the_window_show_it():
    plan = project(CHAT, asked(KIND)).plan

    assert [entry.label or str(entry.verdict) for entry in plan.entries] == [
        "system prompt",
        "K",
        "system prompt from turn 2",
        "K",
        "K",
    ]
    later = plan.entries[2]
    assert (later.reasons, later.setting) == ((fact(Rule.NEW_PROMPT, turn=2),), "prefix")
    assert plan.window.system_prompt == BRIEF.tokens + KIND.tokens


FIRST, AT_ONE, AT_TWO = "system prompt", "system prompt from turn 1", "system prompt from turn 2"
EDITED = (BRIEF, new_prompt(1, KIND.text, 3))


@pytest.mark.parametrize(
    ("prompt", "before", "texts"),
    [
        (BRIEF, (BRIEF,), None),
        (None, (BRIEF,), None),
        (KIND, (), [AT_TWO]),
        (KIND, EDITED, [FIRST, AT_ONE]),
        (FRENCH, EDITED, [FIRST, AT_ONE, AT_TWO]),
        (BRIEF, EDITED, [FIRST, AT_ONE, AT_TWO]),
    ],
    ids=["the same", "none any more", "the first one", "edited before", "again", "back"],
)
def test_prompts_of_an_earlier_request_are_kept(prompt, before, texts):
    kept = asked(prompt, before=before)

    assert (kept and [text.label for text in kept.injected]) == texts


def test_other_texts_stay_behind_the_prompts():
    time = Injected("context time", Role.USER, "It is noon.", 4, "turn")

    request = asked(KIND, rest=(time,))

    contents = ["Be brief.", "One?", "Two.", "Be kind.", "It is noon.", "Three?"]
    assert said(project(CHAT[:3], request)) == contents


def test_where_the_model_takes_none_later_it_waits_and_the_plan_says_so():
    projection = project(CHAT[:3], asked(KIND, takes=False))

    assert said(projection) == ["Be brief.", "One?", "Two.", "Three?"]
    assert note(Rule.PROMPT_WAITS) in projection.plan.notes
    assert asked(KIND, takes=False, before=()) is None


SUMMARY = Checkpoint(1, 0, 1, 1, 1, "Numbers.", 3, 20)
TOOLS = {"tool_schema_tokens": 9, "tool_schema_digest": "abc"}


@pytest.mark.parametrize(
    ("more", "alike"),
    [
        ({}, True),
        ({"injected": (KIND,)}, True),
        ({"pins": frozenset({2})}, True),
        ({"injected": (Injected("context time", Role.USER, "Noon.", 4, "turn"),)}, True),
        ({"injected": (Injected("context time", Role.USER, "Noon.", 4),)}, False),
        ({"settings": settings_of(**STABLE | {"policy": "lastN", "length": 2})}, False),
        ({"checkpoints": (SUMMARY,)}, False),
        (TOOLS, False),
    ],
    ids=["same", "prompt", "pin", "for the turn", "text", "window", "summary", "tools"],
)
def test_requests_begin_alike_with_the_same_tools_texts_and_window(more, alike):
    request = ProjectionRequest(settings_of(**STABLE), (BRIEF,))
    before = project(CHAT[:3], request).plan

    assert begin_alike(before, project(CHAT[:5], replace(request, **more)).plan) is alike


@pytest.mark.parametrize(
    ("policy", "settled", "may"),
    [("all", None, True), ("lastN", None, False), ("lastN", 3, True), ("lastN", 2, False)],
    ids=["begins alike", "another window", "a later step", "a step that decided anew"],
)
def test_prompts_are_kept_by_later_steps_and_by_requests_that_begin_alike(policy, settled, may):
    request = ProjectionRequest(settings_of(**STABLE), (BRIEF,))
    before = project(CHAT[:3], request).plan
    cut = replace(request, settings=settings_of(**STABLE | {"policy": policy, "length": 1}))
    after = project(CHAT[:5], replace(cut, settled=3)).plan

    assert may_keep(before, after, settled) is may


@given(
    st.integers(1, 4),
    st.sets(st.integers(1, 5)),
    st.sets(st.integers(0, 5)),
    st.sampled_from(["all", "lastN", "none"]),
    st.integers(1, 3),
)
def test_the_plan_lists_texts_and_messages_in_the_order_of_the_request(
    turn, turns, excluded, policy, length
):
    texts = (BRIEF, *(new_prompt(turn, f"{turn}", 3) for turn in sorted(turns)))
    settings = settings_of(**STABLE | {"policy": policy, "length": length})
    request = ProjectionRequest(settings, texts, exclusions=frozenset(excluded))
    messages = CHAT[: 2 * turn - 1]

    projection = project(messages, request)

    check(messages, projection)
    listed = [
        place
        for entry in projection.plan.entries
        if entry.verdict in SENT | {Verdict.INJECTED}
        for place in (entry.positions or [entry.label])
    ]
    sent = in_order(projection.messages, projection.injected)
    assert listed == [item.label or item.position for item in sent]
