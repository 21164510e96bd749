"""The text in each protocol's bytes is counted; parts that no code would keep are named."""

import pytest

from chatapp.llm.streams.tally import Tally


def openai(**delta):
    return {"choices": [{"index": 0, "delta": delta}]}


def gemini(*parts):
    return {"candidates": [{"content": {"role": "model", "parts": list(parts)}}]}


def claude(block, *deltas):
    start = {"type": "content_block_start", "index": 0, "content_block": block}
    return [start, *({"type": "content_block_delta", "index": 0, "delta": d} for d in deltas)]


def counted(*values):
    tally = Tally()
    for value in values:
        tally.count(value)
    return tally


TEXT = {"type": "text", "text": ""}
CALL = {"type": "tool_use", "id": "t", "name": "clock", "input": {}}
COUNTS = {
    "a text": ([openai(content="abc")], (3, 0, 0)),
    "a refusal": ([openai(refusal="no")], (2, 0, 0)),
    "reasoning under two names": ([openai(reasoning="abc", reasoning_content="abc")], (0, 3, 0)),
    "details before a name": (
        [openai(reasoning="ab", reasoning_details=[{"type": "reasoning.text", "text": "ab"}])],
        (0, 2, 0),
    ),
    "sealed details": ([openai(reasoning_details=[{"type": "reasoning.encrypted"}])], (0, 0, 0)),
    "parts of Mistral's": (
        [
            openai(
                content=[
                    {"type": "thinking", "thinking": [{"type": "text", "text": "hm"}]},
                    {"type": "text", "text": "yes"},
                ]
            )
        ],
        (3, 2, 0),
    ),
    "arguments": ([openai(tool_calls=[{"function": {"arguments": '{"a"'}}])], (0, 0, 4)),
    "arguments as an object": (
        [openai(tool_calls=[{"function": {"arguments": {"a": 1}}}])],
        (0, 0, 7),
    ),
    "Claude's text": (claude(TEXT, {"type": "text_delta", "text": "abc"}), (3, 0, 0)),
    "Claude's thinking": (
        claude(
            {"type": "thinking", "thinking": ""},
            {"type": "thinking_delta", "thinking": "hm"},
            {"type": "signature_delta", "signature": "s"},
        ),
        (0, 2, 0),
    ),
    "Claude's call": (
        claude(CALL, {"type": "input_json_delta", "partial_json": "{}"}),
        (0, 0, 2),
    ),
    "Gemini's parts": (
        [gemini({"text": "hm", "thought": True}, {"text": "yes", "thoughtSignature": "s"})],
        (3, 2, 0),
    ),
    "Gemini's call": ([gemini({"functionCall": {"name": "clock", "args": {"a": 1}}})], (0, 0, 7)),
    "Ollama's message": (
        [{"message": {"role": "assistant", "content": "ab", "thinking": "hm"}, "done": False}],
        (2, 2, 0),
    ),
    "Ollama's response": ([{"response": "ab", "done": False}], (2, 0, 0)),
    "a text of an older protocol": ([{"choices": [{"text": "abc"}]}], (3, 0, 0)),
    "nothing": ([{"choices": []}, {"type": "ping"}, 5, None, [], "text", {}], (0, 0, 0)),
}
UNREAD = {
    "a picture": ([openai(images=[{"url": "x"}])], {"images"}),
    "a second choice": ([{"choices": [{"delta": {}}, {"delta": {}}]}], {"choices"}),
    "an empty field": ([openai(audio=None, annotations=[])], set()),
    "a server's own tool": (
        claude(
            {"type": "server_tool_use", "id": "s"},
            {"type": "input_json_delta", "partial_json": '{"query": "x"}'},
        ),
        {"server_tool_use"},
    ),
    "citations": (claude(TEXT, {"type": "citations_delta", "citation": {}}), {"citations"}),
    "citations beside the answer": (
        [{**openai(content=""), "citations": ["https://example.org"]}],
        {"citations"},
    ),
    "what a search found": (
        [{"candidates": [{"content": {}, "groundingMetadata": {"queries": ["x"]}}]}],
        {"groundingMetadata"},
    ),
    "a call of another type": (
        [openai(tool_calls=[{"type": "custom", "custom": {"input": "x"}}])],
        {"custom"},
    ),
    "parts without a type": ([openai(content=[{"type": None}, {"type": 5}])], {"None", "5"}),
    "an event of Claude's that nobody knows": (
        [*claude(TEXT), {"type": "strange", "text": "x"}],
        {"strange"},
    ),
    "code that ran": ([gemini({"executableCode": {"code": "1"}})], {"executableCode"}),
}


@pytest.mark.parametrize("name", COUNTS)
def test_characters_are_counted_by_kind(name):
    values, expected = COUNTS[name]

    tally = counted(*values)

    assert (tally.text, tally.reasoning, tally.arguments) == expected
    assert (tally.broken, tally.unread) == (0, set())


@pytest.mark.parametrize("name", UNREAD)
def test_what_nobody_keeps_is_named(name):
    values, expected = UNREAD[name]

    tally = counted(*values)

    assert (tally.unread, tally.arguments) == (expected, 0)


def test_of_another_shape_nobody_knows_what_it_says():
    tally = counted({"type": "text", "delta": "Hello"})

    assert not tally.is_known


@pytest.mark.parametrize("text", ["a\0b", "a\ud83db"])
def test_what_cannot_be_stored_is_counted(text):
    assert counted(openai(content=text)).replaced == 1


@pytest.mark.parametrize(
    "value",
    [
        {"choices": ["a"]},
        {"choices": [{"delta": "a"}]},
        {"candidates": [{"content": {"parts": ["a"]}}]},
        {"type": "content_block_start", "content_block": {}},
        {"message": {"content": [5]}, "done": True},
        openai(tool_calls=["a"]),
        openai(content=[5]),
    ],
)
def test_another_shape_is_counted_as_broken(value):
    assert counted(value).broken == 1
