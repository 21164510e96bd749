"""A zone of the panel, and what zones are made from."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from enum import Enum, auto
from functools import cached_property
from typing import Any, Generic, TypeVar

from django.urls import URLPattern, URLResolver
from django.utils.functional import Promise

from history.core.plan.plan import Plan
from history.models import ContextPlan, Conversation
from history.services.access import Actor, may_see_cost
from history.services.explain.cost.previous import SharedWithPrevious, common_with, request_before
from history.services.explain.cost.spending import steps_of
from history.services.explain.explanation import Explanation, explanation_of
from history.services.explain.lookup import last_turn

T = TypeVar("T")


class Place(Enum):
    """Above both columns, or in one of them; on a phone the right one is below the left."""

    ABOVE = auto()
    LEFT = auto()
    RIGHT = auto()


@dataclass(frozen=True)
class Zone(Generic[T]):
    """A part of the panel with a name.

    `read` makes the `data` that the `template` shows. None: there is nothing, or this reader may
    not see it; then the zone and its link are left out. The template extends `panel/zone.html`,
    which has `title` and, while it is folded, `hint`. `urls` are the addresses of what is loaded
    later, below the panel's own.
    """

    name: str
    title: Promise
    template: str
    read: "Callable[[ShownRecord], T | None]"
    hint: Promise | str = ""
    place: Place = Place.LEFT
    is_linked: bool = True
    urls: Sequence[URLPattern | URLResolver] = ()


@dataclass
class ShownRecord:
    """The record that the panel shows, for a reader. What several zones need is read once.

    `query` is the address of the open chat, without which nothing is said of the next message.
    """

    actor: Actor
    record: ContextPlan
    query: str | None = None
    data: dict[str, Any] = field(default_factory=dict)

    def of(self, zone: Zone[T]) -> T | None:
        """Return a zone's data, for the panel or for another zone."""
        if zone.name not in self.data:
            self.data[zone.name] = zone.read(self)
        found: T | None = self.data[zone.name]
        return found

    @property
    def conversation(self) -> Conversation:
        return self.record.generation.conversation

    @cached_property
    def explanation(self) -> Explanation:
        return explanation_of(self.record, last_turn(self.conversation))

    @property
    def plan(self) -> Plan:
        return self.explanation.plan

    @property
    def is_newest(self) -> bool:
        """Whether it belongs to the open branch's last turn."""
        return self.explanation.turn >= self.explanation.turns

    @property
    def with_money(self) -> bool:
        return may_see_cost(self.actor, self.conversation)

    @cached_property
    def steps(self) -> list[ContextPlan]:
        """Its generation's requests, in order."""
        return steps_of(self.record.generation)

    @cached_property
    def common(self) -> SharedWithPrevious | None:
        """What it shares with the request before; None for the first of a path, or if unsent."""
        if not self.explanation.has_left:
            return None
        return common_with(self.record, self.plan, request_before(self.record))
