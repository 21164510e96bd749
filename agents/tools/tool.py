"""What a tool is, and how it fails."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, TypeAlias

Run: TypeAlias = Callable[[Mapping[str, Any]], str]


class ToolError(Exception):
    """A tool refuses its arguments. The message is for the model, which may correct itself."""


@dataclass(frozen=True, slots=True)
class Tool:
    """Something a model may call. `run` gets arguments that fit `parameters`.

    `parameters` is a JSON schema of a flat object. `timeout` is in seconds, applied by the caller
    in a thread; `result_limit` is in characters.
    """

    name: str
    description: str
    run: Run
    parameters: Mapping[str, Any] = field(default_factory=dict)
    timeout: float = 10.0
    result_limit: int = 20_000
