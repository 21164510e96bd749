"""Each leaf that a library changed is in exactly one difference, whatever the change."""

import json
from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from history.core.wire.differing import differences
from history.core.wire.leaves import leaves_of
from history.core.words.facts import Rule

SCALARS = st.none() | st.booleans() | st.integers(0, 3) | st.sampled_from(["", "user", "a text"])
JSON = st.recursive(
    SCALARS | st.just('{"a": [1, true]}'),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(st.sampled_from(["role", "content", "type", "a"]), inner, max_size=3)
    ),
    max_leaves=12,
)
BODIES = st.dictionaries(
    st.sampled_from(["model", "messages", "tools", "temperature", "contents"]), JSON, max_size=4
)


def said(leaves):
    return Counter((leaf.path, leaf.key) for leaf in leaves)


def account(handed, sent):
    """Return both bodies without the leaves that differences name."""
    ours, theirs = said(leaves_of(handed)), said(leaves_of(sent))
    for row in differences(handed, sent):
        ours.subtract(said(row.ours))
        theirs.subtract(said(row.theirs))
    return ours, theirs


@given(handed=BODIES, sent=BODIES)
def test_what_no_difference_names_is_the_same_in_both(handed, sent):
    ours, theirs = account(handed, sent)

    assert min([0, *ours.values(), *theirs.values()]) == 0
    assert +ours == +theirs


@given(body=BODIES)
def test_equal_bodies_have_no_differences(body):
    assert differences(body, json.loads(json.dumps(body))) == ()


CALL = {"id": "c1", "function": {"name": "clock", "arguments": '{"zone": "here"}'}}
TABLE = [
    pytest.param({"temperature": 0.3}, {}, Rule.WIRE_DROPPED, "temperature", "", id="dropped"),
    pytest.param(
        {"model": "a/b"}, {"model": "b"}, Rule.WIRE_CHANGED, "model", "model", id="changed"
    ),
    pytest.param(
        {"max_tokens": 9},
        {"max_completion_tokens": 9},
        Rule.WIRE_MOVED,
        "max_tokens",
        "max_completion_tokens",
        id="renamed",
    ),
    pytest.param({}, {"usage": {"include": True}}, Rule.WIRE_ADDED, "", "usage.include", id="new"),
    pytest.param(
        {"messages": [{"content": "Be brief"}]},
        {"system": [{"text": "Be brief"}]},
        Rule.WIRE_MOVED,
        "messages[].content",
        "system[].text",
        id="a prompt elsewhere",
    ),
    pytest.param(
        {"messages": [{"tool_calls": [CALL]}]},
        {
            "messages": [
                {"tool_calls": [{**CALL, "function": {"name": "clock", "input": {"zone": "here"}}}]}
            ]
        },
        Rule.WIRE_SPELLED,
        "messages[].tool_calls[].function.arguments",
        "messages[].tool_calls[].function.input",
        id="arguments as an object",
    ),
    pytest.param(
        {"messages": [{"url": "data:image/png;base64,AAAA"}]},
        {"messages": [{"data": "AAAA"}]},
        Rule.WIRE_MOVED,
        "messages[].url",
        "messages[].data",
        id="a picture's data",
    ),
    pytest.param(
        {"messages": [{"content": "five "}]},
        {"messages": [{"content": "five"}]},
        Rule.WIRE_CHANGED,
        "messages[].content",
        "messages[].content",
        id="blanks at the end",
    ),
]


@pytest.mark.parametrize(("handed", "sent", "rule", "path", "to"), TABLE)
def test_a_difference_says_what_became_of_it(handed, sent, rule, path, to):
    (found,) = differences({**handed, "stream": True}, {**sent, "stream": True})

    assert found.fact.rule == rule
    assert (found.fact.figures["path"], found.fact.figures["to"]) == (path, to)


def test_a_model_in_the_address_is_not_called_dropped():
    address = "https://g.example/models/pro:stream"
    (found,) = differences({"model": "gemini/pro", "n": 1}, {"n": 1}, address)

    assert found.fact.rule == Rule.WIRE_IN_ADDRESS


def test_texts_are_in_no_difference():
    secret = "Never say aubergine."
    handed = {"messages": [{"role": "system", "content": secret}]}

    found = differences(handed, {"system": secret, "messages": [{"type": secret * 9}]})

    assert secret not in repr([row.fact for row in found])
