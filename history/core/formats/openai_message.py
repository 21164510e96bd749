"""Read one message in OpenAI's chat format.

Content that this format allows but a transcript does not is left out or converted, and counted in
`adapted`. Content that cannot be understood is an error. Nothing is dropped silently.
"""

from collections.abc import Mapping
from dataclasses import replace
from types import MappingProxyType
from typing import Any

from history.core.formats.openai_content import REFUSAL, Content, ContentReader
from history.core.formats.reading import (
    Adaptations,
    Counters,
    FormatError,
    mapping,
    printable_value,
    text_in,
)
from history.core.transcript.messages import Message, Role, ToolCall
from history.core.transcript.parts import Part, Reasoning, ReasoningForm, attached_tokens

ROLES: Mapping[str, Role] = MappingProxyType(
    {
        "system": Role.SYSTEM,
        "developer": Role.SYSTEM,
        "user": Role.USER,
        "assistant": Role.ASSISTANT,
        "tool": Role.TOOL,
        "function": Role.TOOL,
    }
)
FIELDS: Mapping[str, frozenset[str]] = MappingProxyType(
    {
        "assistant": frozenset(
            {"role", "content", "refusal", "tool_calls", "function_call", "reasoning_content"}
        ),
        "tool": frozenset({"role", "content", "tool_call_id", "name"}),
        "function": frozenset({"role", "content", "name"}),
    }
)
PLAIN_FIELDS = frozenset({"role", "content"})


class MessageReader:
    """Reads messages in order. A `function` message answers the `function_call` before it."""

    def __init__(self, count: Counters, adapted: Adaptations) -> None:
        self.count = count
        self.adapted = adapted
        self.contents = ContentReader(count, adapted)
        self.asked: ToolCall | None = None  # A function_call without an answer yet.

    def read(self, index: int, value: object) -> Message:
        """Read one message. Its index becomes its position; the caller sets its turn. Raise
        `FormatError` if it cannot be read.
        """
        at = f"messages[{index}]"
        message = mapping(value, at)
        name = _role(message, at)
        role = ROLES[name]
        if name == "developer":
            self.adapted.add("a developer message is sent as a system message", at)
        self.adapted.leave_out(message, FIELDS.get(name, PLAIN_FIELDS), f"{name} messages", at)
        content = self._content(message, at)
        if role is Role.TOOL:
            return self._result(index, message, content)
        self.asked = None
        calls = self._calls(message, index, at) if role is Role.ASSISTANT else ()
        parts = (*self._reasoning(message, at), *content.parts)
        text = content.text or ""
        tokens = self.count.message(role, text, calls) + attached_tokens(parts)
        return Message(index, role, text, calls, tokens=tokens, parts=parts)

    def _result(self, index: int, message: Mapping[str, Any], content: Content) -> Message:
        """Read a tool result. A result whose id is None belongs to no call, so the projection
        leaves it out.
        """
        at = f"messages[{index}]"
        text, parts = content.text or "", tuple(content.parts)
        return Message(
            position=index,
            role=Role.TOOL,
            text=text,
            tool_call_id=self._answered(message, at),
            tool_name=text_in(message, "name", at) if message.get("name") else None,
            tokens=self.count.message(Role.TOOL, text, ()) + attached_tokens(parts),
            parts=parts,
        )

    def _content(self, message: Mapping[str, Any], at: str) -> Content:
        is_assistant = message["role"] == "assistant"
        value = message.get("content")
        is_silent = value is None and is_assistant
        content = Content() if is_silent else self.contents.read(value, f"{at}.content")
        if is_assistant and message.get("refusal"):
            self.adapted.add(REFUSAL, at)
            content.text = content.text or None  # An empty text must not add a blank line.
            content.add_text(text_in(message, "refusal", at))
        return content

    def _reasoning(self, message: Mapping[str, Any], at: str) -> tuple[Part, ...]:
        """Read the field `reasoning_content`, which DeepSeek and others add to an answer."""
        if message["role"] != "assistant" or not message.get("reasoning_content"):
            return ()
        text = text_in(message, "reasoning_content", at)
        return (Reasoning(ReasoningForm.TEXT, text, tokens=self.count.text(text)),)

    def _calls(self, message: Mapping[str, Any], index: int, at: str) -> tuple[ToolCall, ...]:
        values = message.get("tool_calls") or []
        if not isinstance(values, list):
            raise FormatError(f"{at}.tool_calls: must be a list")
        calls = [self._call(call, f"{at}.tool_calls[{n}]") for n, call in enumerate(values)]
        if function := message.get("function_call"):
            self.adapted.add("a function_call is sent as a tool call", at)
            self.asked = self._made(f"function_call_{index}", function, f"{at}.function_call")
            calls.append(self.asked)
        return tuple(calls)

    def _call(self, value: object, at: str) -> ToolCall:
        call = mapping(value, at)
        if (kind := call.get("type", "function")) != "function":
            raise FormatError(f'{at}.type: {printable_value(kind)} cannot be sent; give "function"')
        id_ = text_in(call, "id", at, missing="")
        tool_call = self._made(id_, call.get("function"), f"{at}.function")
        own = {name: call[name] for name in call if name not in ("id", "type", "function")}
        return replace(tool_call, fields=own)

    def _made(self, id_: str, value: object, at: str) -> ToolCall:
        function = mapping(value, at)
        name = text_in(function, "name", at, missing="")
        if function.get("arguments") is None:
            self.adapted.add("a call without arguments is sent with {}", at)
        arguments = text_in(function, "arguments", at, missing="{}")
        return ToolCall(id_, name, arguments, self.count.call(name, arguments))

    def _answered(self, message: Mapping[str, Any], at: str) -> str | None:
        if message["role"] == "tool":
            has_id = message.get("tool_call_id") is not None
            return text_in(message, "tool_call_id", at) if has_id else None
        self.adapted.add("a function message is sent as a tool message", at)
        name = text_in(message, "name", at)
        return self.asked.id if self.asked and self.asked.name == name else None


def _role(message: Mapping[str, Any], at: str) -> str:
    role = message.get("role")
    if not isinstance(role, str) or role not in ROLES:
        raise FormatError(
            f"{at}.role: {printable_value(role)} is no role; there are {', '.join(ROLES)}"
        )
    return role
