"""The parts of an agent's context, from the JSON that a template keeps, and their providers.

Providers are functions that the environment names, from `Facts` to a text.
"""

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Literal, TypeAlias, cast

from django.core.exceptions import ImproperlyConfigured
from django.utils.module_loading import import_string

from agents.context.facts import Facts, blanks_fault
from history.core.plan.injected import CONTEXT
from history.core.wording import number, printable

MOST = 20  # Parts of one agent.
LONGEST = 20_000  # Characters of a text.
NAME = re.compile(r"[a-z0-9][a-z0-9_-]{0,39}")
KINDS = frozenset({"name", "text", "place"}), frozenset({"use", "place"})
EXAMPLES = '{"name": "date", "text": "Today is {date}."} or {"use": "a registered provider"}'

ContextPlace: TypeAlias = Literal["start", "turn"]
PLACES = ("turn", "start")

PROVIDERS: dict[str, Callable[[Facts], str]] = {}


class ContextErrors(ValueError):
    """`messages` say what is wrong with each part, by its place."""

    def __init__(self, messages: list[str]) -> None:
        self.messages = messages
        super().__init__("; ".join(messages))


@dataclass(frozen=True, slots=True)
class ContextPart:
    """One text. `text` still has its blanks; if it is None, the provider of that name supplies
    it.
    """

    name: str
    text: str | None
    place: ContextPlace = "turn"

    @property
    def label(self) -> str:
        """Its name in a context plan."""
        return f"{CONTEXT}{self.name}"


def check_context(data: object) -> None:
    """Raise `ContextErrors` for all that is wrong, unknown providers too."""
    parts = parse_context(data)
    faults = [(n, provider_fault(p.name)) for n, p in enumerate(parts, 1) if p.text is None]
    if messages := [f"context, {place}: {fault}" for place, fault in faults if fault]:
        raise ContextErrors(messages)


def parse_context(data: object) -> tuple[ContextPart, ...]:
    """Parse parts. Raise `ContextErrors`, but not for an unregistered provider, which may come
    back.
    """
    if not isinstance(data, list) or len(data) > MOST:
        raise ContextErrors([f"context: must be a list of at most {MOST} entries"])
    faults = [(place, _fault(spec)) for place, spec in enumerate(data, start=1)]
    messages = [f"context, {place}: {fault}" for place, fault in faults if fault]
    if messages := messages or list(_repeated(data)):
        raise ContextErrors(messages)
    return tuple(map(_part, data))


def _fault(spec: object) -> str:
    if not isinstance(spec, Mapping) or not any({*spec, "place"} == kind for kind in KINDS):
        return f"must look like {EXAMPLES}, with or without a place"
    name = _name(spec)
    if not isinstance(name, str) or not NAME.fullmatch(name):
        return f"{printable(str(name))}: names consist of a-z, 0-9, - and _, up to 40 characters"
    if spec.get("place", "turn") not in PLACES:
        return f"place={printable(str(spec['place']))}: must be {' or '.join(PLACES)}"
    return _text_fault(spec["text"]) if "text" in spec else ""


def _text_fault(text: object) -> str:
    if not isinstance(text, str) or not text.strip():
        return "text: must not be empty"
    if len(text) > LONGEST:
        return f"text: has {number(len(text))} characters; the limit is {number(LONGEST)}"
    fault = blanks_fault(text)
    return f"text: {fault}" if fault else ""


def _repeated(data: list[Any]) -> Iterator[str]:
    names = [_name(spec) for spec in data]
    for place, name in enumerate(names, start=1):
        if name in names[: place - 1]:
            yield f"context, {place}: the name {name} is already used"


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
    known = ", ".join(PROVIDERS) or "none; CONTEXT_PROVIDERS in the environment registers them"
    return f"unknown provider; available: {known}"


def _refusal(name: str, path: str, reason: str) -> str:
    return f"CONTEXT_PROVIDERS, {name}={path}: {reason}"
