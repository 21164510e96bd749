"""What a model is asked, and the one form in which litellm gets it."""

from dataclasses import dataclass, field
from typing import Any

from chatapp.llm.cache_breakpoints import marks_for
from chatapp.llm.catalogue import wants_marks


@dataclass(frozen=True, slots=True)
class LlmRequest:
    """One request. `messages` and `tools` are in OpenAI's format.

    `slides`: the window moves with every turn, so that the end of the request is not worth caching.
    `lasting`: so many messages stand before what is made anew for each turn; None: nothing is.
    """

    model: str
    messages: list[dict[str, Any]]
    tools: list[dict[str, Any]] = field(default_factory=list)
    temperature: float | None = None
    max_tokens: int | None = None
    slides: bool = False
    lasting: int | None = None

    def body(self) -> dict[str, Any]:
        """Exactly what litellm is handed; what is unset is left out."""
        optional = {
            "tools": self.tools or None,
            "temperature": self.temperature,
            "max_tokens": self.max_tokens,
            "cache_control_injection_points": self._marks() or None,
        }
        return {
            "model": self.model,
            "messages": self.messages,
            **{name: value for name, value in optional.items() if value is not None},
            "stream": True,
            "stream_options": {"include_usage": True},
        }

    def _marks(self) -> list[dict[str, Any]]:
        wants = wants_marks(self.model)
        return marks_for(
            provider_wants=wants,
            slides=self.slides,
            messages=self.messages,
            lasting=self.lasting,
            has_tools=bool(self.tools),
        )
