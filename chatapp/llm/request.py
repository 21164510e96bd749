"""A request to a model, and the single form in which litellm gets it.

Some providers cache a request only up to explicit breakpoints, of which a provider allows four.
litellm sets them where `cache_control_injection_points` says.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from chatapp.llm.catalogue import wants_cache_breakpoints
from chatapp.llm.images import with_images
from chatapp.llm.providers.responses import asked_name, may_reason
from chatapp.llm.reasoning.families import CLAUDE, RESPONSES, adapted, family_called
from history.services.planning.called import RequestParts

# OpenAI keeps nothing, so reasoning comes back with the answer, encrypted.
FROM_RESPONSES = {"store": False, "include": ["reasoning.encrypted_content"]}
IN_BACKGROUND = {"store": True, "background": True}  # It stores what it goes on with.
FROM_OTHERS = {"stream_options": {"include_usage": True}}


@dataclass(frozen=True)
class LlmRequest(RequestParts):
    """One request; `media` are the images that its messages refer to, by digest."""

    media: Mapping[str, str] = field(default_factory=dict)

    def body(self) -> dict[str, Any]:
        """Return exactly the arguments for litellm, without those that are not set.

        While Claude reasons, it gets no temperature, because it accepts only the default one. In
        OpenAI's Responses API newer models may reason unless they get the effort "none".
        """
        model = self.called or asked_name(self.model)
        form, family = adapted(model, self.messages, self.reasoning_effort), family_called(model)
        cools = not form.thinks or family != CLAUDE
        says_effort = form.thinks or (family == RESPONSES and may_reason(model))
        optional = {
            "tools": self.tools or None,
            "temperature": self.temperature if cools else None,
            "max_tokens": self.max_tokens,
            "reasoning_effort": self.reasoning_effort if says_effort else None,
            "cache_control_injection_points": self._cache_breakpoints(model, form.messages) or None,
        }
        return {
            "model": model,
            "messages": [with_images(message, self.media) for message in form.messages],
            **{name: value for name, value in optional.items() if value is not None},
            "stream": True,
            **(FROM_RESPONSES if family == RESPONSES else FROM_OTHERS),
            **(IN_BACKGROUND if self.background else {}),
        }

    def _cache_breakpoints(
        self, model: str, messages: Sequence[dict[str, Any]]
    ) -> list[dict[str, Any]]:
        lasting = self.lasting
        # Images of tool results were moved to messages of their own.
        if lasting and len(messages) > len(self.messages):
            before = self.messages[:lasting]
            lasting = len(adapted(model, before, self.reasoning_effort).messages)
        return cache_breakpoints(
            provider_wants=wants_cache_breakpoints(model),
            slides=self.slides,
            messages=messages,
            lasting=lasting,
            has_tools=bool(self.tools),
        )


def cache_breakpoints(
    *,
    provider_wants: bool,
    slides: bool,
    messages: Sequence[Mapping[str, Any]],
    lasting: int | None = None,
    has_tools: bool = False,
) -> list[dict[str, Any]]:
    """Set one breakpoint at the system prompt, and one at the end of the request.

    The one at the end is left out if the window slides with every turn: the provider would cache
    what is never read again, at a surcharge. If a text is rebuilt for each turn, the next turn can
    read only the `lasting` messages before the text. The breakpoint then goes to the last of these
    that is no system message, because litellm may send system messages after the text. The end gets
    another breakpoint only if the request has tools: the next request of a tool loop may read it.
    """
    if not provider_wants or not messages:
        return []
    head = [0] if messages[0]["role"] == "system" else []
    spoken = [n for n in range(len(head), lasting or 0) if messages[n]["role"] != "system"]
    tail = spoken[-1:]
    if (lasting is None or has_tools) and len(messages) > len(head):
        tail.append(-1)
    marked = head if slides else [*head, *tail]
    return [{"location": "message", "index": index} for index in marked]
