"""Cache breakpoints are in the right places: in what the function returns, and in requests."""

import json

import pytest

from chatapp.llm import client
from chatapp.llm.chunks import Finish, ReportedUsage, TextDelta
from chatapp.llm.request import LlmRequest, cache_breakpoints
from chatapp.llm.retries import Deadlines
from tests.provider import LITELLM_WARNS, Reply

pytestmark = LITELLM_WARNS
CLAUDE = "anthropic/claude-sonnet-4-5"
PATIENT = Deadlines(first_token=20, idle=20, total=20, retry_pause=0)
MARK = {"cache_control": {"type": "ephemeral"}}
SYSTEM = {"role": "system", "content": "Be kind."}
CALL = {"id": "c1", "type": "function", "function": {"name": "clock", "arguments": "{}"}}
TALK = [
    SYSTEM,
    {"role": "user", "content": "one"},
    {"role": "assistant", "content": "first"},
    {"role": "user", "content": "two"},
]
ROUND = [
    *TALK,
    {"role": "assistant", "content": None, "tool_calls": [CALL]},
    {"role": "tool", "tool_call_id": "c1", "content": "noon"},
]
DATED = [*TALK[:3], {"role": "user", "content": "It is Sunday."}, TALK[3]]
TOOLS = [{"type": "function", "function": {"name": "clock", "parameters": {"type": "object"}}}]


def at(*places):
    return [{"location": "message", "index": place} for place in places]


@pytest.mark.parametrize(
    ("wants", "slides", "messages", "marks"),
    [
        pytest.param(True, False, TALK, at(0, -1), id="the prompt and the end"),
        pytest.param(True, False, TALK[1:], at(-1), id="no prompt"),
        pytest.param(True, True, TALK, at(0), id="a window that slides"),
        pytest.param(True, True, TALK[1:], [], id="a window that slides, and no prompt"),
        pytest.param(True, False, [SYSTEM], at(0), id="a prompt alone"),
        pytest.param(True, False, [], [], id="nothing at all"),
        pytest.param(False, False, TALK, [], id="a provider that caches by itself"),
    ],
)
def test_marks_stand(wants, slides, messages, marks):
    assert cache_breakpoints(provider_wants=wants, slides=slides, messages=messages) == marks


@pytest.mark.parametrize(
    ("slides", "lasting", "has_tools", "marks"),
    [
        pytest.param(False, 3, False, at(0, 2), id="before what is made for the turn"),
        pytest.param(False, 3, True, at(0, 2, -1), id="and the end, for a tool's round"),
        pytest.param(False, 1, False, at(0), id="nothing but the prompt lasts"),
        pytest.param(False, 1, True, at(0, -1), id="the prompt lasts, and a tool's round"),
        pytest.param(True, 3, False, at(0), id="a window that slides"),
    ],
)
def test_a_mark_stands_before_what_is_made_for_the_turn(slides, lasting, has_tools, marks):
    found = cache_breakpoints(
        provider_wants=True, slides=slides, messages=TALK, lasting=lasting, has_tools=has_tools
    )

    assert found == marks


def test_no_breakpoint_is_set_on_a_later_system_message():
    """litellm may send it after the turn's own text, which the next turn will not send again."""
    roles = ("system", "user", "assistant", "system", "user", "user")

    found = cache_breakpoints(
        provider_wants=True, slides=False, messages=[{"role": role} for role in roles], lasting=4
    )

    assert [mark["index"] for mark in found] == [0, 2]


def test_without_a_prompt_nothing_may_last():
    asked = {"slides": False, "messages": TALK[1:], "lasting": 0}

    assert cache_breakpoints(provider_wants=True, **asked) == []
    assert cache_breakpoints(provider_wants=True, has_tools=True, **asked) == at(-1)


def test_marks_are_part_of_what_is_hashed():
    assert LlmRequest(CLAUDE, TALK).body()["cache_control_injection_points"] == at(0, -1)
    assert "cache_control_injection_points" not in LlmRequest("openai/fake", TALK).body()


@pytest.fixture
async def anthropic(provider, monkeypatch):
    """Make the fake provider take the place of Anthropic."""
    monkeypatch.setenv("ANTHROPIC_API_BASE", provider.url)
    monkeypatch.setenv("ANTHROPIC_API_KEY", "test")
    yield provider
    await client.close()


def events(usage, more):
    """Return an answer in Anthropic's protocol: usage comes at the start, and again at the end."""
    message = {
        **{"id": "m1", "type": "message", "role": "assistant", "content": [], "model": "claude"},
        "usage": usage,
    }
    steps = [
        {"type": "message_start", "message": message},
        {"type": "content_block_start", "index": 0, "content_block": {"type": "text", "text": ""}},
        {"type": "content_block_delta", "index": 0, "delta": {"type": "text_delta", "text": "Hi"}},
        {"type": "content_block_stop", "index": 0},
        {"type": "message_delta", "delta": {"stop_reason": "end_turn"}, "usage": more},
        {"type": "message_stop"},
    ]
    return [f"event: {step['type']}\ndata: {json.dumps(step)}" for step in steps]


async def ask(anthropic, messages, usage=None, **fields):
    """Return the body that the provider received, and the chunks of its answer."""
    usage = usage or {"input_tokens": 5, "output_tokens": 1}
    anthropic.script(Reply(raw=events(usage, {"output_tokens": 2}), finish=None))
    request = LlmRequest(CLAUDE, messages, **fields)
    chunks = [chunk async for chunk in client.stream(request, PATIENT)]
    (body,) = anthropic.requests
    return body, chunks


def marked(body):
    """Return the marked texts, and the types of other marked blocks."""
    blocks = [*body.get("system", ())]
    for message in body["messages"]:
        blocks += message["content"] if isinstance(message["content"], list) else []
    return [block.get("text", block["type"]) for block in blocks if "cache_control" in block]


@pytest.mark.parametrize(
    ("messages", "fields", "expected"),
    [
        pytest.param(TALK, {}, ["Be kind.", "two"], id="a chat"),
        pytest.param(ROUND, {"tools": TOOLS}, ["Be kind.", "tool_result"], id="a tool's result"),
        pytest.param(TALK, {"slides": True}, ["Be kind."], id="a sliding window"),
        pytest.param(DATED, {"lasting": 3}, ["Be kind.", "first"], id="a text for the turn"),
        pytest.param(
            DATED,
            {"lasting": 3, "tools": TOOLS},
            ["Be kind.", "first", "two"],
            id="a text for the turn, and tools",
        ),
        pytest.param(
            [SYSTEM, *[{"role": "system", "content": f"Be {n}."} for n in range(6)], *TALK[1:]],
            {},
            ["Be kind.", "two"],
            id="more system messages than marks",
        ),
    ],
)
async def test_anthropic_gets_the_marks(anthropic, messages, fields, expected):
    body, _ = await ask(anthropic, messages, **fields)

    assert marked(body) == expected
    assert json.dumps(body).count("cache_control") == len(expected)


async def test_what_anthropic_reports_of_its_cache_is_passed_on(anthropic):
    usage = {"input_tokens": 5, "output_tokens": 1}
    cached = {"cache_read_input_tokens": 3_000, "cache_creation_input_tokens": 200}

    _, chunks = await ask(anthropic, TALK, usage | cached)

    assert chunks == [
        TextDelta("Hi"),
        ReportedUsage(3_205, 2, cache_read=3_000, cache_write=200, reasoning=0),
        Finish("stop"),
    ]


def body_of(model, effort):
    return LlmRequest(model, TALK, reasoning_effort=effort).body()


@pytest.mark.parametrize(
    ("model", "effort", "sent"),
    [
        ("openai/responses/gpt-5.4", "none", "none"),
        ("openai/responses/gpt-5.4", "low", "low"),
        ("openai/responses/gpt-5.4", None, None),
        ("openai/responses/o3-pro", "none", None),
        ("openai/gpt-5", "none", None),
        (CLAUDE, "none", None),
    ],
)
def test_only_a_model_that_would_think_anyway_is_told_not_to(model, effort, sent):
    assert body_of(model, effort).get("reasoning_effort") == sent


def test_openai_is_told_to_store_nothing_and_to_give_its_reasoning():
    body = body_of("openai/responses/gpt-5.4", "low")

    assert (body["store"], body["include"]) == (False, ["reasoning.encrypted_content"])
    assert "stream_options" not in body
    assert {"store", "include"}.isdisjoint(body_of("openai/gpt-5", "low"))


def test_an_answer_in_the_background_is_stored_by_openai():
    parts = {"model": "openai/responses/gpt-5.4", "messages": [{"role": "user", "content": "Hi"}]}
    body = LlmRequest(**parts, background=True).body()

    assert (body["store"], body["background"]) == (True, True)
    assert "background" not in LlmRequest(**parts).body()
