"""`demo/mirror`, the offline model. It streams chunks of OpenAI's shape, as a provider's server
does, but without litellm, whose import takes seconds.
"""

import asyncio
import json
import re
from collections.abc import AsyncGenerator, Sequence
from itertools import accumulate
from typing import Any, TypeAlias

from django.conf import settings

from chatapp.llm.mirror.attached import picture_tokens
from chatapp.llm.mirror.mind import answer
from chatapp.llm.mirror.understanding import Sent, whole_text_of
from chatapp.llm.streams.events import Node
from history.core.transcript.messages import ToolCall
from history.tokens import REPLY_PRIMING, count_message, count_text, count_tools

Tools: TypeAlias = Sequence[dict[str, Any]]
words_per_second: float = settings.DEMO_WORDS_PER_SECOND
SLOWNESS = 10


async def opened(
    *, messages: Sequence[Sent], tools: Tools = (), max_tokens: int | None = None, **_: Any
) -> AsyncGenerator[Any, None]:
    """Return the stream of an answer, given the arguments for litellm."""
    return _chunks(messages, tools, max_tokens)


async def _chunks(
    messages: Sequence[Sent], tools: Tools, limit: int | None
) -> AsyncGenerator[Any, None]:
    """Yield the mirror's answer at a pace that is pleasant to read, then its tokens."""
    reply = answer(messages, [tool["function"]["name"] for tool in tools])
    pace = (SLOWNESS if reply.slowly else 1) / words_per_second
    thought, text = "", ""
    for word in _words(reply.thoughts):
        thought += word
        yield _chunk(reasoning_content=word)
        await asyncio.sleep(pace)
    for word in _within(reply.text, limit):
        text += word
        yield _chunk(content=word)
        await asyncio.sleep(pace)
    calls = [
        ToolCall(f"call_{len(messages)}_{index}", call.name, json.dumps(call.arguments))
        # The calls of each step must have ids that differ from other steps'.
        for index, call in enumerate(reply.calls)
    ]
    for index, call in enumerate(calls):
        function = Node(name=call.name, arguments=call.arguments)
        yield _chunk(tool_calls=[Node(id=call.id, function=function, index=index)])
    usage = await asyncio.to_thread(_usage, messages, tools, (thought, text), calls)
    finish = "tool_calls" if calls else "stop" if text == reply.text else "length"
    yield Node(choices=[Node(delta=Node(), finish_reason=finish)], usage=usage)


def _chunk(**delta: Any) -> Node:
    return Node(choices=[Node(delta=Node(delta))])


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
    tools: Tools,
    texts: tuple[str, str],
    calls: list[ToolCall],
) -> Node:
    """Count the tokens of a request and its answer; `texts` are the answer's thoughts and text."""
    thought, text = texts
    reasoning = count_text(thought) if thought else 0
    prompt = REPLY_PRIMING + count_tools(tools) + sum(map(_tokens, messages))
    completion = reasoning + count_message("assistant", text, calls)
    details = Node(reasoning_tokens=reasoning) if thought else None
    return Node(
        prompt_tokens=prompt,
        completion_tokens=completion,
        prompt_tokens_details=Node(cached_tokens=0),
        completion_tokens_details=details,
    )


def _tokens(message: Sent) -> int:
    functions = [call["function"] for call in message.get("tool_calls") or ()]
    calls = [ToolCall("", function["name"], function["arguments"]) for function in functions]
    text = count_message(message["role"], whole_text_of(message), calls)
    return text + picture_tokens(message)
