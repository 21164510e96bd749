"""Read a model's reasoning from the pieces of its stream, in the shape of each provider.

What a provider needs back is kept verbatim among the fields: a signature, sealed data, the name of
the field that the text came in. `chatapp.llm.reasoning.families` gives it back.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from history.core.transcript.parts import ALTERED, ReasoningForm
from history.core.words.storable import storable, storing_fault

SIGNATURE = "thought_signature"  # litellm's field for Gemini's signature of a call.
SIGNATURES = "thought_signatures"  # litellm's field for Gemini's signatures of a text.
FIELD = "field"  # Names the field in which unsigned text came.
TAG = "tag"  # Names the tag around the text.
SEALED_ITEM = "encrypted_content"  # What only OpenAI can read of a reasoning item.
ITEMS = "reasoning_items"  # litellm's field for OpenAI's reasoning.
ITEM = ("id", "summary", SEALED_ITEM)  # The fields of a reasoning item that are sent back.
NAMES = ("reasoning_content", "reasoning")
TEXTS = {"reasoning.text": "text", "reasoning.summary": "summary"}  # OpenRouter's text fields.


@dataclass(frozen=True, slots=True)
class ReasoningDelta:
    """A piece of what the model thinks. `fields` are the provider's own, kept verbatim."""

    text: str
    form: ReasoningForm = ReasoningForm.TEXT
    fields: Mapping[str, Any] = field(default_factory=dict)


def reasoning_in(delta: Any) -> Iterator[ReasoningDelta]:
    """Yield the reasoning in a piece of the stream, once even if it is under several names."""
    if blocks := getattr(delta, "thinking_blocks", None):
        yield from (_block(block) for block in blocks)
    elif details := getattr(delta, "reasoning_details", None):
        yield from (_detail(detail) for detail in details)
    elif items := getattr(delta, ITEMS, None):
        yield from (_item(item) for item in items)
    else:
        yield from _plain(delta)
    yield from _signatures(delta)


def _block(block: Mapping[str, Any]) -> ReasoningDelta:
    """Read one of Claude's blocks; its signature comes last, by itself."""
    if block["type"] == "redacted_thinking":
        return _sealed({"data": block.get("data", "")})
    signature = block.get("signature")
    return _delta(block.get("thinking") or "", {"signature": signature} if signature else {})


def _detail(detail: Mapping[str, Any]) -> ReasoningDelta:
    """Read one of OpenRouter's details, which are Claude's blocks and others in one shape."""
    place = TEXTS.get(detail.get("type", ""), "")
    fields = {name: value for name, value in detail.items() if name != place and value is not None}
    if not place:
        return _sealed(fields)
    return _delta(detail.get(place) or "", fields, is_summary=place == "summary")


def _item(item: Mapping[str, Any]) -> ReasoningDelta:
    """Read a piece of a reasoning item's text, or its end, which seals the item."""
    fields = {name: item[name] for name in ITEM if item.get(name)}
    if SEALED_ITEM not in fields:
        return _delta(item.get("text") or "", {}, is_summary=True)
    is_shown = "summary" in fields
    return _kept("", ReasoningForm.SIGNED if is_shown else ReasoningForm.REDACTED, fields)


def _plain(delta: Any) -> Iterator[ReasoningDelta]:
    for name in NAMES:
        if isinstance(text := getattr(delta, name, None), str) and text:
            yield _delta(text, {FIELD: name})
            return


def _signatures(delta: Any) -> Iterator[ReasoningDelta]:
    """Yield Gemini's signatures of a text; signatures of calls stay with the calls."""
    fields = getattr(delta, "provider_specific_fields", None) or {}
    calls = getattr(delta, "tool_calls", None) or ()
    own = [(getattr(c, "provider_specific_fields", None) or {}).get(SIGNATURE) for c in calls]
    if left := [signature for signature in fields.get(SIGNATURES) or () if signature not in own]:
        yield _delta("", {SIGNATURES: left})


def _sealed(fields: Mapping[str, Any]) -> ReasoningDelta:
    return _kept("", ReasoningForm.REDACTED, fields)


def _delta(text: str, fields: Mapping[str, Any], *, is_summary: bool = False) -> ReasoningDelta:
    is_signed = "signature" in fields or SIGNATURES in fields
    form = ReasoningForm.SUMMARY if is_summary else ReasoningForm.TEXT
    return _kept(text, ReasoningForm.SIGNED if is_signed else form, fields)


def _kept(text: str, form: ReasoningForm, fields: Mapping[str, Any]) -> ReasoningDelta:
    """Keep the text and the fields that can be stored; note if that is not all of them."""
    whole, fit = storable(text), verbatim(fields)
    altered = {} if whole == text and fit == fields else {ALTERED: True}
    return ReasoningDelta(whole, form, {**fit, **altered})


def verbatim(fields: Mapping[str, Any]) -> dict[str, Any]:
    """Return the fields that can be stored as they are: changed, they would be of no use."""
    return {name: value for name, value in fields.items() if not storing_fault([name, value])}
