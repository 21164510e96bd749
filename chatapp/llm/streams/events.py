"""The JSON of a stream's events, and the errors that they report."""

import json
import re
from typing import Any

import httpx

TOO_LONG = re.compile(
    r"context.?length|context.?window|maximum model length|prompt is too long|available context",
    re.IGNORECASE,
)


class Node(dict[str, Any]):
    """A JSON object whose keys are attributes, too; a missing key is None."""

    def __getattr__(self, name: str) -> Any:
        return self.get(name)


# Made only once, because making it costs as much as reading an event. It accepts control characters
# within texts.
DECODER = json.JSONDecoder(object_hook=Node, strict=False)


class ErrorReported(Exception):
    """The provider reported that it failed, in the stream or, with a `response`, instead of one.

    `status_code` is None if it gave none. The provider's own words are not kept.
    """

    def __init__(self, error: Any = None) -> None:
        super().__init__()
        code = error.get("code") if isinstance(error, dict) else None
        self.status_code = code if isinstance(code, int) and 400 <= code < 600 else None
        self.response: httpx.Response | None = None


class TooLongReported(ErrorReported):
    """The provider reported that the request is longer than the model's context window."""


def reported(error: Any) -> ErrorReported:
    """Return the exception for an error that a stream reports."""
    kind = TooLongReported if TOO_LONG.search(json.dumps(error)) else ErrorReported
    return kind(error)
