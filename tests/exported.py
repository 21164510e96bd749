"""A chat that contains every kind of thing that an export can contain."""

from typing import Any

from django.contrib.auth.models import User
from django.utils import timezone

from agents.models import AgentTemplate
from history.core.transcript.messages import ToolCall
from history.core.transcript.parts import Reasoning, ReasoningForm
from history.models import (
    ApprovalKind,
    Branch,
    CallStage,
    Checkpoint,
    CheckpointState,
    Conversation,
    Generation,
    GenerationStatus,
    Message,
    MessageMark,
)
from history.services.media.attaching import parts_of
from history.services.path.appending import (
    append,
    assistant_message,
    result_message,
    user_message,
)
from tests.attached import attach_picture
from tests.factories import (
    actor_for,
    add_plan,
    begin_turn,
    branch_of,
    end_turn,
    make_agent,
    make_conversation,
)

THOUGHT = "They want the berth.\nIt is 041.\n</details>"
FENCE = "```python\nprint(41)"
PIECES = ("Look:\n\n```python\nprint(41", ")\nprint(42)\n```\n\nSee also", "this.")
CONTINUED = "Look:\n\n```python\nprint(41)\nprint(42)\n```\n\nSee also this."
RESULT = "Berth 041 ```and``` more"


def make_full_chat(owner: User | None = None, **agent: Any) -> Conversation:
    """Make a chat of two turns with a tool call, reasoning, a picture and a plan. The second turn
    has two branches. The chat also has a pin, a summary, and an answer that failed.
    """
    chat = make_conversation(make_agent(**agent), owner, title="Berths & <tides>: #1")
    _first_turn(chat)
    _two_versions(chat)
    head = chat.messages.get(position=0)
    MessageMark.objects.create(conversation=chat, message=head, kind=MessageMark.Kind.PIN)
    Checkpoint.objects.create(
        conversation=chat,
        branch=head.branch,
        **{"first": 0, "last": 3, "first_turn": 1, "last_turn": 1},
        summary="They asked for the berth.",
        state=CheckpointState.READY,
    )
    return chat


def _first_turn(chat: Conversation) -> None:
    generation = begin_turn(chat, "Which berth?")
    usage = {"prompt": 50, "completion": 5}
    add_plan(generation, usage=usage, cost={"total": "0.25"}, finish_reason="tool_calls")
    call = ToolCall("call_1", "find_berth", '{"of": "Ada"}')
    thinking = Reasoning(
        ReasoningForm.SIGNED, THOUGHT, "anthropic", {"signature": "s=="}, 9, 12_000
    )
    asked = assistant_message("", [call], "demo", [thinking])
    result = result_message(call, RESULT, failed=False, took_ms=1_500)
    append(generation.branch, [asked, result, assistant_message(FENCE, agent="demo")], generation)
    CallStage(generation=generation, call_id="call_1", kind=ApprovalKind.ASKED).save()
    Generation.objects.filter(pk=generation.pk).update(status=GenerationStatus.STOPPED)


def _two_versions(chat: Conversation) -> None:
    """Make two branches of the second turn; only the older one has a picture."""
    branch = branch_of(chat)
    ask_with_picture(chat, "map [old].png")
    chat.branch = Branch.objects.create(conversation=chat, lineage=branch.fork_lineage(3))
    chat.active = timezone.now()
    chat.save()
    failed = begin_turn(chat, "And that?")
    error = {"kind": "provider", "message": "The provider is down."}
    Generation.objects.filter(pk=failed.pk).update(status=GenerationStatus.FAILED, error=error)


def ask_with_picture(chat: Conversation, name: str) -> Message:
    """Add a message with a picture of this name to the open branch."""
    attachment = attach_picture(actor_for(chat), name=name)
    parts = parts_of([attachment])
    (message,) = append(branch_of(chat), [user_message("And this?", parts=parts)])
    attachment.owner, attachment.visitor, attachment.parts = None, "", []
    attachment.conversation, attachment.message = chat, message
    attachment.save()
    return message


def make_continued_chat(
    status: GenerationStatus = GenerationStatus.DONE, agent: AgentTemplate | None = None
) -> Conversation:
    """Make an answer in three pieces. The first stopped within a code block, the second within a
    sentence, and the third ended with the given status.
    """
    chat = make_conversation(agent or make_agent())
    generation = begin_turn(chat, "Which berth?")
    end_turn(generation, PIECES[0])
    Generation.objects.filter(pk=generation.pk).update(status=GenerationStatus.STOPPED)
    add_continuation(chat, PIECES[1], GenerationStatus.STOPPED)
    add_continuation(chat, PIECES[2], status)
    return chat


def add_continuation(
    chat: Conversation,
    text: str = "",
    status: GenerationStatus = GenerationStatus.DONE,
    **fields: Any,
) -> None:
    """Continue the newest answer with another piece."""
    above = chat.generations.latest("created")
    work = chat.generations.create(
        **{"branch": branch_of(chat), "turn": above.turn, "snapshot": above.snapshot, **fields},
        kind=Generation.Kind.CONTINUE,
        status=status,
    )
    append(work.branch, [assistant_message(text)] if text else [], work)
