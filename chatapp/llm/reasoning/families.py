"""Bring earlier reasoning into the form in which each provider takes it back.

A planned message has `reasoning`, and its calls have the provider's `fields`. Here they become what
litellm takes for the model's family; a family that is not in the table gets no reasoning. What one
family thought is never given to another: its signature means nothing there.

docs/reasoning.md tells what each of them wants.
"""

import hashlib
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, NamedTuple, TypeAlias

from chatapp.llm.images import after_results
from chatapp.llm.providers.naming import provider_model
from chatapp.llm.providers.responses import API_PREFIX, OFFERED_BY, asked_name
from chatapp.llm.reasoning.binding import bound_to
from chatapp.llm.reasoning.claude import with_blocks
from chatapp.llm.reasoning.deltas import (
    FIELD,
    NAMES,
    SEALED_ITEM,
    SIGNATURE,
    SIGNATURES,
    TAG,
    TEXTS,
)
from chatapp.llm.reasoning.openai import parted, with_items
from history.core.transcript.messages import Role
from history.core.transcript.parts import SEALED, Reasoning, part_from_dict
from history.core.transcript.reasoning import loop_start
from history.core.transcript.reasoning_accepted import ReasoningAccepted

Message: TypeAlias = dict[str, Any]
Thoughts: TypeAlias = Sequence[Reasoning]
Shape: TypeAlias = Callable[[Message, Thoughts], Message]

CLAUDE, GEMINI, DEEPSEEK, OLLAMA = "anthropic", "gemini", "deepseek", "ollama_chat"
RESPONSES = "openai_responses"  # OpenAI's models, asked through its Responses API.
SOLD_ON = frozenset({"azure_ai", "bedrock", "vertex_ai"})  # They offer models of several makers.
PICTURES_IN_RESULTS = frozenset({CLAUDE, GEMINI})
LONGEST_ID = 40  # The longest id of a call that every provider takes.
NO_REASONING = " "  # DeepSeek requires reasoning with all calls of a turn, even others'.


def family_of(model: str) -> str:
    """Return the family whose form of reasoning the model takes: its provider, or its maker."""
    return family_called(asked_name(model))


def family_called(name: str) -> str:
    """Return the family of the model that litellm knows under this name."""
    provider, slash, rest = name.partition("/")
    if provider in OFFERED_BY and rest.startswith(API_PREFIX):
        return RESPONSES
    provider = provider if slash else getattr(provider_model(name), "provider", "")
    if provider in SOLD_ON:
        return CLAUDE if "claude" in name else GEMINI if "gemini" in name else provider
    return {"ollama": OLLAMA, "vertex_ai_beta": GEMINI}.get(provider, provider)


def taking_of(model: str, effort: str | None) -> ReasoningAccepted:
    """Return what earlier reasoning the model accepts if it is to think with this effort.

    Claude accepts reasoning only while it thinks; and for every Claude, whoever sells it, it
    matters how a tool loop began. Newer ones accept only what they wrote after the same request.
    """
    return _taking_called(asked_name(model), effort)


def _taking_called(name: str, effort: str | None) -> ReasoningAccepted:
    family = family_called(name)
    taker = TAKERS.get(family)
    return ReasoningAccepted(
        family if taker else "",
        taker.fields if taker else (),
        thinks=bool(effort) and effort != "none",
        only_thinking=family == CLAUDE,
        minds_loop=family == CLAUDE or "claude" in name,
        bound_to=bound_to(name) if taker else "",
        needs_sequel=family == RESPONSES,
    )


@dataclass(frozen=True, slots=True)
class FamilyRequest:
    """A request in the form that the model's family takes. `thinks`: the model may think in it."""

    messages: list[Message]
    thinks: bool


def adapted(name: str, messages: Sequence[Message], effort: str | None) -> FamilyRequest:
    """Return the request in the form for the model that litellm knows under this name."""
    family, taking = family_called(name), _taking_called(name, effort)
    if taking.minds_loop:
        taking = replace(taking, foreign_loop=not _loop_is_own(messages, taking))
    ids = _ids(messages, family)
    sent_messages = [_said(message, ids, family, taking) for message in messages]
    if family == DEEPSEEK:
        _fill(sent_messages)
    if family == RESPONSES:
        sent_messages = [part for message in sent_messages for part in parted(message)]
    if family not in PICTURES_IN_RESULTS:
        sent_messages = list(after_results(sent_messages))
    return FamilyRequest(sent_messages, taking.thinks and not taking.foreign_loop)


def _said(
    message: Message, ids: Mapping[str, str], family: str, taking: ReasoningAccepted
) -> Message:
    fields = {name: value for name, value in message.items() if name != "reasoning"}
    if calls := message.get("tool_calls"):
        fields["tool_calls"] = [_call(call, ids, family) for call in calls]
    if "tool_call_id" in message:
        fields["tool_call_id"] = ids.get(message["tool_call_id"], message["tool_call_id"])
    own = _taken(message, taking)
    return TAKERS[family].shape(fields, own) if own else fields


def _taken(message: Message, taking: ReasoningAccepted) -> Thoughts:
    """Return the accepted parts of a message's reasoning: all, if a plan chose what is sent."""
    parts = message.get("reasoning", ())
    thoughts = [part for part in map(part_from_dict, parts) if isinstance(part, Reasoning)]
    return [thought for thought in thoughts if not taking.refusal(thought, thoughts)]


def _call(call: Mapping[str, Any], ids: Mapping[str, str], family: str) -> dict[str, Any]:
    fields = {name: value for name, value in call.items() if name != "fields"}
    signature = call.get("fields", {}).get(SIGNATURE) if family == GEMINI else None
    signed = {"provider_specific_fields": {SIGNATURE: signature}} if signature else {}
    return {**fields, "id": ids.get(call["id"], call["id"]), **signed}


def _ids(messages: Sequence[Message], family: str) -> dict[str, str]:
    """Map our ids of calls to those to send in their place: for Gemini, the ids that it gave; for
    other families, short ones where ours don't fit.
    """
    calls = [call for message in messages for call in message.get("tool_calls") or ()]
    if family == GEMINI:
        own = {call["id"]: call.get("fields", {}).get("id") for call in calls}
        return {ours: theirs for ours, theirs in own.items() if theirs and isinstance(theirs, str)}
    return {c["id"]: _short(c["id"]) for c in calls if not _fits(c["id"], family)}


def _fits(id_: str, family: str) -> bool:
    """Return whether the family takes the id. Only Claude restricts the characters of ids."""
    minds = family == CLAUDE and not re.fullmatch(r"[A-Za-z0-9_-]+", id_)
    return len(id_) <= LONGEST_ID and not minds


def _short(id_: str) -> str:
    return f"call_{hashlib.sha256(id_.encode()).hexdigest()[:32]}"


def _loop_is_own(messages: Sequence[Message], taking: ReasoningAccepted) -> bool:
    """Return whether Claude may think: a tool loop must begin with reasoning of its own.

    A loop does not begin with it after a hand-over by another model, or if thinking was off until
    now.
    """
    start = loop_start(Role(message["role"]) for message in messages)
    loop = [message for message in messages[start:] if message["role"] == Role.ASSISTANT]
    return not loop or any(thought.form in SEALED for thought in _taken(loop[0], taking))


def _loop(messages: Sequence[Message]) -> Iterator[Message]:
    """Yield the assistant's messages since a person spoke last."""
    users = [place for place, message in enumerate(messages) if message["role"] == "user"]
    for message in messages[users[-1] if users else 0 :]:
        if message["role"] == "assistant":
            yield message


def _fill(messages: Sequence[Message]) -> None:
    for message in _loop(messages):
        if message.get("tool_calls"):
            message.setdefault("reasoning_content", NO_REASONING)


def _details(message: Message, own: Thoughts) -> Message:
    """Return OpenRouter's details in their order, and reasoning that came without details."""
    details = [_detail(thought) for thought in own if "type" in thought.fields]
    message = _as_named(message, [thought for thought in own if "type" not in thought.fields])
    return {**message, "reasoning_details": details} if details else message


def _detail(thought: Reasoning) -> dict[str, Any]:
    place = TEXTS.get(str(thought.fields["type"]))
    return {**thought.fields, place: thought.text} if place else dict(thought.fields)


def _signatures(message: Message, own: Thoughts) -> Message:
    """Return Gemini's signature of its text. Calls bring their own; summaries are not taken."""
    values = [thought.fields[SIGNATURES] for thought in own]
    signatures = [each for some in values if isinstance(some, list) for each in some]
    return {**message, "provider_specific_fields": {SIGNATURES: signatures}}


def _as_named(message: Message, own: Thoughts) -> Message:
    """Return plain reasoning in the field that it came in, or in its tags."""
    for thought in own:
        if tag := thought.fields.get(TAG):
            message["content"] = f"<{tag}>{thought.text}</{tag}>{message.get('content') or ''}"
        elif (name := thought.fields.get(FIELD)) in NAMES:
            message[name] = message.get(name, "") + thought.text
    return message


def _as_content(message: Message, own: Thoughts) -> Message:
    """Return reasoning under DeepSeek's own name, whatever a server of its protocol calls it."""
    fields = _as_named(message, own)
    thought = fields.pop("reasoning", "") + fields.get("reasoning_content", "")
    return {**fields, "reasoning_content": thought} if thought else fields


class Taker(NamedTuple):
    """How a family takes reasoning back: the function that shapes a message, and the fields of
    which a part needs at least one to be sent.
    """

    shape: Shape
    fields: tuple[str, ...]


NAMED = Taker(_as_named, (FIELD, TAG))
TAKERS: Mapping[str, Taker] = {
    CLAUDE: Taker(with_blocks, ("signature", "data")),
    RESPONSES: Taker(with_items, (SEALED_ITEM,)),
    GEMINI: Taker(_signatures, (SIGNATURES,)),
    "openrouter": Taker(_details, ("type", FIELD, TAG)),
    DEEPSEEK: Taker(_as_content, (FIELD, TAG)),
    **dict.fromkeys(("demo", OLLAMA, "openai", "hosted_vllm"), NAMED),
    **dict.fromkeys(("openai_like", "custom_openai", "lm_studio", "llamafile"), NAMED),
}
