"""A foreign id, sent with a conversation of one's own, gives access to nothing by any command.

The cases are made from the commands themselves: a new command that names an id fails here until its
field has a case.
"""

import asyncio
import json
from collections.abc import Iterator
from itertools import chain
from typing import Any, get_args
from uuid import uuid4

import pytest
from django.contrib.auth.models import User
from django.contrib.sessions.backends.base import SessionBase
from django.test import Client

from chatapp.databases.threads import close_connections, in_database
from chatapp.generation import supervisor
from chatapp.live.viewers import viewers
from chatapp.llm import client
from chatapp.llm.mirror import provider
from chatapp.socket import protocol
from history.services.access import VISITOR, Actor
from history.services.answers.commands import Command
from tests.chatapp.in_process_socket import InProcessSocket
from tests.chatapp.scenes import (
    DELETED,
    FOREIGN,
    OTHER,
    SECRET,
    Scene,
    make_scene,
    make_scenes,
    stored,
)
from tests.factories import make_agent
from tests.patience import PATIENCE
from tests.provider import LITELLM_WARNS

pytestmark = [pytest.mark.django_db(transaction=True), *LITELLM_WARNS]
IDS = {"generation": ("GENERATION", "RUNNING"), "message": ("MESSAGE",)}  # A scene's names for ids.
PLAIN = {"type", "conversation", "text", "client_msg_id", "agent", "network", "head", "query"}
PLAIN |= {"after_seq", "model", "without", "follow_up", "turn"}
ATTACHED = "attachments"  # The field that has a list of ids.


def verbs() -> Iterator[tuple[str, type[Command]]]:
    for model in get_args(protocol.AnyCommand):
        for verb in get_args(model.model_fields["type"].annotation):
            yield verb, model


def combinations(model: type[Command], scene: str) -> Iterator[dict[str, str]]:
    """Yield a frame's ids: one of them from the scene, the conversation, or all of them."""
    ids = [field for field in model.model_fields if field in IDS]
    for field in ids:
        for name in IDS[field]:
            yield {"conversation": "own", field: f"{scene}:{name}"}
    if ATTACHED in model.model_fields:
        own = {field: f"own:{IDS[field][0]}" for field in ids}
        yield {"conversation": "own", **own, ATTACHED: f"{scene}:ATTACHMENT"}
    if scene != OTHER and "conversation" in model.model_fields:
        yield {"conversation": scene, **{field: f"own:{IDS[field][0]}" for field in ids}}
        yield {"conversation": scene, **{field: f"{scene}:{IDS[field][0]}" for field in ids}}


def cases() -> Iterator[tuple[str, dict[str, str]]]:
    for scene in (FOREIGN, OTHER, DELETED):
        for verb, model in verbs():
            for named in combinations(model, scene):
                if "text" in model.model_fields:
                    named["text"] = "Hello"
                yield verb, named
        yield "send", {"conversation": "own", "text": f"/undo {scene}:CHECKPOINT"}


def test_every_id_of_a_command_has_a_place_here():
    for verb, model in verbs():
        assert model.model_fields.keys() <= IDS.keys() | PLAIN | {ATTACHED}, verb


def frame(verb: str, named: dict[str, str], scenes: dict[str, Scene]) -> dict[str, Any]:
    made: dict[str, Any] = {"type": verb}
    for field, meant in named.items():
        scene, _, name = meant.rpartition(":")
        if field == "conversation":
            made[field] = scenes[meant].names["CONVERSATION"]
        elif field == "text":
            command, _, scene = scene.partition(" ")
            made[field] = f"{command} {scenes[scene].names[name]}" if scene else meant
        else:
            id_ = scenes[scene].names[name]
            made[field] = [id_] if field == ATTACHED else id_
    needs = dict(verbs())[verb].model_fields
    made |= {"turn": 1} if "turn" in needs else {}
    return made | ({"client_msg_id": str(uuid4())} if "client_msg_id" in needs else {})


def person(who: str) -> Actor:
    if who in {"visitor", "nobody"}:
        return Actor(visitor=uuid4().hex)
    return Actor(User.objects.create_user(who, is_staff=who == "staff"))


def session_of(who: str, actor: Actor) -> SessionBase | None:
    if who == "nobody":
        return None
    client = Client()
    if actor.user:
        client.force_login(actor.user)
        return client.session
    session = client.session
    session[VISITOR] = actor.visitor
    session.save()
    return session


def disable(actor: Actor) -> None:
    assert actor.user
    User.objects.filter(pk=actor.user.pk).update(is_active=False)


@pytest.fixture
async def slow_answers(monkeypatch):
    """Let answers last as long as the test; stop them at its end."""
    monkeypatch.setattr(provider, "words_per_second", 1)
    await in_database(make_agent)
    yield
    await supervisor.interrupt_all()
    await client.close()
    await close_connections()


async def refused(line: InProcessSocket, own: Scene, sent: dict[str, Any]) -> str:
    """Send a frame; return what happened, but an empty text if it was refused as it should be."""
    line.say(**sent)
    shown = await line.shown()
    kinds = [each.get("code") or each["type"] for each in shown]
    if SECRET in json.dumps(shown):
        return "shown"
    followed = {viewer.conversation for viewer in viewers}
    if not followed <= {None, own.done.pk}:
        return "followed"
    return "" if kinds in (["not_found"], ["reload"], ["notice"]) else str(kinds)


@pytest.fixture
async def looking(slow_answers):
    """Return a function that opens a person's socket; it returns own and foreign scenes, too."""
    lines = []

    async def looking(who):
        actor = await in_database(person, who)
        own = await in_database(make_scene, actor, "my own")
        scenes = await in_database(make_scenes, actor)
        line = InProcessSocket(await in_database(session_of, who, actor))
        if who == "disabled":
            await in_database(disable, actor)
        lines.append((line, line.run()))
        assert (await line.sent.get())["type"] == "websocket.accept"
        return line, own, scenes

    yield looking
    for line, task in lines:
        line.leave()
        await asyncio.wait([task], timeout=PATIENCE)


@pytest.mark.parametrize("who", ["nobody", "disabled"])
async def test_whoever_may_not_chat_is_signed_out(looking, who):
    line, _, _ = await looking(who)

    assert await line.shown() == [{"type": "websocket.close", "code": 4401}]


@pytest.mark.parametrize("has_subscribed", [False, True], ids=["at once", "while it looks on"])
@pytest.mark.parametrize("who", ["visitor", "user", "staff"])
async def test_ids_of_another_conversation_open_nothing(looking, who, has_subscribed):
    line, own, scenes = await looking(who)
    for scene in (FOREIGN, OTHER):
        supervisor.start(scenes[scene].open)
    if has_subscribed:
        line.say(type="subscribe", conversation=str(own.done.pk), generation=None)
    assert await line.shown() == []
    before = await in_database(stored, scenes)

    wrong = {}
    for verb, named in cases():
        if found := await refused(line, own, frame(verb, named, {"own": own, **scenes})):
            wrong[verb, *named.values()] = found
    for conversation in chain(*(scene.conversations for scene in scenes.values())):
        viewers.show(conversation.pk, {"type": "event", "text": SECRET})

    assert wrong == {}
    assert await line.shown() == []
    assert await in_database(stored, scenes) == before


async def test_the_same_commands_with_ones_own_ids_are_obeyed(looking):
    """This shows that the commands above fail only for their foreign ids."""
    line, own, _ = await looking("user")

    for verb, model in verbs():
        named = {"conversation": "own"} if "conversation" in model.model_fields else {}
        named |= {field: f"own:{IDS[field][0]}" for field in model.model_fields if field in IDS}
        named |= {"text": "Hello"} if "text" in model.model_fields else {}
        line.say(**frame(verb, named, {"own": own}))
        codes = [each.get("code") for each in await line.shown()]
        assert "not_found" not in codes, verb
