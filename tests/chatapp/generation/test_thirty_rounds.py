"""Thirty rounds of tools, reasoning and images with a strict provider of each family.

Nothing is refused, and every byte of thinking and every byte that left is stored. In each
conversation, all kinds of processors and settings take turns. Then the last request of every third
round, which has the longest tool loop, is planned and sent again as if one kind had applied to all
rounds; each family tries some of the kinds. `make soak` holds thirty rounds under each kind with
each family.
"""

from contextlib import contextmanager
from hashlib import sha256

import pytest

from chatapp.databases.threads import close_connections, in_database
from chatapp.llm import client
from history.models import GenerationStatus
from tests.chatapp.generation.thirty_rounds import KINDS, ROUNDS, Talk, ends_of_rounds, sent_again
from tests.chatapp.generation.wires import (
    all_unlisted,
    plans_of,
    reasoning_counted,
    reasoning_handed,
    rebuilt,
    stored_wires,
)
from tests.provider import LITELLM_WARNS
from tests.strict.bound_claude import BoundClaude
from tests.strict.bound_responses import BoundResponses
from tests.strict.families import FAMILIES
from tests.strict.server import StrictProvider

pytestmark = [pytest.mark.whole, pytest.mark.django_db(transaction=True), *LITELLM_WARNS]
DONE = {(GenerationStatus.DONE, None)}
BOUND = (BoundClaude, BoundResponses)
FIVE = [family for family in FAMILIES if family not in BOUND][:5]
AGAIN = [pytest.param(f, [*KINDS][n :: len(FIVE)], id=f.__name__) for n, f in enumerate(FIVE)]


@pytest.fixture
def strict(monkeypatch, settings):
    settings.MODEL_PROVIDERS |= {"hosted_vllm", "ollama_chat"}

    @contextmanager
    def strict(family):
        with StrictProvider(family()) as provider:
            for name, value in provider.environment.items():
                monkeypatch.setenv(name, value)
            yield provider

    return strict


@pytest.mark.parametrize(("family", "kinds"), AGAIN)
async def test_nothing_is_refused_while_all_kinds_take_turns(family, kinds, strict):
    with strict(family) as provider:
        talk = await Talk(provider, tuple(KINDS)).hold()
        plans = await in_database(plans_of, talk.conversation)
        ends, received = ends_of_rounds(plans, talk.received)
        for kind in kinds:
            await sent_again(ends[::3], kind)
        await client.close()

    assert provider.refusals == []
    assert talk.statuses == DONE
    assert await in_database(talk.thought) == talk.thought_aloud()
    raw = [received.raw for received in talk.received]
    wires = await in_database(stored_wires, plans)
    assert wires == [[(sha256(body).hexdigest(), body)] for body in raw]
    requests = await in_database(rebuilt, ends)
    assert [request.matches for request in requests] == [True] * ROUNDS
    assert await in_database(all_unlisted, ends, requests, received) == []
    assert reasoning_counted(ends) == reasoning_handed(requests)
    await close_connections()


@pytest.mark.parametrize("family", BOUND, ids=lambda family: family.__name__)
async def test_nothing_that_is_bound_is_refused_while_all_kinds_take_turns(family, strict):
    with strict(family) as provider:
        talk = await Talk(provider, tuple(KINDS)).hold()
        await client.close()
        plans = await in_database(plans_of, talk.conversation)
        requests = await in_database(rebuilt, plans)
    await close_connections()

    assert provider.refusals == []
    assert talk.statuses == DONE
    assert [provider.family.mismatches(received.body) for received in talk.received] == [[]] * len(
        plans
    )
    assert [request.matches for request in requests] == [True] * len(plans)
    assert reasoning_counted(plans) == reasoning_handed(requests)
    assert any(plan.core_plan.reasoning.unbound for plan in plans)


@pytest.mark.soak
@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("family", FAMILIES, ids=lambda family: family.__name__)
async def test_nothing_is_refused_in_thirty_rounds_of_one_kind(family, kind, strict):
    with strict(family) as provider:
        talk = await Talk(provider, (kind,)).hold()
        await client.close()

    assert provider.refusals == []
    assert talk.statuses == DONE
    assert await in_database(talk.thought) == talk.thought_aloud()
    plans = await in_database(plans_of, talk.conversation)
    wires = await in_database(stored_wires, plans)
    assert [body for ((_digest, body),) in wires] == [got.raw for got in talk.received]
    requests = await in_database(rebuilt, plans)
    assert [request.matches for request in requests] == [True] * len(plans)
    assert reasoning_counted(plans) == reasoning_handed(requests)
    await close_connections()
