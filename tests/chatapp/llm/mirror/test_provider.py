"""The offline model answers as a provider does, but without litellm."""

import subprocess
import sys

import pytest

from agents.tools import schemas
from chatapp.llm import client
from chatapp.llm.chunks import CallDelta, Finish, ReportedUsage, TextDelta
from chatapp.llm.mirror import provider
from chatapp.llm.mirror.mind import answer
from chatapp.llm.request import LlmRequest
from history.core.transcript.messages import ToolCall
from history.tokens import REPLY_PRIMING, count_message, count_tools

HELLO = {"role": "user", "content": "Hello"}
SUM = {"role": "user", "content": "What is 6*7? And what is 2*2?"}


@pytest.fixture(autouse=True)
def at_once(monkeypatch):
    monkeypatch.setattr(provider, "words_per_second", 10**9)


async def stream(*messages, **fields):
    request = LlmRequest("demo/mirror", list(messages), **fields)
    return [chunk async for chunk in client.stream(request)]


ALONE = """
import asyncio, sys, django
django.setup()
from chatapp.llm import client
from chatapp.llm.request import LlmRequest
async def ask():
    request = LlmRequest("demo/mirror", [{"role": "user", "content": "Thanks"}])
    return [chunk async for chunk in client.stream(request)]
print(asyncio.run(ask())[-1].reason, "litellm" in sys.modules)
"""


def test_nothing_of_litellm_is_loaded_for_it():
    done = subprocess.run(
        [sys.executable, "-c", ALONE], capture_output=True, text=True, check=False
    )

    assert (done.stdout, done.stderr) == ("stop False\n", "")


async def test_it_streams_what_the_mirror_says_word_by_word():
    *words, _, end = await stream(HELLO)

    assert len(words) > 50
    assert all(isinstance(word, TextDelta) for word in words)
    assert "".join(word.text for word in words) == answer([HELLO]).text
    assert end == Finish("stop")


async def test_it_reports_what_it_read_and_wrote():
    tools = schemas(["current_time"])
    said = count_message("assistant", answer([HELLO], ["current_time"]).text)
    read = REPLY_PRIMING + count_tools(tools) + count_message("user", "Hello")

    *_, usage, _ = await stream(HELLO, tools=tools)

    assert usage == ReportedUsage(prompt=read, completion=said, cache_read=0)


async def test_it_calls_tools():
    chunks = await stream(SUM, tools=schemas(["calculator"]))

    calls = [
        CallDelta(0, "call_1_0", "calculator", '{"expression": "6*7"}'),
        CallDelta(1, "call_1_1", "calculator", '{"expression": "2*2"}'),
    ]
    assert chunks[:-2] == calls
    assert chunks[-1] == Finish("tool_calls")


async def test_its_calls_are_counted():
    call = {"name": "calculator", "arguments": '{"expression": "6*7"}'}
    made = {"id": "c", "type": "function", "function": call}
    asked = {"role": "assistant", "content": None, "tool_calls": [made]}
    result = {"role": "tool", "tool_call_id": "c", "content": "42"}

    *_, usage, _ = await stream(HELLO, asked, result)

    assert usage.prompt == (
        REPLY_PRIMING
        + count_message("user", "Hello")
        + count_message("assistant", "", [ToolCall("c", **call)])
        + count_message("tool", "42")
    )


async def test_it_keeps_to_the_output_limit():
    chunks = await stream(HELLO, max_tokens=5)

    assert chunks[-1] == Finish("length")
    assert [chunk.text for chunk in chunks[:-2]] == ["Hello! ", "I'm "]
