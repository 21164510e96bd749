"""Read a conversation in OpenAI's chat format: first its prompt, then its transcript."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from history.core.formats.openai_message import MessageReader
from history.core.formats.reading import (
    APPROXIMATE,
    Adaptations,
    Counters,
    FormatError,
    mapping,
    text_in,
)
from history.core.plan.injected import SYSTEM_PROMPT, Injected
from history.core.transcript.messages import Message, Role

KNOWN = ("messages", "model", "tools")
NEITHER = 'must be a list of messages, or an object with "messages"'


@dataclass(frozen=True, slots=True)
class ImportedTranscript:
    """A conversation that was read. `prompt` is the leading system message, which the transcript
    does not contain; `injected` has the prompt in the form that a request needs.

    `offset` is the difference between a message's index in the file and its position: 1 after a
    leading prompt, even an empty one. `adapted` says in sentences what was changed while reading.
    `parts` has images and files word for word, by the digests of their parts.
    """

    messages: tuple[Message, ...]
    prompt: str = ""
    model: str = ""
    tools: tuple[Mapping[str, Any], ...] = ()
    adapted: tuple[str, ...] = ()
    offset: int = 0
    parts: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    injected: tuple[Injected, ...] = ()


def read_transcript(data: object, count: Counters = APPROXIMATE) -> ImportedTranscript:
    """Read a list of messages, or the body of a request. Raise `FormatError` if that fails.

    Tokens are estimated from the lengths of texts, unless `count` has other counters, as
    `counters_of` makes them from a tokenizer's function.
    """
    body = data if isinstance(data, Mapping) else {"messages": data}
    if not isinstance(values := body.get("messages"), list):
        raise FormatError(NEITHER)
    adapted = Adaptations()
    adapted.leave_out(body, KNOWN, "the request", "its top level")
    reader = MessageReader(count, adapted)
    messages = [reader.read(index, message) for index, message in enumerate(values)]
    ahead = [message for message in messages[:1] if _is_prompt(message)]
    prompt = "".join(message.text for message in ahead)
    if ahead and not prompt:
        adapted.add("an empty system message is no prompt, and is left out", "messages[0]")
    return ImportedTranscript(
        messages=_numbered(messages[len(ahead) :]),
        prompt=prompt,
        model=text_in(body, "model", "request") if body.get("model") else "",
        tools=_tools(body.get("tools") or []),
        adapted=adapted.sentences(),
        offset=len(ahead),
        parts=reader.contents.parts,
        injected=tuple(_prompt(message) for message in ahead if message.text),
    )


def _prompt(message: Message) -> Injected:
    return Injected(SYSTEM_PROMPT, Role.SYSTEM, message.text, message.tokens)


def _is_prompt(first: Message) -> bool:
    """Return whether this message is the prompt. A blank system message, or one with parts, is not:
    it stays in the transcript, so that nothing is lost.
    """
    says = first.has_text or not first.text
    return first.role is Role.SYSTEM and says and not first.parts


def _numbered(messages: Iterable[Message]) -> tuple[Message, ...]:
    """Give messages positions and turns; those before the first user message are in turn 0."""
    turn, numbered = 0, []
    for position, message in enumerate(messages):
        turn += message.role is Role.USER
        numbered.append(replace(message, position=position, turn=turn))
    return tuple(numbered)


def _tools(value: object) -> tuple[Mapping[str, Any], ...]:
    if not isinstance(value, list):
        raise FormatError("tools: must be a list")
    return tuple(_tool(tool, f"tools[{n}]") for n, tool in enumerate(value))


def _tool(value: object, at: str) -> Mapping[str, Any]:
    """Check only the fields of a tool that are counted; the provider judges the others."""
    tool = mapping(value, at)
    function = mapping(tool.get("function"), f"{at}.function")
    text_in(function, "name", f"{at}.function")
    _described(function, f"{at}.function")
    inside = f"{at}.function.parameters"
    parameters = mapping(function.get("parameters", {}), inside)
    properties = mapping(parameters.get("properties", {}), f"{inside}.properties")
    for name, spec in properties.items():
        here = f"{inside}.properties.{name}"
        _described(mapping(spec, here), here)
        if not isinstance(spec.get("enum", []), list):
            raise FormatError(f"{here}.enum: must be a list")
    return tool


def _described(schema: Mapping[str, Any], at: str) -> None:
    if "description" in schema:
        text_in(schema, "description", at)
