"""There is a sentence for every difference between the body given to a library and the one sent."""

import pytest

from history.core.wire.differing import differences
from history.wording.wires import wire_sentence

HANDED = {
    "model": "openai/gpt-5",
    "temperature": 0.3,
    "max_tokens": 900,
    "messages": [{"content": "A question"}, {"content": "Another"}, {"arguments": '{"a": 1}'}],
}
SENT = {
    "model": "gpt-5",
    "max_completion_tokens": 900,
    "usage": {"include": True},
    "messages": [{"text": "A question"}, {"text": "Another"}, {"input": {"a": 1}}],
}
SENTENCES = [
    "temperature 0.3 was not sent: openai/gpt-5 doesn't take it.",
    "model openai/gpt-5 was sent as gpt-5.",
    "max_tokens 900 is called max_completion_tokens.",
    "usage.include true was added.",
    "messages[].content became messages[].text (2 values).",
    "messages[].arguments, a text, was sent as the object that it spells: messages[].input.",
]


def test_what_became_of_a_body():
    assert [wire_sentence(row.fact) for row in differences(HANDED, SENT)] == SENTENCES


@pytest.mark.parametrize(
    ("handed", "sent", "address", "sentence"),
    [
        (
            {"model": "gemini/pro"},
            {},
            "/pro:x",
            "model gemini/pro is in the address instead of the body.",
        ),
        (
            {"reasoning_effort": "low"},
            {"thinking": {"type": "enabled", "budget_tokens": 1024}},
            "",
            "reasoning_effort low is called thinking.",
        ),
        ({"messages": [{"a": None}] * 2}, {}, "", "messages[].a null was not sent (2 times)."),
        (
            {"messages": [1, {"a": 2}]},
            {"messages": [{"a": 2}]},
            "",
            "messages: one value is at another position.",
        ),
        ({"messages": [{"a": "b "}]}, {"messages": [{"a": "b"}]}, "", "messages[].a was changed."),
    ],
)
def test_other_cases(handed, sent, address, sentence):
    more = {"n": 1}
    found = differences({**handed, **more}, {**sent, **more}, address)

    assert sentence in [wire_sentence(row.fact) for row in found]
