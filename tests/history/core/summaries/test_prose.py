"""F35: prose inside JSON is unwrapped; a text that is not prose is no summary."""

import pytest

from history.core.summaries.prose import fault, prose

SHORT = "They spoke."


@pytest.mark.parametrize(
    ("answer", "expected"),
    [
        pytest.param(f" {SHORT}\n", SHORT, id="prose"),
        pytest.param('{"summary": "They spoke."}', SHORT, id="an object"),
        pytest.param('{"Summary": " They spoke. "}', SHORT, id="in capitals, with blanks"),
        pytest.param('{"text": "They spoke."}', SHORT, id="by another name"),
        pytest.param('"They spoke."', SHORT, id="a string"),
        pytest.param('["They spoke."]', "- They spoke.", id="a list"),
        pytest.param(
            '{"summary": ["Ada asked.", " ", "Bo spoke."]}',
            "- Ada asked.\n- Bo spoke.",
            id="a list of points",
        ),
        pytest.param('{"summary": {"text": "They spoke."}}', SHORT, id="an object in an object"),
        pytest.param(r'{"summary": "{\"summary\": \"They spoke.\"}"}', SHORT, id="twice over"),
        pytest.param('```json\n{"summary": "They spoke."}\n```', SHORT, id="in a fence"),
        pytest.param('```\n{"summary": "They spoke."}\n```', SHORT, id="in a bare fence"),
        pytest.param('```JSON {"summary": "They spoke."}```', SHORT, id="on one line"),
        pytest.param("```markdown\nThey spoke.\n```", SHORT, id="prose in a fence"),
        pytest.param('{"summary": ""}', "", id="nothing in it"),
    ],
)
def test_prose_is_unwrapped(answer, expected):
    assert prose(answer) == expected


@pytest.mark.parametrize(
    "answer",
    [
        pytest.param("", id="nothing"),
        pytest.param("42", id="a number"),
        pytest.param("[1] They spoke. {braces}", id="prose that begins with a bracket"),
        pytest.param('{"summary": "They spoke.', id="cut off"),
        pytest.param('{"summary": 3}', id="a number in it"),
        pytest.param('{"summary": ["a", {"b": "c"}]}', id="a list of more than texts"),
        pytest.param('{"summary": "They spoke.", "open": "what else?"}', id="more than one"),
        pytest.param('{"facts": "They spoke."}', id="by a name that is not known"),
        pytest.param('{"name": "search", "arguments": {"text": "x"}}', id="a tool call"),
        pytest.param("```python\nprint(1)\n```", id="code"),
        pytest.param("```\na\n```\nand\n```\nb\n```", id="two fences"),
        pytest.param("[" * 9_999, id="nested without end"),
        pytest.param('{"summary": ' * 60 + '"x"' + "}" * 60, id="nested deeply"),
    ],
)
def test_what_is_odd_stays_as_it_is(answer):
    assert prose(answer) == answer


@pytest.mark.parametrize(
    ("summary", "tokens", "expected"),
    [
        pytest.param("They spoke of cats.", 5, {}, id="prose"),
        pytest.param("They asked for {braces} and [lists].", 9, {}, id="braces in prose"),
        pytest.param("The tool search was called twice.", 9, {}, id="prose about tools"),
        pytest.param("", 0, {"why": "empty"}, id="empty"),
        pytest.param(" \n\t", 1, {"why": "empty"}, id="blank"),
        pytest.param(
            "<think>Let me see</think> They spoke.",
            9,
            {"why": "protocol"},
            id="reasoning",
        ),
        pytest.param(
            "They spoke. </think>",
            9,
            {"why": "protocol"},
            id="the end of reasoning",
        ),
        pytest.param(
            '<tool_call>{"name": "search"}</tool_call>',
            9,
            {"why": "protocol"},
            id="tool protocol in tags",
        ),
        pytest.param(
            '{"name": "search", "arguments": {}}',
            9,
            {"why": "call"},
            id="a tool call",
        ),
        pytest.param(
            '[{"function": {}}]',
            9,
            {"why": "call"},
            id="a list",
        ),
        pytest.param(
            '```json\n{"name": "search", "arguments": {}}\n```',
            9,
            {"why": "call"},
            id="a tool call in a fence",
        ),
        pytest.param(
            '{"summary": {"facts": 3}}',
            9,
            {"why": "json"},
            id="an object",
        ),
        pytest.param(
            "They spoke.",
            100,
            {"why": "too_long", "tokens": 100, "source": 100},
            id="as long as its source",
        ),
        pytest.param("They spoke.", 99, {}, id="one token shorter"),
    ],
)
def test_what_may_stand_for_its_source(summary, tokens, expected):
    assert fault(prose(summary), tokens, 100) == expected
