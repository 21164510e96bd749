"""A newer model of OpenAI drops reasoning if anything before it has changed, and reports that."""

import json
from copy import deepcopy

import pytest

from tests.provider import Call
from tests.strict.bound_responses import BoundResponses, mismatches, thoughts_in
from tests.strict.server import Said

PATH = "/v1/responses"
SAID = (
    Said(["Hm"], ["Let me see. "], [Call("look", "{}", "c1")], hidden="Secret"),
    Said(["Ah"], ["It is 7."]),
    Said(["Well"], ["Yes."]),
)


def said_by(role, text):
    kind = "output_text" if role == "assistant" else "input_text"
    return {"type": "message", "role": role, "content": [{"type": kind, "text": text}]}


def begun():
    return {
        "model": "gpt-5.6",
        "instructions": "Be brief.",
        "tools": [{"type": "function", "name": "look", "parameters": {"type": "object"}}],
        "input": [said_by("user", "How many?")],
    }


def events_of(said, number, body):
    events = b"".join(BoundResponses().events(said, number, body)).decode().split("\n\n")
    return [json.loads(event.partition("data: ")[2]) for event in events if event]


def answered(said, number, body):
    """Return the items of an answer as a client sends them back."""
    for item in events_of(said, number, body)[-1]["response"]["output"]:
        match item["type"]:
            case "message":
                yield said_by("assistant", item["content"][0]["text"])
            case "reasoning":
                yield item
            case _:
                yield {name: value for name, value in item.items() if name != "id"}


@pytest.fixture
def talk():
    """Make the body of a request whose conversation has three answers, the second to a tool's
    result.
    """
    body = begun()
    for number, said in enumerate(SAID, start=1):
        body["input"] += answered(said, number, body)
        result = {"type": "function_call_output", "call_id": "c1", "output": "Seven"}
        body["input"].append(result if said.calls else said_by("user", "And now?"))
    return body


def strip(body, *which):
    """Remove the reasoning items with these numbers."""
    gone = [thoughts_in(body)[number] for number in which]
    body["input"] = [item for item in body["input"] if item not in gone]


CHANGES = {
    "nothing": (lambda body: None, 0),
    "something at the end": (lambda body: body["input"].append(said_by("user", "What?")), 0),
    "all reasoning is left out": (lambda body: strip(body, 0, 1, 2, 3), 0),
    "the first reasoning is left out": (lambda body: strip(body, 0, 1), 0),
    "the newest reasoning is left out": (lambda body: strip(body, 3), 0),
    "reasoning between is left out": (lambda body: strip(body, 2), 1),
    "the instructions": (lambda body: body.update(instructions="Be long."), 4),
    "one more tool": (lambda body: body["tools"].append({"name": "wait"}), 4),
    "a shorter result": (lambda body: body["input"][5].update(output="[Omitted]"), 2),
    "an earlier question": (lambda body: body["input"].__setitem__(8, said_by("user", "Hm?")), 1),
}


@pytest.mark.parametrize(("change", "count"), CHANGES.values(), ids=CHANGES)
def test_what_is_changed_loses_all_reasoning_after_it(talk, change, count):
    assert BoundResponses().refusal(PATH, talk, {}) == ""
    last = [item for item in talk["input"] if item["type"] == "reasoning"]
    change(talk)

    found = mismatches(talk)

    lost = last[len(last) - count :] if count else []
    assert [talk["input"][int(each.path[6:-1])] for each in found] == lost
    assert {each.reason for each in found} <= {"prefix_binding_mismatch"}


def test_it_is_reported_at_the_end_of_the_answer(talk):
    talk["instructions"] = "Be long."

    told = events_of(Said(text=["No."]), 4, talk)[-1]["response"]["input_transformations"]

    assert {each["type"] for each in told} == {"reasoning_removed"}
    assert [each["path"] for each in told] == [each.path for each in mismatches(talk)]


def test_the_reasoning_of_another_model_is_dropped(talk):
    other = deepcopy(talk) | {"model": "gpt-6"}

    assert {each.reason for each in mismatches(other)} == {"model_binding_mismatch"}
