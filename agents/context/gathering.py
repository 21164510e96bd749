"""Gather the context texts of a turn. If a provider fails or hangs, only its text is missing."""

import logging
import re
from collections.abc import Callable, Iterable, Mapping
from concurrent.futures import Future, wait
from dataclasses import dataclass
from threading import Thread
from time import monotonic
from typing import Any, Protocol

from django.db import connections

from agents.context.facts import Facts, filled
from agents.context.parts import LONGEST, PROVIDERS, ContextPart, ContextPlace
from history.core.words.facts import Note, Rule, warning

logger = logging.getLogger(__name__)

SECONDS = 2.0  # All providers of a turn must answer in this time.


class Pool(Protocol):
    """A limit on the threads that run providers, so that hanging providers cannot use up all
    threads.
    """

    def enter(self) -> Callable[[], object] | None:
        """Take a place; return a function that gives it back, or None if none is free."""


_registered: list[Pool] = []


def register_pool(pool: Pool) -> None:
    """Replace the registered pool."""
    _registered[:] = [pool]


QUOTE = """\
<context name="{name}" from="the application, not the user">
{text}
</context>"""


class LeftOut(Exception):
    """A part of the context has no text this time. `figures` say why; anybody may see them."""

    def __init__(self, why: str, **figures: Any) -> None:
        super().__init__(why)
        self.figures = {"why": why, **figures}


@dataclass(frozen=True, slots=True)
class ContextText:
    """A text as the model gets it; empty if a provider had nothing to say."""

    label: str
    text: str
    place: ContextPlace


@dataclass(frozen=True, slots=True)
class ContextTexts:
    """The context texts of a turn. `notes` say which parts were left out, and why."""

    texts: tuple[ContextText, ...] = ()
    notes: tuple[Note, ...] = ()


NOTHING = ContextTexts()


def gathered(parts: Iterable[ContextPart], facts: Facts) -> ContextTexts:
    """Ask the providers side by side, each in a thread. Never raise: a note reports each
    failure.
    """
    futures = [(part, _begun(part, facts)) for part in parts]
    deadline = monotonic() + SECONDS
    texts, notes = [], []
    for part, future in futures:
        try:
            text = _text(future, max(0.0, deadline - monotonic()))
        except Exception as error:
            figures = _reason(part, error)
            notes.append(warning(Rule.CONTEXT_LEFT_OUT, label=part.label, **figures))
        else:
            texts.append(ContextText(part.label, _quoted(part.name, text), part.place))
    return ContextTexts(tuple(texts), tuple(notes))


def _begun(part: ContextPart, facts: Facts) -> Future[str]:
    future: Future[str] = Future()
    if part.text is not None:
        future.set_result(filled(part.text, facts))
    elif leave := _registered[0].enter():
        arguments = (part.name, facts, future, leave)
        Thread(target=_ask, args=arguments, name=part.label, daemon=True).start()
    else:
        future.set_exception(LeftOut("busy"))
    return future


def _ask(name: str, facts: Facts, future: Future[str], leave: Callable[[], object]) -> None:
    """Ask a provider. This thread's database connections are closed afterwards."""
    try:
        if name not in PROVIDERS:
            raise LeftOut("gone")
        future.set_result(PROVIDERS[name](facts))
    except Exception as error:
        future.set_exception(error)
    except BaseException:
        future.set_exception(LeftOut("exited"))
    finally:
        connections.close_all()
        leave()


def _text(future: Future[str], seconds: float) -> str:
    wait([future], seconds)
    if not future.done():
        raise LeftOut("slow", seconds=SECONDS)
    text: object = future.result()
    if not isinstance(text, str):
        raise LeftOut("no_text", kind=type(text).__name__)
    if len(text) > LONGEST:
        raise LeftOut("too_long", size=len(text), most=LONGEST)
    return text


def _reason(part: ContextPart, error: Exception) -> Mapping[str, Any]:
    """Say why a part was left out, without the error's text: not every reader may see that."""
    if isinstance(error, LeftOut):
        return error.figures
    logger.error("The context provider %s failed", part.name, exc_info=error)
    return {"why": "failed", "error": type(error).__name__}


def _quoted(name: str, text: str) -> str:
    """Wrap a text in a tag. Keep the text from closing the tag: a person may have written it."""
    inner = re.sub(r"<\s*/\s*(?=context)", "</ ", text.strip(), flags=re.IGNORECASE)
    return QUOTE.format(name=name, text=inner) if inner else ""
