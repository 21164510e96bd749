"""Words as the search compares them: reduced to stems, without stop words, and with synonyms."""

import re
from collections.abc import Iterator, Sequence
from functools import cache

WORD = re.compile(r"[^\W_]+")  # Underscores divide words: MAX_FILE_BYTES is three.
PLURAL = re.compile(r"(?<=\w{3})(?<!s)s$")
ENDING = re.compile(r"(?<=\w{3})(?:ing|ion|ed|ie|ly|e|y)$")
DOUBLED = re.compile(r"(?<=\w{2})([^\W\d_])\1$")
COMMON = """
    a about after all an and any are as at be been but by can cannot could did do does for
    from get getting give got had has have he her here his how i if in into is it its me
    much my no not of on one only or our out she should so some somebody someone tell than
    that the their them then there these they this those to us use used using want was we
    were what when where which who why will with work works would you your d ll m re s t ve
"""  # Stop words; the last of these are the endings of I'd, she'll and the like.
ALIKE = """
    account user
    add create new make
    answer reply response
    archive hide
    agent bot assistant
    allow restrict
    big large size
    broken error fail fault problem
    chat conversation
    choose change set switch
    config configuration setting
    cost expensive price money bill spend
    dark light theme
    delete remove erase clear
    download export
    find search
    forget forgotten remember
    hotkey shortcut
    image photo picture
    keep kept retain store
    install run start
    largest max maximum most
    login signin
    password passphrase
    private privacy
    multiple several
    quota limit
    regenerate retry
    summarise summarize summary
    team others everybody
    update upgrade
    upload attach
"""  # The words on each line mean nearly the same to somebody who searches.
_common = frozenset(COMMON.split())


def words_of(text: str) -> list[str]:
    return WORD.findall(text.casefold())


@cache
def stem(word: str) -> str:
    """Return a word without its ending: "deletes", "deleted" and "deleting" all become "delete"."""
    singular = PLURAL.sub("", word)
    return DOUBLED.sub(r"\1", ENDING.sub("", singular))


def is_common(word: str) -> bool:
    return word in _common


def telling(words: Sequence[str]) -> list[str]:
    """Return the words without stop words."""
    return [word for word in words if not is_common(word)]


@cache
def alike(word: str) -> frozenset[str]:
    """Return the stems of the words that mean nearly the same as this word."""
    mine = stem(word)
    return frozenset(each for group in _groups() if mine in group for each in group) - {mine}


@cache
def _groups() -> tuple[frozenset[str], ...]:
    return tuple(frozenset(map(stem, line.split())) for line in _lines())


def _lines() -> Iterator[str]:
    return filter(None, map(str.strip, ALIKE.splitlines()))
