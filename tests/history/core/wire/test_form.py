"""Differences that change what is asked are listed before those of form only."""

import pytest

from history.core.wire.differing import facts_of
from history.core.wire.form import by_form
from history.core.words.facts import Rule

CALL = {"id": "c1", "function": {"name": "clock", "arguments": '{"zone": "here"}'}}
ASKED = {"role": "user", "content": "Hi"}
FORMAL = [
    pytest.param({"model": "a/b"}, {"model": "b"}, id="a provider's name"),
    pytest.param({"max_tokens": 9}, {"max_completion_tokens": 9}, id="a name"),
    pytest.param(
        {"messages": [{"role": "system", "content": "Be brief"}]},
        {"system": [{"type": "text", "text": "Be brief"}]},
        id="a prompt elsewhere",
    ),
    pytest.param(
        {"messages": [{"role": "system", "content": "Be brief"}, ASKED]},
        {
            "instructions": "Be brief",
            "input": [
                {
                    "type": "message",
                    "role": "user",
                    "content": [{"type": "input_text", "text": "Hi"}],
                }
            ],
        },
        id="items in place of messages",
    ),
    pytest.param(
        {"messages": [{"content": "Hi"}]},
        {"messages": [{"content": [{"type": "text", "text": "Hi"}]}]},
        id="a block around it",
    ),
    pytest.param(
        {"messages": [{"role": "tool", "content": "42"}]},
        {"messages": [{"role": "user", "content": "42"}]},
        id="a result's role",
    ),
    pytest.param(
        {"messages": [{"tool_calls": [CALL]}]},
        {"messages": [{"content": [{"name": "clock", "id": "c1", "input": {"zone": "here"}}]}]},
        id="a call",
    ),
    pytest.param(
        {"cache_control_injection_points": [{"index": 0}]},
        {"messages": [{"cache_control": {"type": "ephemeral"}}]},
        id="a cache mark",
    ),
    pytest.param({"messages": [{"content": None}]}, {"messages": [{"images": []}]}, id="nothing"),
]
REAL = [
    pytest.param({"temperature": 0.3}, {}, id="a value"),
    pytest.param({"stream": True}, {"stream": False}, id="another value"),
    pytest.param({"model": "a/b"}, {"model": "c"}, id="another model"),
    pytest.param({}, {"usage": {"include": True}}, id="a value more"),
    pytest.param(
        {"reasoning_effort": "low"},
        {"thinking": {"type": "enabled", "budget_tokens": 1024}},
        id="an effort in figures",
    ),
    pytest.param({"messages": [ASKED]}, {"messages": [{"role": "user"}]}, id="a text"),
    pytest.param({"messages": []}, {"messages": [ASKED]}, id="a message more"),
    pytest.param(
        {"messages": [{"role": "system", "content": "Be brief"}]},
        {"messages": [{"role": "user", "content": "Be brief"}]},
        id="a prompt that is no prompt",
    ),
    pytest.param(
        {"tools": [{"parameters": {"properties": {"a": {"type": "string", "examples": []}}}}]},
        {"tools": [{"parameters": {"properties": {"a": {"examples": []}}}}]},
        id="a type in a schema",
    ),
]


@pytest.mark.parametrize(("handed", "sent"), FORMAL)
def test_form_is_what_asks_the_same(handed, sent):
    facts = facts_of(handed, sent)

    assert facts
    assert by_form(facts) == ((), facts)


@pytest.mark.parametrize(("handed", "sent"), REAL)
def test_all_else_comes_first(handed, sent):
    renamed = {"top_p": 0.5}, {"options": {"top_p": 0.5}}
    facts = facts_of({**renamed[0], **handed}, {**renamed[1], **sent})
    real, formal = by_form(facts)

    assert real
    assert Rule.WIRE_MOVED in [fact.rule for fact in formal]
    assert sorted(map(repr, (*real, *formal))) == sorted(map(repr, facts))


def test_many_roles_may_hide_a_prompt_that_lost_its_own():
    roles = ["system", "user", "assistant", "tool"]
    handed = {"messages": [{"role": role, "content": role * 2} for role in roles]}
    texts = [{"text": role * 2} for role in roles]

    real, _formal = by_form(facts_of(handed, {"contents": texts}))
    at_home, _formal = by_form(facts_of(handed, {"system": texts[:1], "contents": texts[1:]}))

    assert [fact.figures["path"] for fact in real] == ["messages[].role"]
    assert at_home == ()
