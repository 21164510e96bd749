"""The offline model's answers about its request: how much was sent, and how it begins."""

import re
from collections.abc import Iterator, Sequence

from chatapp.llm.mirror.understanding import Sent, from_user, quoted
from history.core.projection.opening import TEXT as OPENING
from history.core.summaries.checkpoints import QUOTE

ALONE = "Only this message: if you wrote anything before it, it wasn't sent to me."
MORE = (
    "If you wrote anything before that, it wasn't sent to me: the **inspector** shows what was "
    "left out."
)
TRY = "Tell me your name, write a few more messages, and ask me for it."
START = re.compile(r"\bstart(?:s|ed)?\b", re.IGNORECASE)
NEWEST = 10  # The most messages that an answer lists.
# A text that begins like one of these stands in for a message.
NOT_SAID = (OPENING, QUOTE.partition(" of=")[0])


def by_people(messages: Sequence[Sent]) -> list[str]:
    """Return what people wrote, without the texts that Vitrine puts in place of messages."""
    return [text for text in from_user(messages) if not text.startswith(NOT_SAID)]


def sight(messages: Sequence[Sent]) -> str:
    """Return the answer to "What can you see?"."""
    talk = [message for message in messages if message["role"] != "system"]
    prompt = ", and a system prompt" if len(talk) < len(messages) else ""
    if len(talk) == 1:
        return f"I can see **1 message**, yours{prompt}. {ALONE}\n\n{TRY}"
    counted = ", ".join(_counted(talk))
    return f"I can see **{len(talk)} messages**: {counted}{prompt}.\n\n{oldest(messages)}"


def oldest(messages: Sequence[Sent]) -> str:
    """Return the answer to "How far back can you see?"."""
    texts = by_people(messages)
    if len(texts) < 2:
        return ALONE
    return f"The oldest message from you that I can see:\n\n- {quoted(texts[0])}\n\n{MORE}"


def start(messages: Sequence[Sent]) -> str:
    """Return the answer to "Can you still see where we started?"."""
    texts = [text for text in by_people(messages)[:-1] if START.search(text) and "?" not in text]
    return f"Yes: {quoted(texts[0])}" if texts else f"No.\n\n{oldest(messages)}"


def so_far(messages: Sequence[Sent]) -> str:
    """Return the answer to "Summarise what was said"."""
    texts = by_people(messages)[:-1]
    if not texts:
        return f"There is nothing to summarise yet. {ALONE}"
    more = len(texts) - NEWEST
    earlier = [f"\n{more} older messages from you, and then:"] if more > 0 else []
    lines = [f"- {quoted(text, 80)}" for text in texts[-NEWEST:]]
    return "\n".join(["I only copy, so here is what you wrote:", *earlier, "", *lines])


def _counted(talk: Sequence[Sent]) -> Iterator[str]:
    for role, whose in (("user", "from you"), ("assistant", "from me"), ("tool", "from tools")):
        if count := sum(message["role"] == role for message in talk):
            yield f"{count} {whose}"
