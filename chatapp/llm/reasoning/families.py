"""Give each provider the reasoning that it needs back, in the form that it takes.

A planner's message has its `reasoning`, and its calls the provider's `fields`. Here they become
what litellm takes for the model's family; a family that is not in the table gets none of it. What
one family thought is never given to another: its signature means nothing there.

docs/reasoning.md tells what each of them wants.
"""

import hashlib
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

from chatapp.llm.images import after_results
from chatapp.llm.providers.naming import litellm_name, named
from chatapp.llm.reasoning.deltas import ALTERED, FIELD, SIGNATURE, SIGNATURES, TEXTS
from history.core.parts import ReasoningForm

Message: TypeAlias = dict[str, Any]
Thoughts: TypeAlias = Sequence[Mapping[str, Any]]
Shape: TypeAlias = Callable[[Message, Thoughts], Message]

CLAUDE, GEMINI, DEEPSEEK = "anthropic", "gemini", "deepseek"
SOLD_ON = frozenset({"azure_ai", "bedrock", "vertex_ai"})  # They offer models of several makers.
PICTURES_IN_RESULTS = frozenset({CLAUDE, GEMINI})
LONGEST_ID = 40  # Characters of a call's id that every provider takes.
NO_REASONING = " "  # DeepSeek wants some of every call's message, also where another model called.


def family_of(model: str) -> str:
    """Return who takes back what the model thought: its provider, or its maker."""
    name = litellm_name(model)
    provider = name.partition("/")[0] if "/" in name else getattr(named(model), "provider", "")
    if provider in SOLD_ON:
        return CLAUDE if "claude" in name else GEMINI if "gemini" in name else provider
    return {"ollama": "ollama_chat", "vertex_ai_beta": GEMINI}.get(provider, provider)


def reasoning_family(model: str) -> str:
    """Return whose reasoning the model takes back; empty if it takes none."""
    family = family_of(model)
    return family if family in SHAPES else ""


@dataclass(frozen=True, slots=True)
class Adapted:
    """A request as its family takes it. `thinks`: the model may think in it."""

    messages: list[Message]
    thinks: bool


def adapted(model: str, messages: Sequence[Message], effort: str | None) -> Adapted:
    family = family_of(model)
    thinks = bool(effort) and effort != "none"
    if "claude" in model or family == CLAUDE:
        thinks = thinks and _loop_is_signed(messages, family)
    shape = SHAPES.get(family, _nothing) if thinks or family != CLAUDE else _nothing
    ids = _ids(messages, family)
    said = [_said(message, ids, family, shape) for message in messages]
    if family == DEEPSEEK:
        _fill(said)
    if family not in PICTURES_IN_RESULTS:
        said = list(after_results(said))
    return Adapted(said, thinks)


def _said(message: Message, ids: Mapping[str, str], family: str, shape: Shape) -> Message:
    said = {name: value for name, value in message.items() if name != "reasoning"}
    if calls := message.get("tool_calls"):
        said["tool_calls"] = [_call(call, ids, family) for call in calls]
    if "tool_call_id" in message:
        said["tool_call_id"] = ids.get(message["tool_call_id"], message["tool_call_id"])
    own = [thought for thought in message.get("reasoning", ()) if _is_own(thought, family)]
    return shape(said, own) if own else said


def _is_own(thought: Mapping[str, Any], family: str) -> bool:
    return thought.get("family") == family and ALTERED not in thought.get("fields", {})


def _call(call: Mapping[str, Any], ids: Mapping[str, str], family: str) -> dict[str, Any]:
    made = {name: value for name, value in call.items() if name != "fields"}
    signature = call.get("fields", {}).get(SIGNATURE) if family == GEMINI else None
    signed = {"provider_specific_fields": {SIGNATURE: signature}} if signature else {}
    return {**made, "id": ids.get(call["id"], call["id"]), **signed}


def _ids(messages: Sequence[Message], family: str) -> dict[str, str]:
    """Return the ids that the family gets in place of ours: Gemini its own, others short ones."""
    calls = [call for message in messages for call in message.get("tool_calls") or ()]
    if family == GEMINI:
        return {c["id"]: c["fields"]["id"] for c in calls if c.get("fields", {}).get("id")}
    return {c["id"]: _short(c["id"]) for c in calls if not _fits(c["id"], family)}


def _fits(id_: str, family: str) -> bool:
    """Whether the family takes the id. Only Claude minds its characters."""
    minds = family == CLAUDE and not re.fullmatch(r"[A-Za-z0-9_-]+", id_)
    return len(id_) <= LONGEST_ID and not minds


def _short(id_: str) -> str:
    return f"call_{hashlib.sha256(id_.encode()).hexdigest()[:32]}"


def _loop_is_signed(messages: Sequence[Message], family: str) -> bool:
    """Whether Claude may think: a tool loop must begin with what it thought there itself.

    It does not after a hand-over by another model, or if thinking was off until now.
    """
    loop = list(_loop(messages))
    if not loop:
        return True
    own = [thought for thought in loop[0].get("reasoning", ()) if _is_own(thought, family)]
    return any(thought["form"] in SEALED for thought in own)


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


def _nothing(said: Message, _own: Thoughts) -> Message:
    return said


def _blocks(said: Message, own: Thoughts) -> Message:
    """Return Claude's blocks, exactly as it signed them; litellm puts them first."""
    blocks = [_block(thought) for thought in own if thought["form"] in SEALED]
    return {**said, "thinking_blocks": blocks} if blocks else said


def _block(thought: Mapping[str, Any]) -> dict[str, Any]:
    if thought["form"] == ReasoningForm.REDACTED:
        return {"type": "redacted_thinking", **thought["fields"]}
    return {"type": "thinking", "thinking": thought.get("text", ""), **thought["fields"]}


def _details(said: Message, own: Thoughts) -> Message:
    """Return OpenRouter's details, in their order."""
    details = [_detail(thought) for thought in own if "type" in thought.get("fields", {})]
    return {**said, "reasoning_details": details} if details else _as_named(said, own)


def _detail(thought: Mapping[str, Any]) -> dict[str, Any]:
    fields = thought["fields"]
    place = TEXTS.get(fields["type"])
    return {**fields, place: thought.get("text", "")} if place else dict(fields)


def _signatures(said: Message, own: Thoughts) -> Message:
    """Return Gemini's signature of its text. Calls bring their own; summaries are not taken."""
    given = [thought.get("fields", {}).get(SIGNATURES, ()) for thought in own]
    signatures = [signature for several in given for signature in several]
    if not signatures:
        return said
    return {**said, "provider_specific_fields": {SIGNATURES: signatures}}


def _as_named(said: Message, own: Thoughts) -> Message:
    """Return plain reasoning in the field that it came in, or in its tags."""
    for thought in own:
        fields, text = thought.get("fields", {}), thought.get("text", "")
        if tag := fields.get("tag"):
            said["content"] = f"<{tag}>{text}</{tag}>{said.get('content') or ''}"
        elif name := fields.get(FIELD):
            said[name] = said.get(name, "") + text
    return said


SEALED = frozenset({ReasoningForm.SIGNED, ReasoningForm.REDACTED})
SHAPES: Mapping[str, Shape] = {
    CLAUDE: _blocks,
    GEMINI: _signatures,
    "openrouter": _details,
    **dict.fromkeys(("demo", DEEPSEEK, "openai", "ollama_chat", "hosted_vllm"), _as_named),
    **dict.fromkeys(("openai_like", "custom_openai", "lm_studio", "llamafile"), _as_named),
}
