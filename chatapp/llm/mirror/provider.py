"""`demo/mirror`: the offline model, plugged into litellm so that it takes the others' road."""

import asyncio
import json
from collections.abc import AsyncIterator, Iterator, Sequence
from itertools import accumulate
from typing import Any

from litellm.llms.custom_llm import CustomLLM
from litellm.types.llms.custom_llm import CustomLLMItem
from litellm.types.utils import GenericStreamingChunk

from chatapp import env
from chatapp.llm.mirror.mind import Answer, answer, pieces
from chatapp.llm.mirror.sent import Sent, text_of
from history.core.messages import ToolCall
from history.tokens import REPLY_PRIMING, count_message, count_text, count_tools

words_per_second: float = env.read("DEMO_WORDS_PER_SECOND", env.positive)
SLOWNESS = 10


class Mirror(CustomLLM):
    """Streams what the mirror says, at a pace that is pleasant to read, and counts its tokens."""

    async def astreaming(  # type: ignore[override]  # litellm passes all by name, and more with time
        self, *, messages: Sequence[Sent], optional_params: dict[str, Any], **_: Any
    ) -> AsyncIterator[GenericStreamingChunk]:
        tools = optional_params.get("tools") or []
        reply = answer(messages, [tool["function"]["name"] for tool in tools])
        words = _within(pieces(reply.text), optional_params.get("max_tokens"))
        for word in words:
            yield _chunk(text=word)
            await asyncio.sleep((SLOWNESS if reply.slowly else 1) / words_per_second)
        said = "".join(words)
        calls = list(_calls(reply, len(messages)))
        for index, call in enumerate(calls):
            yield _chunk(call=_as_delta(index, call))
        usage = await asyncio.to_thread(_usage, messages, tools, said, calls)
        yield _chunk(finish=_finish(reply, said), usage=usage)


PROVIDER: CustomLLMItem = {"provider": "demo", "custom_handler": Mirror()}


def _within(words: list[str], limit: int | None) -> list[str]:
    """As many words as the output limit has tokens for."""
    if limit is None:
        return words
    spent = accumulate(count_text(word) for word in words)
    return [word for word, tokens in zip(words, spent, strict=True) if tokens <= limit]


def _finish(reply: Answer, said: str) -> str:
    if said != reply.text:
        return "length"
    return "tool_calls" if reply.calls else "stop"


def _chunk(
    text: str = "", call: Any = None, finish: str = "", usage: Any = None
) -> GenericStreamingChunk:
    return {
        "text": text,
        "tool_use": call,
        "is_finished": bool(finish),
        "finish_reason": finish,
        "usage": usage,
        "index": 0,
    }


def _calls(reply: Answer, messages: int) -> Iterator[ToolCall]:
    """Ids that differ from step to step: a longer request makes other ones."""
    for number, call in enumerate(reply.calls):
        yield ToolCall(f"call_{messages}_{number}", call.name, json.dumps(call.arguments))


def _as_delta(index: int, call: ToolCall) -> dict[str, Any]:
    function = {"name": call.name, "arguments": call.arguments}
    return {"id": call.id, "type": "function", "function": function, "index": index}


def _usage(
    messages: Sequence[Sent], tools: Sequence[dict[str, Any]], said: str, calls: list[ToolCall]
) -> dict[str, Any]:
    prompt = REPLY_PRIMING + count_tools(tools) + sum(map(_tokens, messages))
    completion = count_message("assistant", said, calls)
    return {
        "prompt_tokens": prompt,
        "completion_tokens": completion,
        "total_tokens": prompt + completion,
        "prompt_tokens_details": {"cached_tokens": 0},
    }


def _tokens(message: Sent) -> int:
    functions = [call["function"] for call in message.get("tool_calls") or ()]
    calls = [ToolCall("", function["name"], function["arguments"]) for function in functions]
    return count_message(message["role"], text_of(message), calls)
