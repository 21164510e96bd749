"""A fake provider that reports tokens, and caches prefixes as OpenAI does."""

import json
from collections.abc import Iterable, Mapping
from dataclasses import replace
from itertools import takewhile
from typing import Any, Self

from chatapp.env import prepare_libraries
from history.tokens import PER_MESSAGE, REPLY_PRIMING, count_text, count_tools
from tests.provider import Provider, Received, Reply

SHORTEST, STEP = 1_024, 128  # Cached prefixes have at least SHORTEST tokens, in multiples of STEP.


class StandIn(Provider):
    def __init__(self) -> None:
        prepare_libraries()  # Sets the folder of tiktoken's files.
        super().__init__()
        self.before: list[Mapping[str, Any]] = []

    def __enter__(self) -> Self:
        super().__enter__()
        return self

    def take(self, received: Received) -> Reply:
        reply = super().take(received)
        said = "".join((*reply.thinking, *reply.text, *(call.arguments for call in reply.calls)))
        return replace(reply, usage=self._usage(json.loads(received.body), said))

    def _usage(self, request: Mapping[str, Any], said: str) -> dict[str, Any]:
        messages, tools = request["messages"], count_tools(request.get("tools", ()))
        pairs = zip(messages, self.before, strict=False)
        shared = takewhile(lambda pair: pair[0] == pair[1], pairs)
        cached = (tools + tokens(one for one, _ in shared)) // STEP * STEP
        self.before = messages
        return {
            "prompt_tokens": tools + tokens(messages) + REPLY_PRIMING,
            "completion_tokens": count_text(said),
            "prompt_tokens_details": {"cached_tokens": cached if cached >= SHORTEST else 0},
        }


def tokens(messages: Iterable[Mapping[str, Any]]) -> int:
    return sum(
        PER_MESSAGE
        + count_text(message["role"])
        + count_text(str(message.get("content") or ""))
        + sum(count_text(json.dumps(call["function"])) for call in message.get("tool_calls", ()))
        for message in messages
    )
