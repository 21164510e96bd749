"""Malformed streams of tool calls, and what the result of each call must say."""

import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from tests.provider import Call, Reply, delta, event

SUM = '{"expression": "6*7"}'
RIGHT = {"name": "calculator", "arguments": SUM}
NO_JSON = "Error: the arguments are not valid JSON ("
NO_OBJECT = "Error: the arguments must be a JSON object."
NO_STRING = "Error: the argument 'expression' is invalid: input should be a valid string."
MISSING = "Error: the argument 'expression' is missing."
NO_TOOL = "Error: there is no tool named "
TOO_LONG = "Error: the arguments are longer than 100,000 characters."
NO_SUM = "is not an arithmetic expression."

ARGUMENTS = {
    "nothing": ("", MISSING),
    "blanks": ("   ", NO_JSON),
    "an empty object": ("{}", MISSING),
    "an open brace": ("{", NO_JSON),
    "cut before the brace": ('{"expression": "6*7"', NO_JSON),
    "cut in the string": ('{"expression": "6*', NO_JSON),
    "cut in an escape": ('{"expression": "\\u00', NO_JSON),
    "a trailing comma": ('{"expression": "6*7",}', NO_JSON),
    "single quotes": ("{'expression': '6*7'}", NO_JSON),
    "a bare key": ('{expression: "6*7"}', NO_JSON),
    "a form": ("expression=6*7", NO_JSON),
    "two objects": (f"{SUM}{SUM}", NO_JSON),
    "an object and words": (f"{SUM} as you asked", NO_JSON),
    "a fenced object": (f"```json\n{SUM}\n```", NO_JSON),
    "a tagged object": (f"<tool_call>{SUM}</tool_call>", NO_JSON),
    "a byte order mark": (f"\ufeff{SUM}", NO_JSON),
    "a NUL": ("\x00", NO_JSON),
    "a line's end in a string": ('{"expression": "6*\n7"}', NO_JSON),
    "half a character": ('{"expression": "\\ud800"}', NO_JSON),
    "10^5 open brackets": ("[" * 100_000, NO_JSON),
    "500 open objects": ('{"a":' * 500, NO_JSON),
    "an array": ("[]", NO_OBJECT),
    "a string": ('"6*7"', NO_OBJECT),
    "a number": ("42", NO_OBJECT),
    "null": ("null", NO_OBJECT),
    "true": ("true", NO_OBJECT),
    "another case of the name": ('{"Expression": "6*7"}', MISSING),
    "an empty name": ('{"": "6*7"}', MISSING),
    "a number for a string": ('{"expression": 42}', NO_STRING),
    "NaN for a string": ('{"expression": NaN}', NO_STRING),
    "infinity for a string": ('{"expression": 1e999}', NO_STRING),
    "null for a string": ('{"expression": null}', NO_STRING),
    "an array for a string": ('{"expression": ["6*7"]}', NO_STRING),
    "an object for a string": ('{"expression": {"a": 1}}', NO_STRING),
    "the last of two is wrong": ('{"expression": "1", "expression": 2}', NO_STRING),
    "one argument too many": (
        '{"expression": "1", "digits": 3}',
        "Error: unknown argument 'digits'; the arguments are: expression.",
    ),
    "an escaped NUL": ('{"expression": "6*7\\u0000"}', NO_SUM),
    "no sum": ('{"expression": "six times seven"}', NO_SUM),
    "a program": ('{"expression": "__import__(\'os\')"}', "is not arithmetic"),
    "no result": ('{"expression": "1/0"}', "Error: division by zero."),
    "5 MB": ('{"expression": "' + "1" * 5_000_000 + '"}', TOO_LONG),
    "5 MB that never end": ('{"expression": "' + "1" * 5_000_000, TOO_LONG),
}

NAMES = {
    "nobody's": "no_such_tool",
    "another agent's": "report",
    "no": "",
    "a blank": " ",
    "another case of a": "Calculator",
    "a prefixed": "functions.calculator",
    "a blank after a": "calculator ",
    "a NUL after a": "calculator\x00",
    "a Japanese": "\u8a08\u7b97\u6a5f",
    "a path for a": "../../etc/passwd",
    "Python's own": "__class__",
    "a script for a": "<script>alert(1)</script>",
    "an object for a": '{"name": "calculator"}',
    "a long": "calculator" * 100,
    "a 1 MB": "x" * 1_000_000,
}

IDS: Mapping[str, Sequence[str | None]] = {
    "no id": [None],
    "an empty id": [""],
    "a blank id": [" "],
    "a NUL as id": ["\x00"],
    "an id of 5,000 characters": ["x" * 5_000],
    "a Japanese id": ["\u547c\u3073\u51fa\u3057"],
    "an id with quotes": ["a\"b'c"],
    "no ids for two": [None, None],
    "empty ids for two": ["", ""],
    "one id for two": ["call_1", "call_1"],
    "one id for three": ["call_2", "call_2", "call_2"],
    "an id that is made up, too": ["a", "a", "call_1"],
}


def piece(index: Any = 0, call_id: Any = "c1", function: Any = None, **others: Any) -> str:
    """Make an event with a piece of a call; `index=None` leaves the index out."""
    call = {"id": call_id, "type": "function", "function": function, **others}
    return raw(tool_calls=[call if index is None else {"index": index, **call}])


def raw(**fields: Any) -> str:
    return delta(**fields).decode().strip()


def choices(*functions: Mapping[str, str]) -> str:
    """Make an event with several alternative answers, each with a call."""
    calls = [{"index": 0, "id": f"c{n}", "function": each} for n, each in enumerate(functions)]
    answers = [{"index": n, "delta": {"tool_calls": [call]}} for n, call in enumerate(calls)]
    return event({"choices": answers}).decode().strip()


def many(count: int) -> list[Call]:
    return [Call("calculator", f'{{"expression": "{n}+0"}}', id=f"c{n}") for n in range(count)]


def half(arguments: str, name: str | None = None) -> dict[str, Any]:
    return {"name": name, "arguments": arguments} if name else {"arguments": arguments}


SHAPES: Mapping[str, tuple[Sequence[str], str]] = {
    "no index": ([piece(None, function=RIGHT)], "42"),
    "null for an index": ([piece("null", function=RIGHT).replace('"null"', "null")], "42"),
    "an index below zero": ([piece(-1, function=RIGHT)], "42"),
    "an index of a million": ([piece(1_000_000, function=RIGHT)], "42"),
    "index 0 for two": ([piece(0, "a", RIGHT), piece(0, "b", RIGHT)], "42"),
    "indexes from the end": ([piece(1, "b", RIGHT), piece(0, "a", RIGHT)], "42"),
    "two interleaved": (
        [
            piece(0, "a", half('{"expression": ', "calculator")),
            piece(1, "b", half("{", "calculator")),
            piece(0, None, half('"6*7"}')),
            piece(1, None, half('"expression": "1"}')),
        ],
        "42",
    ),
    "id and name at the end": (
        [piece(0, None, half('{"expression": ')), piece(0, "a", half('"6*7"}', "calculator"))],
        "42",
    ),
    "the name in every piece": (
        [
            piece(0, "a", half('{"expression": ', "calculator")),
            piece(0, "a", half('"6*7"}', "calculator")),
        ],
        "42",
    ),
    "a new id in every piece": (
        [
            piece(0, "a", half('{"expression": ', "calculator")),
            piece(0, "b", half('"6*7"}', "calculator")),
        ],
        NO_JSON,
    ),
    "an object for the text": ([piece(function={**RIGHT, "arguments": json.loads(SUM)})], "42"),
    "an array for the text": ([piece(function={**RIGHT, "arguments": ["6*7"]})], NO_OBJECT),
    "a number for the text": ([piece(function={**RIGHT, "arguments": 42})], NO_OBJECT),
    "null for the text": ([piece(function={**RIGHT, "arguments": None})], MISSING),
    "no function": ([piece(function=None)], NO_TOOL),
    "an empty function": ([piece(function={})], NO_TOOL),
    "another type": ([piece(function=RIGHT, type="custom")], "42"),
    "fields that nobody knows": ([piece(function=RIGHT, extra={"a": [1]})], "42"),
    "the role of a tool": ([raw(role="tool"), piece(function=RIGHT)], "42"),
    "text in the same event": (
        [raw(content="Wait.", tool_calls=[{"index": 0, "id": "a", "function": RIGHT}])],
        "42",
    ),
    "text after it": ([piece(function=RIGHT), raw(content="Wait.")], "42"),
    "blank text before it": ([raw(content=" \n"), piece(function=RIGHT)], "42"),
    "a second choice": ([choices(RIGHT, RIGHT)], "42"),
}


def cases() -> Iterator[tuple[str, Reply, str]]:
    """Yield each case: its name, the provider's reply, and what a result must say."""
    for what, (arguments, says) in ARGUMENTS.items():
        yield f"arguments: {what}", calling(Call("calculator", arguments)), says
    for what, name in NAMES.items():
        yield f"{what} name", calling(Call(name, SUM)), NO_TOOL
    for what, ids in IDS.items():
        yield what, calling(*(Call("calculator", SUM, each) for each in ids)), "42"
    for what, (lines, says) in SHAPES.items():
        yield what, Reply(raw=lines, finish="tool_calls"), says
    yield from others()


def others() -> Iterator[tuple[str, Reply, str]]:
    call = Call("calculator", SUM)
    yield "an end that says stop", Reply(calls=[call], finish="stop"), "42"
    yield "an end that says nothing known", Reply(calls=[call], finish="whatever"), "42"
    cut = Call("calculator", '{"expression": "6*')
    yield "an answer that ran out of tokens", Reply(calls=[cut], finish="length"), NO_JSON
    yield "a byte at a time", Reply(calls=[call], finish="tool_calls", piece=1), "42"
    yield "the most calls", calling(*many(64)), "63"
    left_out = "[1 further calls were left out: a round has at most 64.]"
    yield "one call too many", calling(*many(65)), left_out
    yield "1,000 calls", calling(*many(1_000)), left_out.replace("1 ", "936 ", 1)
    unknown = [Call("no_such_tool", "[", id="same")] * 1_000
    yield "1,000 calls with all of it wrong", calling(*unknown), NO_TOOL


def calling(*calls: Call) -> Reply:
    return Reply(calls=calls, finish="tool_calls")
