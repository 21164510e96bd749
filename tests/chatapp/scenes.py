"""Conversations with one thing of every kind that has an id, for requests with foreign ids."""

import json
from dataclasses import dataclass
from typing import Any
from uuid import uuid4

from django.core.serializers import serialize

from agents.models import AgentTemplate
from history.models import (
    ApprovalKind,
    Branch,
    CallStage,
    Checkpoint,
    CheckpointState,
    Conversation,
    Generation,
    GenerationEvent,
    GenerationStatus,
    Message,
    MessageMark,
)
from history.services.access import Actor
from history.services.answers.commands import Send
from history.services.answers.deleting import delete_conversations
from history.services.answers.sending import send
from history.services.media.attaching import remove
from tests.attached import attach_picture, put_file, put_picture
from tests.factories import add_turn, branch_of, make_agent, make_conversation

FOREIGN, OTHER, DELETED = "another person's", "one's own other", "a deleted"
SECRET = "a secret word"


@dataclass(frozen=True)
class Scene:
    """A conversation with an answered turn, another one being answered, and all ids in them."""

    done: Conversation
    open: Generation
    names: dict[str, Any]

    @property
    def conversations(self) -> list[Conversation]:
        return [self.done, self.open.conversation]


def make_scene(actor: Actor, text: str = SECRET) -> Scene:
    chosen = AgentTemplate.objects.filter(slug="demo").first() or make_agent()
    done = make_conversation(chosen, actor.user, actor.visitor)
    record = add_turn(done, f"A question of {text}", f"An answer of {text}")
    call = f"call_{uuid4().hex[:8]}"
    CallStage(generation=record.generation, call_id=call, kind=ApprovalKind.ASKED).save()
    for seq, kind in enumerate(("started", "delta", "end"), 1):
        payload = {"text": text, "html": text}
        GenerationEvent.objects.create(
            generation=record.generation, seq=seq, kind=kind, payload=payload
        )
    branch = branch_of(done)
    summary = Checkpoint.objects.create(
        conversation=done,
        branch=branch,
        first=0,
        last=1,
        first_turn=1,
        last_turn=1,
        summary=text,
        state=CheckpointState.READY,
    )
    sent = Send(text=f"Tell me of {text}", client_msg_id=uuid4(), agent=chosen.slug)
    running = send(actor, sent).generation
    message = branch.messages.get(position=0).pk
    names = {
        "conversation": done.pk,
        "conversation_id": done.pk,
        "generation": record.generation_id,
        "generation_id": record.generation_id,
        "message_id": message,
        "checkpoint": summary.pk,
        "digest": put_picture(done, str(done.pk)),
        "message": put_file(done, text),
        "number": 0,
        "turn": 1,
        "first": 0,
        "last": 0,
        "CONVERSATION": str(done.pk),
        "GENERATION": str(record.generation_id),
        "RUNNING": str(running.pk),
        "MESSAGE": str(message),
        "BRANCH": str(branch.pk),
        "CALL": call,
        "CHECKPOINT": str(summary.pk),
        "ATTACHMENT": str(done.attachments.get().pk),
        "UNSENT": str(attach_picture(actor).pk),
    }
    return Scene(done, running, names)


def make_scenes(actor: Actor) -> dict[str, Scene]:
    """Make the scenes that a request may not name: a stranger's, another chat, a deleted one."""
    made = {
        FOREIGN: make_scene(Actor(visitor=uuid4().hex)),
        OTHER: make_scene(actor),
        DELETED: make_scene(actor),
    }
    delete_conversations([each.pk for each in made[DELETED].conversations])
    remove(actor, made[DELETED].names["UNSENT"])
    return made


def stored(scenes: dict[str, Scene]) -> str:
    """Return all stored rows of the scenes, but no progress of running answers."""
    ids = [each.pk for scene in scenes.values() for each in scene.conversations]
    found = [
        Conversation.objects.filter(pk__in=ids),
        *(
            model.objects.filter(conversation__in=ids).order_by("pk")
            for model in (Branch, Message, MessageMark, Checkpoint)
        ),
        CallStage.objects.filter(generation__conversation__in=ids).order_by("pk"),
    ]
    ended = Generation.objects.filter(conversation__in=ids).order_by("pk")
    statuses = [
        (str(pk), status not in (GenerationStatus.QUEUED, GenerationStatus.RUNNING))
        for pk, status in ended.values_list("pk", "status")
    ]
    return json.dumps([*(serialize("json", rows) for rows in found), statuses])
