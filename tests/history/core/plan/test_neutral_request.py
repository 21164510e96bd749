from itertools import pairwise

import pytest
from hypothesis import given

from history.core.plan.injected import Injected
from history.core.plan.neutral_request import canonical, lasting, openai_messages, request_hash
from history.core.projection.project import project
from history.core.projection.request import ProjectionRequest
from history.core.transcript.messages import Message, Role, ToolCall
from tests import transcripts
from tests.history.core.making import ROOMY, settings_of
from tests.history.core.strategies import well_formed


def test_a_round_of_calls_in_the_chat_format():
    assert openai_messages(transcripts.ONE_TOOL[:3]) == [
        {"role": "user", "content": "find it"},
        {
            "role": "assistant",
            "content": None,
            "tool_calls": [
                {
                    "id": "c1",
                    "type": "function",
                    "function": {"name": "search", "arguments": "{}"},
                }
            ],
        },
        {"role": "tool", "content": "found", "tool_call_id": "c1"},
    ]


@pytest.mark.parametrize(("text", "content"), [("", None), (" \n", None), ("Let me", "Let me")])
def test_text_beside_calls(text, content):
    message = Message(0, Role.ASSISTANT, text, (ToolCall("c1", "search", "{}"),))

    assert openai_messages([message])[0]["content"] == content


def test_injected_texts_go_first_and_last():
    injected = (
        Injected("continue instruction", Role.USER, "Continue", 3, "end"),
        Injected("system prompt", Role.SYSTEM, "You are kind", 3, "start"),
    )

    assert openai_messages(transcripts.PLAIN[:1], injected) == [
        {"role": "system", "content": "You are kind"},
        {"role": "user", "content": "one"},
        {"role": "user", "content": "Continue"},
    ]


@pytest.mark.parametrize(
    ("places", "count"),
    [
        pytest.param([], None, id="nothing injected"),
        pytest.param(["start", "end"], None, id="nothing for the turn"),
        pytest.param(["start", "turn"], 5, id="the prompt and two turns"),
        pytest.param(["turn"], 4, id="two turns"),
    ],
)
def test_what_lasts_stands_before_the_texts_of_the_turn(places, count):
    injected = [Injected(place, Role.USER, "text", 1, place) for place in places]

    assert lasting(transcripts.PLAIN, injected) == count


@given(path=well_formed(cold=False, answered=True))
def test_up_to_the_texts_of_the_turn_a_request_begins_the_next_one(path):
    """Everything before the turn's own texts is also the beginning of the next turn's request, so
    that a provider can take that beginning from its cache.
    """
    asked = [message.position for message in path if message.role is Role.USER]
    requests = [dated_request(path[: place + 1]) for place in asked]

    for (before, stable), (after, _) in pairwise(requests):
        assert after[:stable] == before[:stable]


def dated_request(path):
    """Make a request with a date that changes each turn, and count the messages before the date."""
    injected = (
        Injected("system prompt", Role.SYSTEM, "Be kind", 3),
        Injected("context date", Role.USER, f"Turn {path[-1].turn}", 3, "turn"),
    )
    request = ProjectionRequest(settings_of(**ROOMY), injected=injected)
    projection = project(path, request)
    sent = projection.messages, projection.injected
    return openai_messages(*sent), lasting(*sent)


def test_the_canonical_text_has_one_form():
    assert canonical({"b": [1, None], "a": "\u00e9"}) == '{"a":"\\u00e9","b":[1,null]}'


def test_the_hash_does_not_depend_on_the_order_of_keys():
    assert request_hash({"a": 1, "b": 2}) == request_hash({"b": 2, "a": 1})
    assert request_hash({"a": 1}) == (
        "015abd7f5cc57a2dd94b7590f04ad8084273905ee33ec5cebeae62276a97f862"
    )


def test_a_request_that_is_not_json_is_an_error():
    with pytest.raises(ValueError, match="not JSON compliant"):
        canonical({"temperature": float("nan")})
