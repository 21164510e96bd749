"""Transcripts for tests, written as lines of text.

`call c1 search, c2 fetch: Let me look` is an assistant message with two calls and a text. `result
c1: found` is a tool's answer; `call c1 search rain` has an argument. Every message costs 10 tokens
and 5 more for each of its calls.
"""

import json

from history.core.transcript.messages import Message, Role, ToolCall, Transcript


def transcript(*lines: str) -> Transcript:
    messages: list[Message] = []
    turn = 0
    for position, line in enumerate(lines):
        turn += line.startswith("user:")
        messages.append(_message(position, turn, line))
    return tuple(messages)


def turns(count: int) -> Transcript:
    """Make `count` plain turns, each of a question and an answer."""
    return transcript(
        *(line for n in range(1, count + 1) for line in (f"user: q{n}", f"assistant: a{n}"))
    )


def _message(position: int, turn: int, line: str) -> Message:
    head, _, text = line.partition(":")
    word, _, rest = head.partition(" ")
    text = text.strip()
    if word == "call":
        calls = tuple(_call(*call.split()) for call in rest.split(", "))
        tokens = 10 + 5 * len(calls)
        return Message(position, Role.ASSISTANT, text, calls, turn=turn, tokens=tokens)
    if word == "result":
        return Message(position, Role.TOOL, text, tool_call_id=rest, turn=turn, tokens=10)
    return Message(position, Role(word), text, turn=turn, tokens=10)


def _call(id_: str, name: str, query: str = "") -> ToolCall:
    return ToolCall(id_, name, json.dumps({"q": query}) if query else "{}", 5)


PLAIN = transcript("user: one", "assistant: first", "user: two", "assistant: second", "user: three")
GREETED = transcript("assistant: hello", "user: one", "assistant: first", "user: two")
ONE_TOOL = transcript(
    "user: find it", "call c1 search", "result c1: found", "assistant: here", "user: thanks"
)
PARALLEL = transcript(
    "user: both", "call c1 search, c2 fetch", "result c1: a", "result c2: b", "assistant: done"
)
MIXED = transcript("user: look", "call c1 search: Let me look", "result c1: found", "user: and?")
INSTRUCTED = transcript(
    "system: be kind",
    "user: one",
    "assistant: first",
    "system: be brief",
    "user: two",
    "assistant: second",
    "user: three",
)

WELL_FORMED: dict[str, Transcript] = {
    "plain": PLAIN,
    "greeted": GREETED,
    "one_tool": ONE_TOOL,
    "parallel": PARALLEL,
    "mixed": MIXED,
    "instructed": INSTRUCTED,
    "consecutive_user_messages": transcript("user: a", "user: b", "user: c", "assistant: d"),
    "two_rounds": transcript(
        "user: go", "call c1 search", "result c1: x", "call c2 fetch", "result c2: y"
    ),
}

MALFORMED: dict[str, Transcript] = {
    "call_without_result": transcript("user: a", "call c1 search", "user: b"),
    "result_without_call": transcript("user: a", "result c1: x", "user: b"),
    "user_between_call_and_result": transcript(
        "user: a", "call c1 search", "user: b", "result c1: x", "assistant: c"
    ),
    "assistant_between_call_and_result": transcript(
        "user: a", "call c1 search", "assistant: wait", "result c1: x", "user: b"
    ),
    "system_between_call_and_result": transcript(
        "user: a", "call c1 search", "system: note", "result c1: x", "user: b"
    ),
    "same_call_id_twice_in_a_message": transcript(
        "user: a", "call c1 search, c1 fetch", "result c1: x", "result c1: y", "user: b"
    ),
    "same_call_twice_with_other_arguments": transcript(
        "user: a", "call c1 search, c1 search rain", "result c1: x", "user: b"
    ),
    "same_call_id_twice_in_a_turn": transcript(
        "user: a", "call c1 search", "result c1: x", "call c1 search: again", "result c1: y"
    ),
    "result_with_the_wrong_id": transcript("user: a", "call c1 search", "result c9: x", "user: b"),
    "parallel_round_missing_one": transcript(
        "user: a", "call c1 search, c2 fetch", "result c2: x", "user: b"
    ),
    "results_in_another_order": transcript(
        "user: a", "call c1 search, c2 fetch", "result c2: y", "result c1: x", "user: b"
    ),
    "pending_call_at_the_end": transcript("user: a", "assistant: b", "user: c", "call c1 search"),
    "pending_call_beside_text": transcript("user: a", "call c1 search: Let me look"),
    "empty": transcript(),
    "only_system_messages": transcript("system: a", "system: b"),
    "only_a_greeting": transcript("assistant: hello"),
    "result_before_any_call": transcript("result c1: x", "user: a", "call c1 search", "user: b"),
    "two_hundred_tool_messages": transcript(
        "user: a", *(f"result c{n}: x" for n in range(200)), "user: b"
    ),
    "empty_assistant_message": transcript("user: a", "assistant:", "user: b"),
}

ALL: dict[str, Transcript] = {**WELL_FORMED, **MALFORMED}
