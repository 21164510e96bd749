"""The spans of a turn, named by OpenTelemetry's `gen_ai` conventions, and never with a text.

While spans are off, none are made.
"""

from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager
from typing import Any, Protocol, TypeAlias

Attributes: TypeAlias = Mapping[str, Any]
PROVIDERS = {  # OpenTelemetry's names for providers; other providers keep the names they have here.
    "azure": "azure.ai.openai",
    "bedrock": "aws.bedrock",
    "gemini": "gcp.gemini",
    "mistral": "mistral_ai",
    "vertex_ai": "gcp.vertex_ai",
    "xai": "x_ai",
}


class Span(Protocol):
    def note(self, attributes: Attributes) -> None:
        """Add attributes to the span, except those that are None."""

    def fail(self, kind: str) -> None:
        """Mark the span as one that failed."""


class NoSpan:
    def note(self, attributes: Attributes) -> None:
        pass

    def fail(self, kind: str) -> None:
        pass


class Recorder(Protocol):
    """An object that makes spans."""

    def span(
        self, name: str, attributes: Attributes, *, asks: bool
    ) -> AbstractContextManager[Span]: ...

    def ids(self) -> dict[str, str]:
        """Return the `trace_id` and `span_id` of the span around this code; empty without one."""

    def close(self) -> None:
        """Send the remaining spans; this may take long."""


recorders: list[Recorder] = []  # Contains the recorder if spans are on, and is empty otherwise.
NOTHING: Span = NoSpan()


@contextmanager
def _span(name: str, attributes: Attributes, *, asks: bool = False) -> Iterator[Span]:
    """Make a span around the block; an exception in the block marks the span as failed."""
    if not recorders:
        yield NOTHING
        return
    with recorders[0].span(name, attributes, asks=asks) as span:
        try:
            yield span
        except BaseException as error:
            span.fail(str(getattr(error, "kind", type(error).__name__)))
            raise


def ids() -> dict[str, str]:
    return recorders[0].ids() if recorders else {}


def turn(read: Callable[[], Attributes]) -> AbstractContextManager[Span]:
    """Make the span around a turn; `read` returns its attributes."""
    attributes = {"gen_ai.operation.name": "invoke_agent", **read()} if recorders else {}
    return _span(f"invoke_agent {attributes.get('gen_ai.agent.name')}", attributes)


def plan(step: int) -> AbstractContextManager[Span]:
    return _span("plan request", {"vitrine.step": step})


def request(model: str) -> AbstractContextManager[Span]:
    return _span(f"chat {model}", {"gen_ai.operation.name": "chat", **of_model(model)}, asks=True)


def tool(name: str, call_id: str) -> AbstractContextManager[Span]:
    attributes = {
        "gen_ai.operation.name": "execute_tool",
        "gen_ai.tool.name": name,
        "gen_ai.tool.call.id": call_id,
        "gen_ai.tool.type": "function",
    }
    return _span(f"execute_tool {name}", attributes)


def of_model(model: str) -> dict[str, str]:
    slug = model.partition("/")[0]
    return {
        "gen_ai.provider.name": PROVIDERS.get(slug, slug),
        "gen_ai.request.model": model.partition("/")[2] or model,
    }


def of_outcome(outcome: Mapping[str, Any]) -> dict[str, Any]:
    """Return the span attributes for the outcome of a request."""
    usage, first = outcome["usage"] or {}, outcome["first_token_ms"]
    return {
        "gen_ai.response.finish_reasons": [outcome["finish_reason"]],
        "gen_ai.response.time_to_first_chunk": None if first is None else first / 1000,
        "gen_ai.usage.input_tokens": usage.get("prompt"),
        "gen_ai.usage.output_tokens": usage.get("completion"),
        "gen_ai.usage.cache_read.input_tokens": usage.get("cache_read"),
        "vitrine.attempts": outcome["attempts"],
    }
