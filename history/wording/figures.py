"""Numbers of messages, turns and tokens as sentences name them, in the reader's language."""

from collections.abc import Iterable

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from history.core.wording import number, runs_of


def tokens(count: int) -> str:
    return ngettext("{count} token", "{count} tokens", count).format(count=number(count))


def message_count(count: int) -> str:
    return ngettext("{count} message", "{count} messages", count).format(count=number(count))


def turn_count(count: int) -> str:
    return ngettext("{count} turn", "{count} turns", count).format(count=number(count))


def run_count(count: int) -> str:
    return ngettext("{count} run", "{count} runs", count).format(count=number(count))


def turns(first: int, last: int) -> str:
    """`turn 9`, or `turns 5` to `9` with a dash."""
    if first == last:
        return _("turn {number}").format(number=number(last))
    return _("turns {first}\N{EN DASH}{last}").format(first=number(first), last=number(last))


def messages(first: int, last: int) -> str:
    """`message 9`, or `messages 5` to `9` with a dash, of positions."""
    where = places([range(first, last + 1)])
    return ngettext("message {places}", "messages {places}", last - first + 1).format(places=where)


def places(runs: Iterable[range]) -> str:
    """The messages at these positions, counted from 1."""
    *others, last = runs_of(runs)
    if not others:
        return last
    return _("{others} and {last}").format(others=", ".join(others), last=last)


def capitalised(sentence: str) -> str:
    """Capitalise a sentence, unless it begins with the name of a setting or a call."""
    first = sentence.split(" ", 1)[0].rstrip(",;:")
    is_word = first.isalpha() and first.islower()
    return sentence[0].upper() + sentence[1:] if is_word else sentence
