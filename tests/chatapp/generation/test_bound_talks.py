"""Random conversations with a model that binds its reasoning to everything before it.

The provider refuses and drops nothing that is planned to be sent. Reasoning that was left out
because it no longer fits would indeed be refused. Each request repeats what the one before it sent,
but for what its plan declares; with a stable prefix, a step repeats all of it.
"""

import random
from dataclasses import replace
from itertools import pairwise, starmap

import pytest

from chatapp.llm import client
from chatapp.llm.errors import ProviderError
from history.core.transcript.parts import reasoning_in
from tests.chatapp.generation.bound_talk import BoundTalk
from tests.chatapp.generation.declared import (
    are_stable,
    declared,
    is_cut,
    is_same_text,
    is_undisturbed,
    shared,
)
from tests.chatapp.llm.answering import PATIENT
from tests.provider import LITELLM_WARNS
from tests.strict.bound_claude import BoundClaude
from tests.strict.bound_responses import BoundResponses
from tests.strict.server import StrictProvider, bodies

pytestmark = [pytest.mark.django_db, *LITELLM_WARNS]
TURNS = 7
WITHOUT_TOOLS = 1_772  # The tools are taken away after calls, from which litellm makes one.
BETWEEN = 1_139  # Reasoning that is left out stands between two parts of a text.
NARROW = 4_084  # A file is still a little larger than its limit after it was shortened.
GROWN = 5_437  # With the kept prompts, a step no longer fits in the window.
FEW, MANY, EACH = (*range(8), BETWEEN, WITHOUT_TOOLS, NARROW, GROWN), 10_000, 250


@pytest.fixture(params=[BoundClaude, BoundResponses], ids=lambda family: family.__name__)
def provider(request, monkeypatch):
    with StrictProvider(request.param()) as provider:
        for name, value in provider.environment.items():
            monkeypatch.setenv(name, value)
        yield provider


async def held(seed, provider, kind=BoundTalk):
    talk = kind(random.Random(seed), provider)
    for _turn in range(TURNS):
        await talk.turn()
    return talk


async def faults(seeds, provider):
    """Return the provider's refusals, by seed the blocks that it dropped, and the seeds of the
    talks in which a step did not repeat what a stable prefix should have kept, or differed where
    its plan does not say so.
    """
    dropped, changed, undeclared, thoughts, repeated = {}, [], [], 0, 0
    for seed in seeds:
        before = len(provider.received)
        talk = await held(seed, provider)
        received = bodies(provider.received[before:])
        assert len(received) == len(talk.steps)
        if told := [found for body in received for found in provider.family.mismatches(body)]:
            dropped[seed] = told
        repeats = [after.sent[: len(before.sent)] == before.sent for before, after in kept(talk)]
        changed += [seed] if not all(repeats) else []
        undeclared += [seed] if not all(starmap(is_declared, pairwise(talk.steps))) else []
        thoughts += sum(map(len, map(provider.family.thoughts, received)))
        repeated += len(repeats)
    assert min(thoughts, repeated) > len(seeds)
    await client.close()
    return provider.refusals, dropped, changed, undeclared


async def test_no_reasoning_is_refused_or_dropped_and_a_stable_prefix_is_repeated(provider):
    assert await faults(FEW, provider) == ([], {}, [], [])


@pytest.mark.soak
@pytest.mark.parametrize("first", range(0, MANY, EACH))
async def test_so_it_is_in_10_000_conversations(first, provider):
    assert await faults(range(first, first + EACH), provider) == ([], {}, [], [])


async def test_reasoning_is_left_out_only_where_it_would_be_refused(provider):
    left_out = 0
    for seed in FEW:
        talk = await held(seed, provider)
        for step in talk.steps:
            for position in step.projection.plan.reasoning.unbound:
                anyway = talk.sendable(with_reasoning_of(position, step), step.tools)
                body = await body_sent(anyway, provider)
                if provider.family.thoughts(
                    body
                ):  # In a loop of another model, no reasoning is sent at all.
                    left_out += 1
                    assert provider.family.mismatches(body), (seed, step.turn, position)
    assert left_out > len(FEW)
    await client.close()


def with_reasoning_of(position, step):
    """Return the projection with one message's reasoning, besides all that is sent anyway."""
    thoughts = reasoning_in(step.path[position].parts)
    messages = tuple(
        replace(message, parts=(*message.parts, *thoughts))
        if message.position == position and not message.label
        else message
        for message in step.projection.messages
    )
    return replace(step.projection, messages=messages)


async def body_sent(request, provider):
    """Send a request, though it may be refused, and return what the provider received."""
    try:
        async for _chunk in client.stream(request, PATIENT):
            pass
    except ProviderError:
        pass
    return provider.received[-1].body


class EditedTalk(BoundTalk):
    """A random conversation in which only the prompt changes."""

    def _change(self):
        self.chosen = {"policy": "all", "reasoning_keep": 20, "prefix": "stable"}
        if self.dice.random() < 0.5:
            self.prompt = self._words(9)

    def _mark(self, chance):
        pass


async def test_an_edited_prompt_changes_nothing_that_the_model_has_read(provider):
    edits = 0
    for seed in FEW:
        talk = await held(seed, provider, EditedTalk)
        for before, after in pairwise(talk.steps):
            was, now = unthinking(before.sent), unthinking(after.sent)
            assert now[: len(was)] == was, seed
            assert after.projection.plan.reasoning.unbound == {}
        edits += len(talk.steps[-1].projection.plan.new_prompts)
    received = bodies(provider.received)
    assert edits > len(FEW)
    spoken = [each for body in received for each in body.get("messages") or body["input"]]
    assert any(message.get("role") == "system" for message in spoken)
    assert (provider.refusals, [b for b in received if provider.family.mismatches(b)]) == ([], [])
    await client.close()


def unthinking(messages):
    """Remove all reasoning: Claude accepts none in a tool loop that does not begin with
    reasoning.
    """
    return [{k: v for k, v in message.items() if k != "reasoning"} for message in messages]


def is_declared(before, after):
    """Whether two requests first differ exactly where the plans say so and, with a stable prefix,
    because of a cut, unless somebody changed something.
    """
    told, really = declared(before, after), shared(before, after)
    is_told = told == really or (told < really and is_same_text(before, after))
    is_settled = are_stable(before, after) and is_undisturbed(before, after)
    return is_told and (not is_settled or is_cut(before, after))


def kept(talk):
    """List the pairs of steps of which the second must repeat what the first sent."""
    return [pair for pair in pairwise(talk.steps) if follows(*pair)]


def follows(before, after):
    """Whether the prefix must be stable between two steps of a turn: nobody changed a mark, the
    window had room, and the model did not stop thinking, after which no reasoning is sent.
    """
    was, now = before.request, after.request
    is_stable = now.settings.value("prefix") == "stable" and before.turn == after.turn
    same_marks = (was.pins, was.exclusions) == (now.pins, now.exclusions)
    settled = [step.projection.plan.settled for step in (before, after)]
    was_off, is_off = (s.projection.plan.reasoning.taking.foreign_loop for s in (before, after))
    return is_stable and same_marks and settled[0] == settled[1] and was_off == is_off
