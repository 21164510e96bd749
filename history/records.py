"""Stored rows as plain values, in the shapes that `history.schemas` defines."""

from collections.abc import Container, Sequence
from typing import Any

from history.core.settings.caps import NO_CAPS, Caps
from history.core.settings.resolved import Settings
from history.core.settings.table import BY_NAME
from history.core.transcript.parts import Reasoning
from history.models import Checkpoint, ContextPlan, Conversation, Message
from history.services.explain.filtered_calls import removed_calls
from history.services.explain.headline import headline
from history.services.explain.raw.wire import ShownWire
from history.services.search.results.found import FoundChat
from history.services.wire.delivery import delivery_of, failed_request
from history.wording.plans import worded_plan
from history.wording.settings import reason_of
from history.wording.summaries import no_summary


def plan_record(plan: ContextPlan, wires: Sequence[ShownWire] | None = None) -> dict[str, Any]:
    """Return a plan's record, which is the same in the API, the command line and exports.

    `wires` are the plan's wires, as far as the reader may see them; None leaves them out.
    """
    outcome = getattr(plan, "outcome", None)
    return {
        "conversation": plan.generation.conversation_id,
        "generation": plan.generation_id,
        "turn": plan.generation.turn,
        "step": plan.step,
        "head": plan.head,
        "headline": headline(
            plan.core_plan, failed_request(plan), delivery_of(plan), removed_calls(plan)
        ),
        "parameters": plan.parameters,
        "request_hash": plan.request_hash,
        "plan": worded_plan(plan.plan),
        "outcome": outcome.as_dict() if outcome else None,
        "wires": _wires_record(wires),
        "created": plan.created,
    }


def _wires_record(wires: Sequence[ShownWire] | None) -> list[dict[str, Any]] | None:
    return None if wires is None else [wire.as_dict() for wire in wires]


def checkpoint_record(
    row: Checkpoint, applying: Container[int], wires: Sequence[ShownWire] | None = None
) -> dict[str, Any]:
    """Return a checkpoint's record, which says if it applies. `wires` are as in `plan_record`."""
    names = ("id", "state", "first", "last", "summary", "tokens", "source_tokens", "model")
    more = ("manual", "created", "ended")
    return {
        **{name: getattr(row, name) for name in (*names, *more)},
        "reason": no_summary(row.reason),
        "applies": row.pk in applying,
        "folded_into": row.folded_into_id,
        "wires": _wires_record(wires),
    }


def conversation_record(conversation: Conversation) -> dict[str, Any]:
    return {
        "id": conversation.id,
        "title": conversation.title or "New chat",
        "agent": conversation.agent.slug,
        "network": conversation.network.slug if conversation.network else None,
        "model": conversation.model,
        "imported": conversation.imported,
        "branch": conversation.branch_id,
        "pinned": conversation.is_pinned,
        "archived": conversation.archived_at is not None,
        "history_settings": conversation.history_settings,
        "created": conversation.created,
        "active": conversation.active,
    }


def found_record(chat: FoundChat) -> dict[str, Any]:
    """Return the record of a conversation that a search found, with its best matches."""
    texts = [
        {
            "message": text.message.pk,
            "position": text.message.position,
            "branch": text.message.branch_id,
            "is_elsewhere": text.is_elsewhere,
            "role": text.message.role,
            "speaker": text.speaker,
            "created": text.message.created,
            "pieces": list(text.pieces),
        }
        for text in chat.texts
    ]
    return {
        "conversation": chat.conversation.pk,
        "title": chat.conversation.title,
        "archived": chat.conversation.archived_at is not None,
        "count": chat.count,
        "messages": texts,
    }


def message_record(message: Message) -> dict[str, Any]:
    names = (
        "id",
        "position",
        "turn",
        "role",
        "text",
        "tool_calls",
        "tool_call_id",
        "tool_name",
    )
    more = ("failed", "took_ms", "agent", "imported", "withheld", "model", "tokens", "created")
    return {
        **{name: getattr(message, name) for name in (*names, *more)},
        "parts": [_part_record(message, part) for part in message.parts],
        "generation": message.generation_id,
    }


def _part_record(message: Message, part: dict[str, Any]) -> dict[str, Any]:
    """Return the record of a part, without bytes: an image or a file has their address instead."""
    if part["kind"] == Reasoning.kind:
        return part
    return {**part, "address": f"/chat/{message.conversation_id}/media/{part['digest']}"}


def setting_record(name: str, resolved: Settings, caps: Caps = NO_CAPS) -> dict[str, Any]:
    setting = resolved[name]
    cap = caps.on(setting)
    return {
        "name": name,
        "label": BY_NAME[name].label,
        "value": setting.value,
        "source": setting.winner.decider,
        "locked": setting.locked,
        "maximum": {"value": cap.most, "variable": cap.variable} if cap else None,
        "candidates": [
            {**each.as_dict(), "reason": reason_of(each)} for each in setting.candidates
        ],
    }
