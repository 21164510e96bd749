"""Read one message in OpenAI's chat format.

What the format allows and a transcript does not is replaced by a visible marker or left out, and
counted in `adapted`; what cannot be understood is an error. Nothing is dropped silently.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any

from history.core.messages import Message, Role, ToolCall
from history.core.wording import number, printable

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
        "assistant": frozenset({"role", "content", "refusal", "tool_calls", "function_call"}),
        "tool": frozenset({"role", "content", "tool_call_id", "name"}),
        "function": frozenset({"role", "content", "name"}),
    }
)
PLAIN_FIELDS = frozenset({"role", "content"})
TEXTS = ("text", "refusal")
REFUSAL = "a refusal is sent as text"
MARKERS: Mapping[str, str] = MappingProxyType(
    {"image_url": "[image]", "input_audio": "[audio]", "file": "[file]"}
)
PARTS = ", ".join([*TEXTS, *MARKERS])
TEXT_OR_PARTS = 'must be text, or a list of parts such as {"type": "text", "text": "..."}'


class FormatError(ValueError):
    """The input cannot be read. The text says where, what is wrong, and the way out."""


@dataclass(frozen=True, slots=True)
class Counters:
    """Token counters: for a role with its text and calls, and for a call's name and arguments."""

    message: Callable[[str, str, Sequence[ToolCall]], int]
    call: Callable[[str, str], int]


class Adapted:
    """What was changed on import: how often, and where first."""

    def __init__(self) -> None:
        self._found: dict[str, tuple[int, str]] = {}

    def add(self, what: str, at: str) -> None:
        times, first = self._found.get(what, (0, at))
        self._found[what] = (times + 1, first)

    def leave_out(
        self, given: Mapping[str, Any], known: Iterable[str], whose: str, at: str
    ) -> None:
        """Record a part that is left out; an empty one needs no mention."""
        for field in given.keys() - set(known):
            if given[field] not in (None, "", [], {}):
                self.add(f"{printable(field)} of {whose} is left out", at)

    def sentences(self) -> tuple[str, ...]:
        return tuple(
            f"{what}: {f'{number(times)} times, first at' if times > 1 else 'at'} {first}"
            for what, (times, first) in sorted(self._found.items())
        )


class MessageReader:
    """Read messages in order: a `function` message answers the `function_call` before it."""

    def __init__(self, count: Counters, adapted: Adapted) -> None:
        self.count = count
        self.adapted = adapted
        self.asked: ToolCall | None = None  # A function_call that may still be answered.

    def read(self, index: int, given: object) -> Message:
        """Read one message. Its index is its position; the caller sets turns. Raise
        `FormatError`.
        """
        at = f"messages[{index}]"
        message = mapping(given, at)
        name = _role(message, at)
        role = ROLES[name]
        if name == "developer":
            self.adapted.add("a developer message is sent as a system message", at)
        self.adapted.leave_out(message, FIELDS.get(name, PLAIN_FIELDS), f"{name} messages", at)
        text = self._text(message, at)
        if role is Role.TOOL:
            return self._result(index, message, text)
        self.asked = None
        calls = self._calls(message, index, at) if role is Role.ASSISTANT else ()
        return Message(index, role, text, calls, tokens=self.count.message(role, text, calls))

    def _result(self, index: int, message: Mapping[str, Any], text: str) -> Message:
        """Read a tool result. An id of None pairs with nothing, so the projection repairs it."""
        at = f"messages[{index}]"
        return Message(
            position=index,
            role=Role.TOOL,
            text=text,
            tool_call_id=self._answered(message, at),
            tool_name=text_in(message, "name", at) if message.get("name") else None,
            tokens=self.count.message(Role.TOOL, text, ()),
        )

    def _text(self, message: Mapping[str, Any], at: str) -> str:
        is_assistant = message["role"] == "assistant"
        content = message.get("content")
        text = "" if content is None and is_assistant else self._content(content, f"{at}.content")
        refusal = message.get("refusal") if is_assistant else None
        if not refusal:
            return text
        self.adapted.add(REFUSAL, at)
        return "\n".join(filter(None, [text, text_in(message, "refusal", at)]))

    def _content(self, given: object, at: str) -> str:
        if isinstance(given, str):
            return given
        if not isinstance(given, list):
            raise FormatError(f"{at}: {TEXT_OR_PARTS}")
        return "\n".join(self._part(part, f"{at}[{n}]") for n, part in enumerate(given))

    def _part(self, given: object, at: str) -> str:
        part = mapping(given, at)
        kind = part.get("type")
        if not isinstance(kind, str) or kind not in (*TEXTS, *MARKERS):
            raise FormatError(f"{at}.type: {shown(kind)} is no part that is known; known: {PARTS}")
        if kind in TEXTS:
            self.adapted.leave_out(part, ("type", kind), f"{kind} parts", at)
            if kind == "refusal":
                self.adapted.add(REFUSAL, at)
            return text_in(part, kind, at)
        self.adapted.add(f"{MARKERS[kind]} stands for a part that cannot be sent", at)
        return MARKERS[kind]

    def _calls(self, message: Mapping[str, Any], index: int, at: str) -> tuple[ToolCall, ...]:
        given = message.get("tool_calls") or []
        if not isinstance(given, list):
            raise FormatError(f"{at}.tool_calls: must be a list")
        calls = [self._call(call, f"{at}.tool_calls[{n}]") for n, call in enumerate(given)]
        if function := message.get("function_call"):
            self.adapted.add("a function_call is sent as a tool call", at)
            self.asked = self._made(f"function_call_{index}", function, f"{at}.function_call")
            calls.append(self.asked)
        return tuple(calls)

    def _call(self, given: object, at: str) -> ToolCall:
        call = mapping(given, at)
        if (kind := call.get("type", "function")) != "function":
            raise FormatError(f'{at}.type: {shown(kind)} cannot be sent; give "function"')
        self.adapted.leave_out(call, ("id", "type", "function"), "tool calls", at)
        id_ = text_in(call, "id", at, missing="")
        return self._made(id_, call.get("function"), f"{at}.function")

    def _made(self, id_: str, given: object, at: str) -> ToolCall:
        function = mapping(given, at)
        name = text_in(function, "name", at, missing="")
        if function.get("arguments") is None:
            self.adapted.add("a call without arguments is sent with {}", at)
        arguments = text_in(function, "arguments", at, missing="{}")
        return ToolCall(id_, name, arguments, self.count.call(name, arguments))

    def _answered(self, message: Mapping[str, Any], at: str) -> str | None:
        if message["role"] == "tool":
            known = message.get("tool_call_id") is not None
            return text_in(message, "tool_call_id", at) if known else None
        self.adapted.add("a function message is sent as a tool message", at)
        name = text_in(message, "name", at)
        return self.asked.id if self.asked and self.asked.name == name else None


def mapping(given: object, at: str) -> Mapping[str, Any]:
    if not isinstance(given, Mapping):
        raise FormatError(f"{at}: must be an object")
    return given


def text_in(given: Mapping[str, Any], field: str, at: str, missing: str | None = None) -> str:
    """Read a text. `missing` replaces one that is absent or null; None means it is required."""
    text = given.get(field)
    if text is None and missing is not None:
        return missing
    if not isinstance(text, str):
        raise FormatError(f"{at}.{field}: must be text")
    return text


def shown(value: object) -> str:
    return "nothing" if value is None else printable(str(value))


def _role(message: Mapping[str, Any], at: str) -> str:
    role = message.get("role")
    if not isinstance(role, str) or role not in ROLES:
        raise FormatError(f"{at}.role: {shown(role)} is no role; there are {', '.join(ROLES)}")
    return role
