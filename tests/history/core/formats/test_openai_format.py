"""OpenAI's chat format as a transcript: what is read, what is adapted, and what is refused."""

import json
from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from history.core.formats.openai_format import read_transcript
from history.core.formats.reading import Counters, FormatError
from history.core.plan.injected import Injected
from history.core.plan.neutral_request import openai_messages
from history.core.transcript.messages import Message, Role, ToolCall
from history.core.transcript.segments import segment
from tests.transcripts import ALL

COUNT = Counters(
    message=lambda role, text, calls: 10 + 5 * len(calls),
    call=lambda name, arguments: 5,
    text=len,
    image=lambda width, height: width + height or 1_000,
)
USER = {"role": "user", "content": "hi"}


def read(*messages, **body):
    return read_transcript({"messages": list(messages), **body} if body else list(messages), COUNT)


def asked(id_="c1", name="search", arguments="{}", **more):
    function = {"name": name, "arguments": arguments}
    return {"id": id_, "type": "function", "function": function, **more}


def calling(*calls, content=None, **more):
    return {"role": "assistant", "content": content, "tool_calls": list(calls), **more}


def result(id_="c1", content="found", **more):
    return {"role": "tool", "tool_call_id": id_, "content": content, **more}


@pytest.mark.parametrize("messages", [pytest.param(m, id=name) for name, m in ALL.items()])
def test_what_goes_out_comes_back(messages):
    given = json.loads(json.dumps(openai_messages(messages)))
    prompt = messages[0].text if messages and messages[0].role is Role.SYSTEM else ""

    found = read(*given)

    assert found.prompt == prompt
    assert openai_messages(found.messages) == given[found.offset :]
    assert found.adapted == ()


def test_positions_and_turns_are_those_of_the_transcript():
    greeting = {"role": "assistant", "content": "hello"}

    found = read({"role": "system", "content": "be kind"}, greeting, USER, greeting, USER)

    assert [(m.position, m.turn, m.role) for m in found.messages] == [
        (0, 0, "assistant"),
        (1, 1, "user"),
        (2, 1, "assistant"),
        (3, 2, "user"),
    ]
    assert (found.prompt, found.offset) == ("be kind", 1)


def test_a_message_has_its_calls_and_all_of_its_tokens():
    found = read(calling(asked("a"), asked("b", "fetch"), content="Let me look"))

    calls = (ToolCall("a", "search", "{}", 5), ToolCall("b", "fetch", "{}", 5))
    assert found.messages == (Message(0, Role.ASSISTANT, "Let me look", calls, tokens=20),)


def test_a_result_has_its_id_and_its_tools_name():
    found = read(result(name="search"))

    assert found.messages == (
        Message(0, Role.TOOL, "found", tool_call_id="c1", tool_name="search", tokens=10),
    )


@pytest.mark.parametrize(
    ("opening", "prompt", "roles"),
    [
        pytest.param(["system"], "system 0", "user", id="one"),
        pytest.param(["system", "system"], "system 0", "system user", id="the-first-of-two"),
        pytest.param(["developer", "system"], "developer 0", "system user", id="a-developers"),
        pytest.param([], "", "user", id="none"),
        pytest.param(["assistant", "system"], "", "assistant system user", id="not-behind-others"),
    ],
)
def test_the_first_leading_system_message_is_the_prompt(opening, prompt, roles):
    given = [{"role": role, "content": f"{role} {n}"} for n, role in enumerate(opening)]

    found = read(*given, USER)

    assert found.prompt == prompt
    assert " ".join(message.role for message in found.messages) == roles


def test_a_blank_system_message_is_no_prompt_and_is_not_lost():
    found = read({"role": "system", "content": " "}, USER)

    assert (found.prompt, [m.role for m in found.messages]) == ("", ["system", "user"])


@pytest.mark.parametrize("content", ["", []], ids=["text", "parts"])
def test_an_empty_system_message_that_stands_first_is_left_out_and_reported(content):
    found = read({"role": "system", "content": content}, {"role": "system", "content": "be"}, USER)

    assert (found.prompt, found.offset) == ("", 1)
    assert [(m.position, m.text) for m in found.messages] == [(0, "be"), (1, USER["content"])]
    assert found.adapted == (
        "an empty system message is no prompt, and is left out: at messages[0]",
    )


@pytest.mark.parametrize(
    ("part", "text"),
    [
        ({"type": "text", "text": "words"}, "words"),
        ({"type": "refusal", "refusal": "I cannot"}, "I cannot"),
    ],
    ids=["text", "refusal"],
)
def test_texts_are_joined_and_a_refusal_is_reported(part, text):
    found = read({"role": "user", "content": [{"type": "text", "text": "See:"}, part]})

    assert found.messages[0].text == f"See:\n{text}"
    told = [] if text == "words" else ["a refusal is sent as text: at messages[0].content[1]"]
    assert list(found.adapted) == told


@pytest.mark.parametrize(
    ("message", "text"),
    [
        ({"refusal": "No."}, "No."),
        ({"content": None, "refusal": "No."}, "No."),
        ({"content": "Well:", "refusal": "No."}, "Well:\nNo."),
        ({"content": None}, ""),
        ({}, ""),
    ],
    ids=["refusal", "refusal-beside-null", "refusal-behind-text", "null", "nothing"],
)
def test_an_assistant_may_refuse_or_say_nothing(message, text):
    found = read({"role": "assistant", **message})

    assert found.messages[0].text == text
    told = ("a refusal is sent as text: at messages[0]",) if "refusal" in message else ()
    assert found.adapted == told


def legacy_call(name="search"):
    function = {"name": name, "arguments": "{}"}
    return {"role": "assistant", "content": None, "function_call": function}


def legacy_result(name="search"):
    return {"role": "function", "name": name, "content": "found"}


@pytest.mark.parametrize(
    ("messages", "sent"),
    [
        pytest.param([legacy_call(), legacy_result()], 2, id="answered"),
        pytest.param([legacy_call(), legacy_result("fetch")], 0, id="of-another-name"),
        pytest.param([legacy_call(), USER, legacy_result()], 1, id="after-a-user-message"),
        pytest.param([legacy_result()], 0, id="never-asked"),
        pytest.param([legacy_call(), legacy_result(), legacy_result()], 2, id="answered-twice"),
        pytest.param([legacy_call(), legacy_result()] * 2, 4, id="two-rounds"),
    ],
)
def test_a_legacy_function_message_answers_the_call_before_it(messages, sent):
    found = read(*messages)

    kept = [message for part in segment(found.messages) for message in part.messages]
    assert len(kept) == sent


def test_legacy_calls_are_reported():
    assert read(legacy_call(), legacy_result(), legacy_call()).adapted == (
        "a function message is sent as a tool message: at messages[1]",
        "a function_call is sent as a tool call: 2 times, first at messages[0]",
    )


@pytest.mark.parametrize(
    "call",
    [
        pytest.param(asked(id_=None), id="an id of null"),
        pytest.param({"function": {"name": "search", "arguments": "{}"}}, id="no id"),
        pytest.param(asked(name=None), id="a name of null"),
        pytest.param({"id": "c1", "function": {"arguments": "{}"}}, id="no name"),
    ],
)
def test_a_call_without_an_id_or_a_name_is_left_to_the_repairs(call):
    found = read(calling(call), result())

    (made,) = found.messages[0].tool_calls
    assert "" in {made.id, made.name}
    assert [message for part in segment(found.messages) for message in part.messages] == []


@pytest.mark.parametrize(
    "function", [{"name": "search"}, {"name": "search", "arguments": None}], ids=["none", "null"]
)
def test_a_call_without_arguments_has_an_empty_object(function):
    found = read(calling({"id": "c1", "function": function}), result())

    assert found.messages[0].tool_calls[0].arguments == "{}"
    assert found.adapted == (
        "a call without arguments is sent with {}: at messages[0].tool_calls[0].function",
    )


@pytest.mark.parametrize(
    ("message", "sentence"),
    [
        ({**USER, "name": "ada"}, "name of user messages is left out"),
        ({**USER, "tool_calls": [asked()]}, "tool_calls of user messages is left out"),
        (
            {**USER, "reasoning_content": "hm"},
            "reasoning_content of user messages is left out",
        ),
        (result(is_error=True), "is_error of tool messages is left out"),
        (
            {"role": "developer", "content": "be kind"},
            "a developer message is sent as a system message",
        ),
    ],
)
def test_what_a_transcript_cannot_hold_is_reported(message, sentence):
    assert read(message).adapted == (f"{sentence}: at messages[0]",)


def test_what_is_empty_is_not_reported():
    assert read({**USER, "name": None, "tool_calls": [], "audio": {}, "note": ""}).adapted == ()


def test_many_of_a_kind_are_one_sentence():
    assert read(USER, *[{**USER, "name": "ada"}] * 1200).adapted == (
        "name of user messages is left out: 1,200 times, first at messages[1]",
    )


def test_a_requests_model_and_tools_are_read_and_its_other_fields_reported():
    tool = {"type": "function", "function": {"name": "search"}}

    found = read(USER, model="openai/gpt-4o", tools=[tool], temperature=0.2, stream=None)

    assert (found.model, found.tools) == ("openai/gpt-4o", (tool,))
    assert found.adapted == ("temperature of the request is left out: at its top level",)


LIST_OR_OBJECT = 'must be a list of messages, or an object with "messages"'
PART = "is no part that is known; known: text, refusal, image_url, input_audio, file"
ROLE = "is no role; there are system, developer, user, assistant, tool, function"
CONTENT = 'must be text, or a list of parts such as {"type": "text", "text": "..."}'


@pytest.mark.parametrize(
    ("data", "sentence"),
    [
        ("hello", LIST_OR_OBJECT),
        ({}, LIST_OR_OBJECT),
        ({"messages": {}}, LIST_OR_OBJECT),
        ([USER, "hello"], "messages[1]: must be an object"),
        ([{"content": "x"}], f"messages[0].role: nothing {ROLE}"),
        ([{"role": "bot", "content": "x"}], f"messages[0].role: bot {ROLE}"),
        ([{"role": ["user"], "content": "x"}], f"messages[0].role: ['user'] {ROLE}"),
        ([{"role": "user"}], f"messages[0].content: {CONTENT}"),
        ([{"role": "tool", "content": {"a": 1}}], f"messages[0].content: {CONTENT}"),
        ([{"role": "user", "content": ["x"]}], "messages[0].content[0]: must be an object"),
        (
            [{"role": "user", "content": [{"type": "video"}]}],
            f"messages[0].content[0].type: video {PART}",
        ),
        (
            [{"role": "user", "content": [{"type": ["text"]}]}],
            f"messages[0].content[0].type: ['text'] {PART}",
        ),
        (
            [{"role": "user", "content": [{"type": "text", "text": 1}]}],
            "messages[0].content[0].text: must be text",
        ),
        ([calling() | {"tool_calls": {"id": "c1"}}], "messages[0].tool_calls: must be a list"),
        ([calling("search")], "messages[0].tool_calls[0]: must be an object"),
        ([calling(asked(id_=7))], "messages[0].tool_calls[0].id: must be text"),
        ([calling({"id": "c1"})], "messages[0].tool_calls[0].function: must be an object"),
        (
            [calling(asked(arguments={}))],
            "messages[0].tool_calls[0].function.arguments: must be text",
        ),
        (
            [calling(asked(type="custom"))],
            'messages[0].tool_calls[0].type: custom cannot be sent; give "function"',
        ),
        ([result(id_=7)], "messages[0].tool_call_id: must be text"),
        ([{"role": "function", "content": "x"}], "messages[0].name: must be text"),
        ({"messages": [], "model": 4}, "request.model: must be text"),
        ({"messages": [], "tools": {"a": 1}}, "tools: must be a list"),
        ({"messages": [], "tools": [{"name": "x"}]}, "tools[0].function: must be an object"),
        (
            {"messages": [], "tools": [{"function": {"name": "x", "description": 1}}]},
            "tools[0].function.description: must be text",
        ),
        (
            {"messages": [], "tools": [{"function": {"name": "x", "parameters": []}}]},
            "tools[0].function.parameters: must be an object",
        ),
    ],
)
def test_what_cannot_be_read_is_named_with_its_place(data, sentence):
    with pytest.raises(FormatError) as raised:
        read_transcript(data, COUNT)

    assert str(raised.value) == sentence


def test_a_parameter_that_cannot_be_counted_is_named():
    properties = {"q": {"type": "string", "enum": "any"}}
    tool = {"function": {"name": "x", "parameters": {"properties": properties}}}

    with pytest.raises(FormatError, match=r"properties\.q\.enum: must be a list$"):
        read(USER, tools=[tool])


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner),
    max_leaves=6,
)
FIELDS = ["role", "content", "name", "tool_calls", "function_call", "tool_call_id", "refusal"]
VALUES = JSON | st.sampled_from(["user", "assistant", "tool", "function", "system"])


@given(st.lists(st.dictionaries(st.sampled_from(FIELDS), VALUES) | JSON, max_size=5) | JSON)
def test_any_json_is_read_whole_or_refused(data):
    with suppress(FormatError):
        found = read_transcript(data, COUNT)
        given = data["messages"] if isinstance(data, dict) else data
        assert len(found.messages) + found.offset == len(given)


def test_the_prompt_is_injected_as_a_request_wants_it():
    found = read({"role": "system", "content": "be kind"}, USER)

    assert found.injected == (Injected("system prompt", Role.SYSTEM, "be kind", 10),)
    assert read({"role": "system", "content": ""}, USER).injected == ()
