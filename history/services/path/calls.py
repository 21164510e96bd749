"""A model's tool calls, made fit to be stored: their ids hold for the whole conversation."""

import json
from collections.abc import Sequence
from dataclasses import replace
from uuid import UUID

from history.core.json_text import read_json
from history.core.messages import ToolCall
from history.models import Message

LONGEST_ID = 200  # SQLite would take more, PostgreSQL does not.


def storable_calls(
    conversation_id: UUID, calls: Sequence[ToolCall], prefix: str
) -> tuple[ToolCall, ...]:
    """Calls with ids new to the conversation and not too long, and readable arguments.

    Some providers number their calls anew in every answer; a pair is told by its id alone. What is
    no JSON object is kept inside one, word for word: a provider would refuse the transcript else.
    """
    ids = [call.id for call in calls]
    taken = Message.objects.filter(conversation_id=conversation_id, tool_call_id__in=ids)
    seen = set(taken.values_list("tool_call_id", flat=True))
    return tuple(
        replace(
            call,
            id=f"{prefix}_{number}" if call.id in seen or len(call.id) > LONGEST_ID else call.id,
            arguments=_readable(call.arguments),
        )
        for number, call in enumerate(calls)
    )


def _readable(arguments: str) -> str:
    try:
        if isinstance(read_json(arguments or "{}"), dict):
            return arguments or "{}"
    except ValueError:
        pass
    return json.dumps({"unreadable": arguments})
