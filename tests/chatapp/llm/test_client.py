"""A model's stream over real HTTP, through all three clients: ours, the openai library's and
litellm's.
"""

import asyncio
import subprocess
import sys
from contextlib import aclosing

import pytest

from chatapp.llm import client
from chatapp.llm.chunks import CallDelta, Finish, ReportedUsage, TextDelta
from tests.chatapp.llm.answering import DIRECT, PATIENT, answer, request_to
from tests.provider import LITELLM_WARNS, Call, Reply

pytestmark = [*LITELLM_WARNS, pytest.mark.usefixtures("both_roads")]
TOOLS = [{"type": "function", "function": {"name": "calculator", "parameters": {}}}]


async def test_text_comes_in_the_providers_pieces_and_ends_with_its_reason(provider, model):
    provider.script(Reply(text=["Hel", "lo"]))

    assert await answer(model) == ([TextDelta("Hel"), TextDelta("lo"), Finish("stop")], None)


async def test_a_model_may_repeat_itself(provider, model):
    provider.script(Reply(text=["-"] * 200))

    assert await answer(model) == ([TextDelta("-")] * 200 + [Finish("stop")], None)


async def test_the_request_is_what_the_body_says(provider):
    request = request_to(DIRECT, tools=TOOLS, temperature=0.5, max_tokens=9)
    assert await answer(DIRECT, tools=TOOLS, temperature=0.5, max_tokens=9)

    assert provider.requests == [{**request.body(), "model": "fake"}]


async def test_what_is_unset_is_not_sent(provider):
    await answer(DIRECT)

    assert provider.requests == [
        {
            "model": "fake",
            "messages": [{"role": "user", "content": "Hello"}],
            "stream": True,
            "stream_options": {"include_usage": True},
        }
    ]


async def test_tool_calls_come_in_pieces(provider, model):
    calls = [Call("calculator", '{"a": 1}', "c1"), Call("clock", "{}", "c2")]
    provider.script(Reply(text=["Wait."], calls=calls, finish="tool_calls"))

    chunks, error = await answer(model, tools=TOOLS)

    assert error is None
    assert chunks == [
        TextDelta("Wait."),
        CallDelta(0, "c1", "calculator", '{"a"'),
        CallDelta(0, "", "", ": 1}"),
        CallDelta(1, "c2", "clock", "{"),
        CallDelta(1, "", "", "}"),
        Finish("tool_calls"),
    ]


@pytest.mark.parametrize(
    ("details", "usage"),
    [
        pytest.param({}, ReportedUsage(7, 2), id="no word of a cache"),
        pytest.param(
            {"prompt_tokens_details": {"cached_tokens": 5}},
            ReportedUsage(7, 2, 5),
            id="with a cache",
        ),
    ],
)
async def test_reported_usage_is_passed_on(provider, model, details, usage):
    reported = {"prompt_tokens": 7, "completion_tokens": 2, "total_tokens": 9, **details}
    provider.script(Reply(text=["Hi"], usage=reported))

    assert await answer(model) == ([TextDelta("Hi"), usage, Finish("stop")], None)


def test_usage_as_a_record_holds_what_was_reported_alone():
    assert ReportedUsage(7, 2, cache_read=0).as_dict() == {
        "prompt": 7,
        "completion": 2,
        "cache_read": 0,
    }


async def test_no_usage_is_invented(provider, model):
    provider.script(Reply(text=["Hi"]))

    chunks, _ = await answer(model)

    assert [chunk for chunk in chunks if isinstance(chunk, ReportedUsage)] == []


@pytest.mark.parametrize("finish", ["length", "content_filter"])
async def test_the_reason_to_finish_is_the_providers(provider, model, finish):
    provider.script(Reply(text=["Hi"], finish=finish))

    assert await answer(model) == ([TextDelta("Hi"), Finish(finish)], None)


@pytest.mark.parametrize("piece", [1, 2, 7])
async def test_bytes_may_be_parted_anywhere(provider, model, piece):
    provider.script(Reply(text=["é€", "😀\n\n"], piece=piece))

    assert await answer(model) == ([TextDelta("é€"), TextDelta("😀\n\n"), Finish("stop")], None)


async def test_text_is_made_storable(provider):
    line = r'data: {"choices": [{"index": 0, "delta": {"content": "a\u0000b\ud83d"}}]}'
    provider.script(Reply(raw=[line]))

    assert await answer(DIRECT) == ([TextDelta("a\ufffdb\ufffd"), Finish("stop")], None)


# Stopping an answer


async def test_closing_the_stream_closes_the_connection(provider, model):
    provider.script(Reply(text=["word "], endless=True, delay=0.01))

    async with aclosing(client.stream(request_to(model), PATIENT)) as chunks:
        assert await anext(chunks) == TextDelta("word ")

    assert await asyncio.to_thread(provider.closed.wait, 30)


@pytest.mark.parametrize("silent_after", [0, 1])
async def test_cancelling_the_task_closes_the_connection(provider, model, silent_after):
    provider.script(Reply(text=["a", "b"], hang_after=silent_after))
    task = asyncio.create_task(answer(model))
    assert await asyncio.to_thread(provider.asked.wait, 30)

    task.cancel()

    with pytest.raises(asyncio.CancelledError):
        await task
    assert await asyncio.to_thread(provider.closed.wait, 30)


# Loading the libraries

QUICK = """
import sys
import django
django.setup()
from chatapp.llm import catalogue, client
for model in ("demo/mirror", "openai/gpt-4o", "gemini/new"):
    catalogue.facts(model), catalogue.key_missing(model), catalogue.fault(model)
catalogue.names()
sys.exit("litellm" in sys.modules)
"""
LOADED = """
import sys
import django
django.setup()
from chatapp.llm import warming
warming.warm_up_litellm()
import litellm
assert "litellm.proxy.proxy_server" not in sys.modules
assert not litellm.telemetry and litellm.suppress_debug_info and litellm.drop_params
assert not litellm.success_callback + litellm.callbacks
assert not [key for key in litellm.in_memory_llm_clients_cache.cache_dict if "openai" in key]
"""


@pytest.mark.whole
@pytest.mark.parametrize("script", [QUICK, LOADED], ids=["lazily", "as warm-up leaves it"])
def test_litellm_is_loaded(script):
    done = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, check=False
    )

    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
