"""What the offline model says about the messages that it sees, from one to a window with a
summary.
"""

import pytest

from chatapp.llm.mirror.mind import answer
from chatapp.llm.mirror.sight import ALONE, MORE, TRY
from history.core.projection.opening import TEXT as OPENING
from history.core.summaries.checkpoints import QUOTE

SYSTEM = {"role": "system", "content": "Be kind."}
NAME = "My name is Ada, and we start in Lisbon."
SUMMARY = QUOTE.format(first=1, last=9, summary=f"- {NAME}")
THREE = "**3 messages**: 2 from you, 1 from me, and a system prompt"
SEE, BACK = "What can you see of this chat?", "How far back can you see?"
STARTED, SUMMARISE = "Can you still see where we started?", "Summarise what we have said so far."


def say(*texts):
    """Return a person's messages, with an answer to each but the last."""
    parts = [
        ({"role": "user", "content": text}, {"role": "assistant", "content": "Hm."})
        for text in texts
    ]
    return [message for pair in parts for message in pair][:-1]


def oldest(text):
    return f"The oldest message from you that I can see:\n\n- “{text}”\n\n{MORE}"


@pytest.mark.parametrize(
    ("messages", "expected"),
    [
        pytest.param(
            [SYSTEM, *say(SEE)],
            f"I can see **1 message**, yours, and a system prompt. {ALONE}\n\n{TRY}",
            id="the first message",
        ),
        pytest.param(
            [SYSTEM, *say(NAME, SEE)],
            f"I can see {THREE}.\n\n{oldest(NAME)}",
            id="a few",
        ),
        pytest.param(say(BACK), ALONE, id="nothing further back"),
        pytest.param(say("Hm *hm*.", BACK), oldest("Hm \\*hm\\*."), id="how far back"),
        pytest.param(say(OPENING, "Well.", BACK), oldest("Well."), id="not the opening"),
        pytest.param(say(SUMMARY, "Well.", BACK), oldest("Well."), id="nor a summary"),
        pytest.param(say(NAME, "So?", STARTED), f"Yes: “{NAME}”", id="the start"),
        pytest.param(say("So.", STARTED), f"No.\n\n{oldest('So.')}", id="the start is left out"),
        pytest.param(
            say(SUMMARISE), f"There is nothing to summarise yet. {ALONE}", id="nothing to summarise"
        ),
        pytest.param(
            say("A.", "B?", SUMMARISE),
            "I only copy, so here is what you wrote:\n\n- “A.”\n- “B?”",
            id="what was said",
        ),
        pytest.param(
            say(*map(str, range(12)), SUMMARISE),
            "I only copy, so here is what you wrote:\n\n2 older messages from you, and then:\n\n"
            + "\n".join(f"- “{n}”" for n in range(2, 12)),
            id="more than a list takes",
        ),
    ],
)
def test_what_it_says_it_can_see(messages, expected):
    assert answer(messages).text == expected
