"""`demo/mirror`, the offline model. litellm knows it as a provider, so it is called like others."""

import asyncio
import json
import re
from collections.abc import AsyncIterator, Sequence
from itertools import accumulate
from typing import Any

from django.conf import settings
from litellm import (  # type: ignore[attr-defined]  # litellm exports both, though not for mypy.
    CustomLLM,
    CustomLLMItem,
    GenericStreamingChunk,
    ModelResponseStream,
)

from chatapp.llm.mirror.attached import picture_tokens
from chatapp.llm.mirror.mind import answer
from chatapp.llm.mirror.understanding import Sent, whole_text_of
from history.core.transcript.messages import ToolCall
from history.tokens import REPLY_PRIMING, count_message, count_text, count_tools

words_per_second: float = settings.DEMO_WORDS_PER_SECOND
SLOWNESS = 10
EMPTY = GenericStreamingChunk(
    text="", tool_use=None, is_finished=False, finish_reason="", usage=None, index=0
)


class Mirror(CustomLLM):
    """Streams the mirror's answers, at a pace that is pleasant to read, and counts their tokens."""

    async def astreaming(  # type: ignore[override]  # litellm passes all arguments by name, and may add new ones
        self, *, messages: Sequence[Sent], optional_params: dict[str, Any], **_: Any
    ) -> AsyncIterator[GenericStreamingChunk | ModelResponseStream]:
        tools = optional_params.get("tools") or []
        reply = answer(messages, [tool["function"]["name"] for tool in tools])
        pace = (SLOWNESS if reply.slowly else 1) / words_per_second
        thought, said = "", ""
        for word in _words(reply.thoughts):
            thought += word
            choices: Any = [{"delta": {"reasoning_content": word}}]
            yield ModelResponseStream(choices=choices)
            await asyncio.sleep(pace)
        for word in _within(reply.text, optional_params.get("max_tokens")):
            said += word
            yield {**EMPTY, "text": word}
            await asyncio.sleep(pace)
        calls = [
            ToolCall(f"call_{len(messages)}_{index}", call.name, json.dumps(call.arguments))
            # The calls of each step must have ids that differ from other steps'.
            for index, call in enumerate(reply.calls)
        ]
        for index, call in enumerate(calls):
            function = {"name": call.name, "arguments": call.arguments}
            delta: Any = {"id": call.id, "type": "function", "function": function, "index": index}
            yield {**EMPTY, "tool_use": delta}
        usage: Any = await asyncio.to_thread(_usage, messages, tools, (thought, said), calls)
        finish = "tool_calls" if calls else "stop" if said == reply.text else "length"
        yield {**EMPTY, "is_finished": True, "finish_reason": finish, "usage": usage}


PROVIDER: CustomLLMItem = {"provider": "demo", "custom_handler": Mirror()}


def _within(text: str, limit: int | None) -> list[str]:
    """Return as many words as the output limit allows, each with the space around it."""
    words = _words(text)
    if limit is None:
        return words
    spent = accumulate(count_text(word) for word in words)
    return [word for word, tokens in zip(words, spent, strict=True) if tokens <= limit]


def _words(text: str) -> list[str]:
    """Split a text into words, each with the space around it."""
    return re.findall(r"\s*\S+\s*", text)


def _usage(
    messages: Sequence[Sent],
    tools: Sequence[dict[str, Any]],
    written: tuple[str, str],
    calls: list[ToolCall],
) -> dict[str, Any]:
    """Count the tokens of a request and its answer; `written` is the answer's thoughts and text."""
    thought, said = written
    reasoning = count_text(thought) if thought else 0
    prompt = REPLY_PRIMING + count_tools(tools) + sum(map(_tokens, messages))
    completion = reasoning + count_message("assistant", said, calls)
    return {
        "prompt_tokens": prompt,
        "completion_tokens": completion,
        "total_tokens": prompt + completion,
        "prompt_tokens_details": {"cached_tokens": 0},
        **({"completion_tokens_details": {"reasoning_tokens": reasoning}} if thought else {}),
    }


def _tokens(message: Sent) -> int:
    functions = [call["function"] for call in message.get("tool_calls") or ()]
    calls = [ToolCall("", function["name"], function["arguments"]) for function in functions]
    text = count_message(message["role"], whole_text_of(message), calls)
    return text + picture_tokens(message)
