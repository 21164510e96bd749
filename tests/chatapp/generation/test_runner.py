"""Every generation ends, whatever fails meanwhile."""

import asyncio
import json
import uuid
from functools import partial

import pytest
from django.db import OperationalError

from chatapp.databases.threads import close_connections, in_database
from chatapp.generation import ending, event_writer, supervisor
from chatapp.generation.ending import INTERNAL, UNSTORED
from chatapp.live.viewers import Viewer, viewers
from chatapp.llm import client
from chatapp.llm.mirror import provider
from chatapp.transcript import fragments
from history.core.settings import registry
from history.models import GenerationEvent, GenerationStatus
from history.records import plan_record
from history.services.access import Actor
from history.services.answers import lifecycle as stored
from history.services.answers.approvals import Decision
from history.services.answers.commands import Send
from history.services.answers.sending import send
from tests.chatapp.lone_generations import lone
from tests.factories import make_agent
from tests.provider import LITELLM_WARNS

pytestmark = [pytest.mark.django_db(transaction=True), *LITELLM_WARNS]
WITHDRAWN = "Not approved: the answer failed. It was not run."
NO_RESULT = "Error: no result: the answer failed before the tool was done."
NOTE, SUM = "Send a note to Ada: the harbour is open", "What is 6 * 7?"


async def waiting(viewer):
    """Return the frames that wait for the viewer's socket."""
    viewer.show({"type": "last"})
    frames = []
    while not frames or frames[-1]["type"] != "last":
        frames.append(json.loads(await viewer.next()))
    return frames[:-1]


@pytest.fixture
async def run(monkeypatch):
    """Return a function that asks the offline model, and returns the events that a viewer saw."""
    monkeypatch.setattr(provider, "words_per_second", 1e9)
    await in_database(make_agent)
    viewer = Viewer(Actor(visitor="ada"))

    async def run(text, prepare=None):
        actor = Actor(visitor="ada")
        ack = await in_database(
            send, actor, Send(text=text, client_msg_id=uuid.uuid4(), agent="demo")
        )
        viewers.follow(viewer, ack.conversation.pk)
        if prepare:
            await in_database(prepare, ack.generation)
        made = lone(ack.generation)
        made.task = asyncio.create_task(made.run())
        await made.task
        await in_database(ack.generation.refresh_from_db)
        frames = await waiting(viewer)
        return ack.generation, frames

    yield run
    viewers.leave(viewer)
    await client.close()
    await close_connections()


async def test_an_answer_that_begins_is_shown_as_running(run):
    _, frames = await run("Hello")

    (begun,) = [frame for frame in frames if frame.get("kind") == "started"]
    assert 'data-status="running"' in begun["data"]["html"]


async def test_an_answer_that_cannot_be_rendered_has_ended_all_the_same(run, monkeypatch):
    def broken(generation):
        raise RuntimeError("no such template")

    monkeypatch.setattr(fragments, "render_answer", broken)
    generation, frames = await run("Hello")

    assert generation.status == GenerationStatus.DONE
    assert frames[-1]["kind"] == "end"
    assert frames[-1]["data"] == {"html": "", "status": "done", "words": 0}


def give_tools(generation):
    generation.snapshot["agent"]["tools"] = ["calculator", "send_note"]
    generation.save()


async def test_a_decision_that_cannot_be_shown_lets_the_answer_go_on(run, monkeypatch):
    render, faults = fragments.render_card, [RuntimeError("no such template")]

    def broken_once(*given):
        if faults:
            raise faults.pop()
        return render(*given)

    generation, _ = await run(NOTE, give_tools)
    call = await in_database(lambda: generation.messages.get(role="assistant").tool_calls[0])
    refusal = Decision(call["id"], approved=False)
    monkeypatch.setattr(fragments, "render_card", broken_once)
    await supervisor.decide(
        Actor(visitor="ada"), generation.conversation_id, generation.pk, refusal
    )
    await asyncio.wait([resumed.task for resumed in supervisor._runners.values()])
    await in_database(generation.refresh_from_db)

    assert (generation.status, generation.error) == (GenerationStatus.DONE, None)


@pytest.mark.parametrize(
    ("piece", "text", "results"),
    [
        pytest.param("render_started", NOTE, [], id="question"),
        pytest.param("render_calls", NOTE, [WITHDRAWN], id="call that asks"),
        pytest.param("render_answer", NOTE, [WITHDRAWN], id="approval"),
        pytest.param("render_calls", SUM, [NO_RESULT], id="call"),
        pytest.param("render_card", SUM, ["42"], id="result"),
    ],
)
async def test_what_cannot_be_rendered_fails_at_once(run, monkeypatch, piece, text, results):
    """Each call has one result, whichever template could not be rendered."""

    def broken(*_):
        raise RuntimeError("no such template")

    monkeypatch.setattr(fragments, piece, broken)
    generation, frames = await run(text, give_tools)
    rows = generation.messages.filter(role="tool").order_by("position")

    assert generation.status == GenerationStatus.FAILED
    assert generation.error == {"kind": "internal", "message": INTERNAL}
    assert frames[-1]["kind"] == "end"
    assert await in_database(lambda: [row.text for row in rows]) == results


async def test_an_answer_beyond_the_limit_ends_with_what_fitted(run, settings):
    settings.MAX_ANSWER_BYTES = 100
    generation, frames = await run("A long answer, please")
    text = await in_database(lambda: generation.messages.get(role="assistant").text)

    assert generation.status == GenerationStatus.FAILED
    assert generation.error["kind"] == "too_long"
    assert text.startswith("## What you are looking at")
    assert 80 < len(text.encode()) <= 100
    assert "size limit" in frames[-1]["data"]["html"]


async def test_an_answer_of_the_offline_model_is_known_to_cost_nothing(run):
    generation, _ = await run("Hello")
    outcome = await in_database(lambda: generation.plans.get().outcome)

    assert outcome.cost["total"] == "0"
    assert outcome.cost["fresh"]["tokens"] == outcome.usage["prompt"]


def told_of(generation):
    """Return the plan's record of the only request, its planned tokens, and its counted tokens."""
    record = generation.plans.select_related("generation").get()
    return plan_record(record), record.core_plan.window.sent, record.figures.counted


async def test_a_request_that_never_left_is_recorded_as_such(run, monkeypatch):
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)

    def ask_in_vain(generation):
        generation.snapshot["agent"]["model"] = "openai/gpt-nope"
        generation.save()

    generation, frames = await run("Hello", ask_in_vain)

    record, tokens, sent = await in_database(partial(told_of, generation))
    assert record["outcome"]["error"]["left"] is False
    assert record["headline"] == (
        "Nothing was sent: openai/gpt-nope needs a key. "
        f"It would have got 1 message, {tokens} tokens."
    )
    assert sent == 0
    assert "Nothing was sent" in frames[-1]["data"]["plan"]


def is_taken(generation, seq):
    """Store an event with this number, so that the database refuses another one."""
    GenerationEvent.objects.create(generation=generation, seq=seq, kind="delta", payload={})


async def test_an_event_that_cannot_be_stored_ends_the_answer_with_an_error(run, monkeypatch):
    log_batches = stored.log_batches

    def then_taken(batches):
        """Store events; once there is text, take the number of the next event."""
        lost = log_batches(batches)
        ((generation, events),) = batches
        if any(event.kind == "delta" for event in events):
            is_taken(generation, generation.seq + 1)
        return lost

    monkeypatch.setattr(provider, "words_per_second", 50)
    monkeypatch.setattr(stored, "log_batches", then_taken)
    generation, frames = await run("A long answer, please")
    said = await in_database(lambda: generation.messages.get(role="assistant").text)

    assert generation.status == GenerationStatus.FAILED
    assert generation.error == {"kind": "unstored", "message": UNSTORED}
    assert said.startswith("## What you")
    assert frames[-1]["kind"] == "end"
    assert str(UNSTORED) in frames[-1]["data"]["html"]


async def test_an_answer_that_was_whole_before_is_whole_without_its_events(run, monkeypatch):
    monkeypatch.setattr(event_writer, "FLUSH_SECONDS", 60)  # The answer ends first.
    generation, frames = await run("Hello", partial(is_taken, seq=1))

    assert (generation.status, generation.error) == (GenerationStatus.DONE, None)
    assert frames[-1]["kind"] == "end"


async def test_an_end_that_cannot_be_stored_as_it_was_is_stored_as_a_failure(run, monkeypatch):
    monkeypatch.setattr(ending, "storable", lambda text: text + "\ud800")
    generation, frames = await run("Hello")

    assert generation.status == GenerationStatus.FAILED
    assert generation.error == {"kind": "unstored", "message": UNSTORED}
    assert frames[-1]["kind"] == "end"


async def test_a_start_that_the_database_refuses_is_tried_again(run, monkeypatch):
    claim, refusals = stored.claim, [OperationalError("database or disk is full")]

    def refusing_once(*given):
        if refusals:
            raise refusals.pop()
        return claim(*given)

    monkeypatch.setattr(stored, "claim", refusing_once)
    generation, frames = await run("Hello")

    assert (generation.status, refusals) == (GenerationStatus.DONE, [])
    assert frames[-1]["kind"] == "end"


@pytest.fixture
def broken_processor(monkeypatch):
    def refuse(segments):
        raise RuntimeError("a secret")

    monkeypatch.setattr(registry, "processors", {"mine": lambda: refuse})


async def test_a_processor_of_ones_own_that_fails_is_named(run, broken_processor):
    def use(generation):
        generation.snapshot["agent"]["processors"] = {"agent": [{"use": "mine"}]}

    generation, _ = await run("Hello", use)

    assert generation.status == GenerationStatus.FAILED
    assert generation.error == {
        "kind": "extension",
        "message": "The processor mine at the agent level failed: RuntimeError",
    }


async def test_a_processor_that_is_gone_is_named(run):
    def use(generation):
        generation.snapshot["agent"]["processors"] = {"agent": [{"use": "gone"}]}

    generation, _ = await run("Hello", use)

    assert generation.error["kind"] == "settings"
    assert "processors, agent level, 1: gone: no such processor" in generation.error["message"]
