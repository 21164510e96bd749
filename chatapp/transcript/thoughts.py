"""What a model thought, shown folded above what it said."""

from dataclasses import dataclass

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from history.core.transcript.parts import Reasoning, part_from_dict, reasoning_in
from history.core.words.wording import number
from history.models import Message

MINUTE = 60


@dataclass(frozen=True, slots=True)
class ThoughtLine:
    """What the model thought. `text` is empty if only the provider can read it."""

    label: str
    size: str
    text: str
    is_thought: bool = True


def thought_of(message: Message) -> ThoughtLine | None:
    """Return what the model thought; None if it did not think, or did not show its thoughts."""
    thoughts = reasoning_in(map(part_from_dict, message.parts)) if message.parts else ()
    if not thoughts:
        return None
    return ThoughtLine(_label(thoughts), _size(thoughts), text_of(thoughts))


def text_of(thoughts: tuple[Reasoning, ...]) -> str:
    return "\n\n".join(part.text for part in thoughts if part.text)


def _label(thoughts: tuple[Reasoning, ...]) -> str:
    seconds = round(sum(part.took_ms for part in thoughts) / 1000)
    if not seconds:
        return _("Thought")
    return _("Thought for {time}").format(time=lasted(seconds))


def lasted(seconds: int) -> str:
    """How long the model thought: `40 s`, `2 min 5 s`. static/js/thinking.js writes the same."""
    minutes, rest = divmod(seconds, MINUTE)
    text = _("{minutes} min {seconds} s") if minutes else _("{seconds} s")
    return text.format(minutes=minutes, seconds=rest)


def _size(thoughts: tuple[Reasoning, ...]) -> str:
    tokens = sum(part.tokens for part in thoughts)
    if not tokens:
        return ""
    return ngettext("{n} token", "{n} tokens", tokens).format(n=number(tokens))
