"""Sentences on how the provider's library changed the request body that we handed to it."""

import json
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from history.core.words.facts import Fact, Rule
from history.core.words.wording import number

LISTS = frozenset({"messages", "tools"})
ASKED_FOR = frozenset({"temperature", "max_tokens", "tools", "reasoning_effort", "thinking"})


def attempt_title(attempt: int, status: int | None, *, left: bool = True) -> str:
    """Name an attempt, with the HTTP status of its answer; `left` is false if it never left."""
    became = status or (_("no answer") if left else _("nothing was sent"))
    return _("Attempt {attempt}: {status}").format(attempt=number(attempt), status=became)


def body_line(size: int, digest: str) -> str:
    return _("{size} bytes, SHA-256 {digest}").format(size=number(size), digest=digest)


def wire_sentence(fact: Fact) -> str:
    return WIRES[fact.rule](**fact.figures)


def _dropped(path: str, was: Sequence[Any], count: int, model: str, **_more: Any) -> str:
    what = _with_values(path, was)
    if path in ASKED_FOR:
        return _("{what} was not sent: {model} doesn't take it.").format(what=what, model=model)
    sentence = ngettext("{what} was not sent.", "{what} was not sent ({count} times).", count)
    return sentence.format(what=what, count=number(count))


def _added(to: str, now: Sequence[Any], count: int, **_more: Any) -> str:
    sentence = ngettext("{what} was added.", "{what} was added ({count} times).", count)
    return sentence.format(what=_with_values(to, now), count=number(count))


def _moved(path: str, to: str, was: Sequence[Any], count: int, **_more: Any) -> str:
    if path == to:
        sentence = ngettext(
            "{path}: one value is at another position.",
            "{path}: {count} values are at other positions.",
            count,
        )
        return sentence.format(path=path, count=number(count))
    if path not in LISTS and "[]" not in path + to:
        return _("{what} is called {to}.").format(what=_with_values(path, was), to=to)
    sentence = ngettext("{path} became {to}.", "{path} became {to} ({count} values).", count)
    return sentence.format(path=path, to=to, count=number(count))


def _changed(path: str, was: Sequence[Any], now: Sequence[Any], **_more: Any) -> str:
    if not was or not now:
        return _("{path} was changed.").format(path=path)
    return _("{path} {was} was sent as {now}.").format(
        path=path, was=_values(was), now=_values(now)
    )


def _with_values(path: str, values: Sequence[Any]) -> str:
    return f"{path} {_values(values)}" if values else path


def _values(values: Sequence[Any]) -> str:
    return ", ".join(v if isinstance(v, str) else json.dumps(v) for v in values)


def _saying(sentence: Any) -> Callable[..., str]:
    return lambda path, to, was, **_more: str(
        sentence.format(path=path, to=to, what=_with_values(path, was))
    )


WIRES: Mapping[Rule, Callable[..., str]] = {
    Rule.WIRE_DROPPED: _dropped,
    Rule.WIRE_ADDED: _added,
    Rule.WIRE_MOVED: _moved,
    Rule.WIRE_CHANGED: _changed,
    Rule.WIRE_SPELLED: _saying(
        gettext_lazy("{path}, a text, was sent as the object that it spells: {to}.")
    ),
    Rule.WIRE_IN_ADDRESS: _saying(gettext_lazy("{what} is in the address instead of the body.")),
}


def taken_up() -> str:
    return _(
        "The server process that had asked for this answer ended. Another one read on at the "
        "provider; the model was not asked again."
    )
