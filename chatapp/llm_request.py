"""What a model is asked, and the one form in which litellm gets it."""

from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True, slots=True)
class LlmRequest:
    """One request. `messages` and `tools` are in OpenAI's format."""

    model: str
    messages: list[dict[str, Any]]
    tools: list[dict[str, Any]] = field(default_factory=list)
    temperature: float | None = None
    max_tokens: int | None = None

    def body(self) -> dict[str, Any]:
        """Exactly what litellm is handed; what is unset is left out."""
        optional = {
            "tools": self.tools or None,
            "temperature": self.temperature,
            "max_tokens": self.max_tokens,
        }
        return {
            "model": self.model,
            "messages": self.messages,
            **{name: value for name, value in optional.items() if value is not None},
            "stream": True,
            "stream_options": {"include_usage": True},
        }
