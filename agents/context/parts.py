"""The parts of an agent's context, read from the template's JSON, and their providers.

A provider is a function from `Facts` to a text, which the environment names by its dotted path.
"""

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Literal, TypeAlias, cast

from django.core.exceptions import ImproperlyConfigured
from django.utils.module_loading import import_string
from django.utils.translation import gettext as _

from agents.context.facts import Facts, blanks_fault
from history.core.plan.injected import CONTEXT
from history.core.words.wording import number, printable

MOST = 20  # The most parts of one agent's context.
LONGEST = 20_000  # The most characters of a context text.
NAME = re.compile(r"[a-z0-9][a-z0-9_-]{0,39}")
KINDS = frozenset({"name", "text", "place"}), frozenset({"use", "place"})
EXAMPLES = '{"name": "date", "text": "Today is {date}."} or {"use": "a registered provider"}'

ContextPlace: TypeAlias = Literal["start", "turn"]
PLACES = ("turn", "start")

PROVIDERS: dict[str, Callable[[Facts], str]] = {}


class ContextErrors(ValueError):
    """The faults of a context. Each of `faults` is the number of a part, or 0 for the list as a
    whole, and a text. `messages` say the same as complete sentences.
    """

    def __init__(self, faults: list[tuple[int, str]]) -> None:
        self.faults = faults
        self.messages = [
            f"context, {place}: {fault}" if place else f"context: {fault}"
            for place, fault in faults
        ]
        super().__init__("; ".join(self.messages))


@dataclass(frozen=True, slots=True)
class ContextPart:
    """A part of the context. The blanks in its `text` are not filled in yet.

    If `text` is None, the provider called `name` supplies the text.
    """

    name: str
    text: str | None
    place: ContextPlace = "turn"

    @property
    def label(self) -> str:
        """The part's name in a context plan."""
        return f"{CONTEXT}{self.name}"


def check_context(data: object) -> None:
    """Raise `ContextErrors` with all faults, including unknown providers."""
    parts = parse_context(data)
    faults = [(n, provider_fault(p.name)) for n, p in enumerate(parts, 1) if p.text is None]
    if errors := [(place, fault) for place, fault in faults if fault]:
        raise ContextErrors(errors)


def parse_context(data: object) -> tuple[ContextPart, ...]:
    """Parse parts. Raise `ContextErrors`, but not for an unregistered provider, which may be
    registered again.
    """
    if not isinstance(data, list) or len(data) > MOST:
        sentence = _("must be a list of at most {most} entries").format(most=MOST)
        raise ContextErrors([(0, sentence)])
    faults = [(place, _fault(spec)) for place, spec in enumerate(data, start=1)]
    if errors := [each for each in faults if each[1]] or list(_repeated(data)):
        raise ContextErrors(errors)
    return tuple(map(_part, data))


def _fault(spec: object) -> str:
    if not isinstance(spec, Mapping) or not any({*spec, "place"} == kind for kind in KINDS):
        sentence = _("must look like {examples}, with or without a place")
        return sentence.format(examples=EXAMPLES)
    name = _name(spec)
    if not isinstance(name, str) or not NAME.fullmatch(name):
        sentence = _("{name}: names consist of a-z, 0-9, - and _, up to 40 characters")
        return sentence.format(name=printable(str(name)))
    if spec.get("place", "turn") not in PLACES:
        turn, start = PLACES
        sentence = _("place={place}: must be {turn} or {start}")
        return sentence.format(place=printable(str(spec["place"])), turn=turn, start=start)
    return _text_fault(spec["text"]) if "text" in spec else ""


def _text_fault(text: object) -> str:
    if not isinstance(text, str) or not text.strip():
        return _("text: must not be empty")
    if len(text) > LONGEST:
        sentence = _("text: has {count} characters; the limit is {most}")
        return sentence.format(count=number(len(text)), most=number(LONGEST))
    fault = blanks_fault(text)
    return f"text: {fault}" if fault else ""


def _repeated(data: list[Any]) -> Iterator[tuple[int, str]]:
    names = [_name(spec) for spec in data]
    for place, name in enumerate(names, start=1):
        if name in names[: place - 1]:
            yield place, _("the name {name} is already used").format(name=name)


def _name(spec: Mapping[str, Any]) -> object:
    return spec.get("name", spec.get("use"))


def _part(spec: Mapping[str, Any]) -> ContextPart:
    place = cast(ContextPlace, spec.get("place", "turn"))
    return ContextPart(str(_name(spec)), spec.get("text"), place)


def register_providers(paths: Mapping[str, str]) -> None:
    """Register names with dotted paths. Raise `ImproperlyConfigured` naming the variable and
    why.
    """
    for name, path in paths.items():
        try:
            provider = import_string(path)
        except Exception as error:  # Importing runs the extension's code.
            raise ImproperlyConfigured(_refusal(name, path, str(error))) from error
        if not callable(provider):
            raise ImproperlyConfigured(_refusal(name, path, "it is not a function"))
        PROVIDERS[name] = provider


def provider_fault(name: str) -> str:
    """Say why there is no provider of that name; empty if there is one."""
    if name in PROVIDERS:
        return ""
    none = _("none; register functions with CONTEXT_PROVIDERS in the environment")
    names = ", ".join(PROVIDERS) or none
    return _("unknown function; available: {known}").format(known=names)


def _refusal(name: str, path: str, reason: str) -> str:
    return f"CONTEXT_PROVIDERS, {name}={path}: {reason}"
