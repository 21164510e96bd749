"""A model with bound thinking drops or refuses thinking if anything before it has changed."""

import json
from copy import deepcopy

import pytest

from tests.provider import Call
from tests.strict.bound_claude import BETA, BoundClaude, mismatches
from tests.strict.claude import THINKING
from tests.strict.server import Said

PATH, ASKED_TO_DROP = "/v1/messages", {"anthropic-beta": f"context-1,{BETA}"}
MODEL = BoundClaude.model.partition("/")[2]
SAID = (
    Said(["Hm"], ["Let me see. "], [Call("look", "{}")], hidden="Secret"),
    Said(["Ah"], ["It is 7."], again=["Sure?"]),
    Said(["Well"], ["Yes."]),
)


def begun():
    return {
        "model": MODEL,
        "max_tokens": 4_096,
        "system": "Be brief.",
        "thinking": {"type": "adaptive"},
        "tools": [{"name": "look", "input_schema": {"type": "object"}}],
        "messages": [{"role": "user", "content": "How many?"}],
    }


def blocks(family, said, number, body):
    """Join an answer's events into content blocks, which a client sends back."""
    made = []
    for event in b"".join(family.events(said, number, body)).decode().split("\n\n"):
        data = json.loads(event.partition("data: ")[2] or "{}")
        if data.get("type") == "content_block_start":
            made.append(data["content_block"])
        for key, value in data.get("delta", {}).items():
            if key == "partial_json":
                made[-1]["input"] = {}
            elif data["type"] == "content_block_delta" and key != "type":
                made[-1][key] += value
    return made


@pytest.fixture
def talk():
    """Make the body of a request whose conversation has three answers, the second to a tool's
    result.
    """
    body, family = begun(), BoundClaude()
    for number, said in enumerate(SAID, start=1):
        content = blocks(family, said, number, body)
        body["messages"].append({"role": "assistant", "content": content})
        result = {"type": "tool_result", "tool_use_id": content[-1].get("id"), "content": "Seven"}
        answer = [result] if said.calls else "And now?"
        body["messages"].append({"role": "user", "content": answer})
    return body


def strip(body, *which):
    """Remove the thinking from the answers with these numbers, which count from 0."""
    answers = [message for message in body["messages"] if message["role"] == "assistant"]
    for number in which:
        content = answers[number]["content"]
        answers[number]["content"] = [b for b in content if b["type"] not in THINKING]


def mark_for_the_cache(body):
    body["system"] = [{"type": "text", "text": "Be brief.", "cache_control": {"type": "ephemeral"}}]
    body["messages"][2]["content"][0]["cache_control"] = {"type": "ephemeral"}


def drop_one_between(body):
    del body["messages"][3]["content"][2]


CHANGES = {
    "nothing": (lambda body: None, []),
    "marks for the cache": (mark_for_the_cache, []),
    "something at the end": (lambda body: body["messages"][-1].update(content="What?"), []),
    "all thinking is left out": (lambda body: strip(body, 0, 1, 2), []),
    "the first thinking is left out": (lambda body: strip(body, 0), []),
    "the thinking of the newest answer is left out": (lambda body: strip(body, 2), []),
    "thinking between is left out": (lambda body: strip(body, 1), ["5.content.0"]),
    "one block between is left out": (drop_one_between, ["5.content.0"]),
    "the system text": (
        lambda body: body.update(system="Be long."),
        ["1.content.0", "1.content.1", "3.content.0", "3.content.2", "5.content.0"],
    ),
    "one more tool": (
        lambda body: body["tools"].append({"name": "wait", "input_schema": {"type": "object"}}),
        ["1.content.0", "1.content.1", "3.content.0", "3.content.2", "5.content.0"],
    ),
    "a shorter result": (
        lambda body: body["messages"][2]["content"][0].update(content="[Omitted]"),
        ["3.content.0", "3.content.2", "5.content.0"],
    ),
    "an earlier question": (
        lambda body: body["messages"][4].update(content="Are you sure?"),
        ["5.content.0"],
    ),
}
changed = pytest.mark.parametrize(("change", "paths"), CHANGES.values(), ids=CHANGES)


@changed
def test_what_is_changed_makes_all_that_was_thought_after_it_invalid(talk, change, paths):
    change(talk)

    found = [(each.path, each.reason) for each in mismatches(talk)]
    assert found == [(f"messages.{path}", "prefix_binding_mismatch") for path in paths]


@changed
def test_it_is_refused_by_default_and_dropped_on_request(talk, change, paths):
    change(talk)

    refusal = BoundClaude().refusal(PATH, talk, {})
    assert refusal == "" if not paths else refusal.startswith(f"messages.{paths[0]}: Invalid")
    talk["thinking"]["block_binding"] = {"prefix_mismatch_behavior": "drop_block"}
    assert BoundClaude().refusal(PATH, talk, ASKED_TO_DROP) == ""
    assert "Extra inputs" in BoundClaude().refusal(PATH, talk, {})
    reported = BoundClaude().start(4, talk)["input_transformations"]
    assert [each["path"] for each in reported] == [f"messages.{path}" for path in paths]
    assert {each["type"] for each in reported} <= {"thinking_dropped"}


def test_an_old_account_is_told_and_refused_only_on_request(talk):
    talk["system"] = "Be long."
    family = BoundClaude(is_old=True)

    assert family.refusal(PATH, talk, {}) == ""
    reported = family.start(4, talk)["input_transformations"]
    assert {each["type"] for each in reported} == {"thinking_mismatch_allowed"}
    talk["thinking"]["block_binding"] = {"prefix_mismatch_behavior": "error"}
    assert "different conversation" in family.refusal(PATH, talk, ASKED_TO_DROP)


def test_what_another_model_thought_is_dropped_without_a_refusal(talk):
    other = deepcopy(talk)
    other["model"] = "claude-fable-5-1"

    assert BoundClaude().refusal(PATH, other, {}) == ""
    reported = BoundClaude().start(4, other)["input_transformations"]
    assert {(each["type"], each["reason"]) for each in reported} == {
        ("thinking_dropped", "model_binding_mismatch")
    }


def test_a_forged_thought_is_refused_before_anything_else(talk):
    talk["messages"][1]["content"][1]["thinking"] = "Hm!"

    assert "content.1: Invalid `signature`" in BoundClaude().refusal(PATH, talk, {})
