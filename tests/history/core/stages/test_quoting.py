"""Arguments are sent in a form that every provider accepts."""

import json

import pytest

from history.core.plan.neutral_request import openai_messages
from history.core.transcript.messages import Message, Role, ToolCall
from history.core.words.facts import Rule, fact
from history.core.words.json_text import DEEPEST
from tests.history.core.making import ROOMY, of_transcript, projected


def asked(arguments, id_="c1", name="look"):
    """Make a turn with a call, the tool's result, and an answer."""
    call = ToolCall(id_, name, arguments, 10)
    return (
        Message(0, Role.USER, "go", turn=1, tokens=5),
        Message(1, Role.ASSISTANT, "", (call,), turn=1, tokens=14),
        Message(2, Role.TOOL, "so", tool_call_id=id_, turn=1, tokens=5),
        Message(3, Role.ASSISTANT, "done", turn=1, tokens=5),
    )


def sent_arguments(arguments):
    request = openai_messages(projected(asked(arguments), **ROOMY).messages)
    return request[1]["tool_calls"][0]["function"]["arguments"]


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        pytest.param('{"q": 1}', '{"q": 1}', id="an object stays as it was written"),
        pytest.param('{"q": ', '{"quoted": "{\\"q\\": "}', id="broken off"),
        pytest.param("[1]", '{"quoted": "[1]"}', id="no object"),
        pytest.param("", "{}", id="none"),
        pytest.param("[" * 99_999, json.dumps({"quoted": "[" * 99_999}), id="too deep to read"),
    ],
)
def test_arguments_go_out_as_an_object(arguments, expected):
    assert sent_arguments(arguments) == expected


@pytest.mark.parametrize(
    ("arguments", "fault"),
    [
        pytest.param("[1]", "no_object", id="a list"),
        pytest.param('{"a": NaN}', "no_object", id="not a number"),
        pytest.param('{"a": ' + "[" * 20_000 + "]" * 20_000 + "}", "nested", id="lists"),
        pytest.param('{"a": ' * 150 + "1" + "}" * 150, "nested", id="objects"),
        pytest.param(" ", "none", id="none"),
    ],
)
def test_the_plan_says_what_is_wrong_with_them(arguments, fault):
    entry = projected(asked(arguments), **ROOMY).plan.entry_at(1)

    assert entry.reasons == (fact(Rule.QUOTED, why=fault, call="c1", tool="look"),)


def test_what_is_nested_as_deeply_as_is_allowed_stays_as_it_was_written():
    arguments = '{"a": ' * DEEPEST + "1" + "}" * DEEPEST

    assert sent_arguments(arguments) == arguments


def test_the_plan_says_that_they_are_quoted_and_counts_them_anew():
    plan = projected(asked("{q: 1}"), **ROOMY).plan
    entry = plan.entry_at(1)

    assert of_transcript(plan) == "KAKK"
    assert (entry.rule, entry.tokens, entry.sent_tokens) == ("pairs", 14, 16)


@pytest.mark.parametrize(
    ("call", "why"),
    [
        pytest.param({"id_": ""}, "no_id", id="no id"),
        pytest.param({"id_": " "}, "no_id", id="a blank id"),
        pytest.param({"name": ""}, "no_name", id="no name"),
    ],
)
def test_a_call_without_id_or_name_leaves_with_its_result(call, why):
    plan = projected(asked("{}", **call), **ROOMY).plan

    assert of_transcript(plan) == "K!!K"
    assert plan.entry_at(1).reasons == (
        fact(Rule.UNPAIRED_CALL, why=why, then="removed"),
        fact(Rule.NOTHING_ELSE),
    )
