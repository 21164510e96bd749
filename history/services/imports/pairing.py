"""Pair tool calls of other programs with their results, as a transcript has them. Pure functions.

A pair is known only by its id, so each call gets an id that is new in its chat. A result without a
call gets one without arguments: otherwise nobody would see the result, and every provider would
reject it.
"""

import re
from collections.abc import Iterable, Iterator
from dataclasses import replace

from history.core.transcript.messages import Role, ToolCall
from history.core.words.json_text import as_object
from history.services.imports.chats import ImportedMessage
from history.services.path.appending import LONGEST_ID

UNFIT = re.compile(r"[^A-Za-z0-9_-]+")  # Characters that a tool's name may not have.
LONGEST_NAME = 64


class Pairs:
    """Pairs the calls and results of one chat, one line of messages after another."""

    def __init__(self) -> None:
        self._taken: set[str] = set()
        self._open: dict[str, ToolCall] = {}  # Calls without a result, by their ids in the file.

    def paired(self, messages: Iterable[ImportedMessage]) -> Iterator[ImportedMessage]:
        """Yield the messages of a line; each call and its result have a new id in common."""
        self._open = {}
        for message in messages:
            if message.role is Role.TOOL:
                yield from self._result(message)
                continue
            self._open = {}
            yield self._asked(message) if message.calls else message

    def _asked(self, message: ImportedMessage) -> ImportedMessage:
        for call in message.calls:
            self._open.setdefault(call.id, self._fit(call))
        return replace(message, calls=tuple(self._open.values()))

    def _result(self, message: ImportedMessage) -> Iterator[ImportedMessage]:
        call_id = message.call_id or next(iter(self._open), "")
        call = self._open.pop(call_id, None)
        if call is None:
            call = self._fit(ToolCall(message.call_id, message.tool_name or "tool", "{}"))
            yield replace(
                message, id=f"{message.id}~", role=Role.ASSISTANT, text="", calls=(call,), parts=()
            )
        yield replace(message, call_id=call.id, tool_name=message.tool_name or call.name)

    def _fit(self, call: ToolCall) -> ToolCall:
        id_, number = call.id, len(self._taken)
        while not id_ or id_ in self._taken or len(id_) > LONGEST_ID:
            id_, number = f"imported_{number}", number + 1
        self._taken.add(id_)
        fields = call.fields if id_ == call.id or not call.id else {**call.fields, "id": call.id}
        name = UNFIT.sub("_", call.name)[:LONGEST_NAME] or "tool"
        arguments = as_object(call.arguments)
        return replace(call, id=id_, name=name, arguments=arguments, fields=fields)
