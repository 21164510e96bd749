"""Guess what was meant if a search finds nothing: a word that nobody said may be misspelt."""

import re
from collections.abc import Iterable, Iterator

from history.core.transcript.messages import Role
from history.core.words.wording import nearest
from history.models import Message
from history.services.access import Actor, listed_conversations
from history.services.search.finding import found_keys
from history.services.search.letters import plain
from history.services.search.terms import LONGEST, MOST_TERMS, RUN, Term

BEGINNING = 3  # How many first letters a misspelt word shares with the word that was meant.
LEAST = 4  # The fewest letters of a word to correct: shorter words are all alike.
MOST_MESSAGES, MOST_CHATS = 100, 500  # The newest messages and chats whose words are compared.
READ = 20_000  # How many characters of each message are read.
NEAR = 0.75  # The least similarity of a word to the misspelt one.


def corrected(actor: Actor, query: str) -> str:
    """Return the query with corrections of words that occur nowhere; empty if there are none."""
    words = [match[0] for match in RUN.finditer(query) if match[2]][:MOST_TERMS]
    mended = {word: near for word in words if (near := _meant(actor, word))}
    return RUN.sub(lambda match: mended.get(match[0], match[0]), query) if mended else ""


def _meant(actor: Actor, word: str) -> str:
    term = Term(plain(word)[:LONGEST])
    if len(word) < LEAST or found_keys(actor, [term]):
        return ""
    near = nearest(term.text, _words(actor, Term(term.text[:BEGINNING])), NEAR)
    return "" if near == term.text else near


def _words(actor: Actor, beginning: Term) -> Iterator[str]:
    """Yield the words of titles, and those of messages in which a word has the same beginning."""
    chats = listed_conversations(actor).order_by("-active")
    yield from _split(chats.values_list("title", flat=True)[:MOST_CHATS])
    keys = found_keys(actor, [beginning])[:MOST_MESSAGES]
    own = Message.objects.filter(pk__in=keys, conversation__in=listed_conversations(actor))
    texts = own.exclude(role=Role.SYSTEM).values_list("text", flat=True)
    alike = re.compile(rf"\b{re.escape(beginning.text)}\w*")
    for text in texts:
        yield from alike.findall(plain(text[:READ]))


def _split(texts: Iterable[str]) -> Iterator[str]:
    for text in texts:
        yield from (match[0] for match in RUN.finditer(plain(text)) if match[2])
