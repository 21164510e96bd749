"""A zone of the panel, and the record that the panel shows."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Generic, Literal, TypeVar

from django.urls import URLPattern, URLResolver
from django.utils.functional import Promise

from history.core.plan.plan import Plan
from history.models import ContextPlan, Conversation
from history.services.access import Actor, may_see_cost
from history.services.explain.cost.previous import SharedWithPrevious, common_with, request_before
from history.services.explain.cost.spending import steps_of
from history.services.explain.explanation import Explanation, explanation_of
from history.services.explain.lookup import last_turn
from history.services.wire.delivery import has_left

T = TypeVar("T")


@dataclass(frozen=True)
class Zone(Generic[T]):
    """A part of the panel, whose files are named after it.

    `read` makes the `data` for the zone's template; if it returns None, the zone and its link are
    left out: there is nothing to show, or nothing this reader may see. `hint` says what is in the
    zone while it is folded. `place` is above both columns or in one of them. `urls` are the
    addresses, below the panel's own, of what is loaded later. `look` is a CSS class; a zone that
    has one also has an id.
    """

    name: str
    title: Promise
    hint: Promise | str
    read: "Callable[[ShownRecord], T | None]"
    place: Literal["above", "left", "right"] = "left"
    is_linked: bool = True
    urls: Sequence[URLPattern | URLResolver] = ()
    look: str = ""

    @property
    def template(self) -> str:
        """The path of the zone's template; most templates extend `panel/zone.html`."""
        return f"panel/{self.name.replace('-', '')}/zone.html"


@dataclass
class ShownRecord:
    """The record that the panel shows to a reader. Data that several zones need is read once.

    `chat_query` is the open chat's query; without it nothing is said about the next message.
    """

    actor: Actor
    record: ContextPlan
    chat_query: str | None = None
    data: dict[str, Any] = field(default_factory=dict)

    def of(self, zone: Zone[T]) -> T | None:
        """Return a zone's data, for the panel or for another zone."""
        if zone.name not in self.data:
            self.data[zone.name] = zone.read(self)
        data: T | None = self.data[zone.name]
        return data

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
        """Whether the record belongs to the open branch's last turn."""
        return self.explanation.turn >= self.explanation.turns

    @property
    def with_money(self) -> bool:
        return may_see_cost(self.actor, self.conversation)

    @cached_property
    def steps(self) -> list[ContextPlan]:
        """The requests of the generation that the record belongs to, in order."""
        return steps_of(self.record.generation)

    @cached_property
    def common(self) -> SharedWithPrevious | None:
        """The beginning that the request shares with the one before; None for a path's first
        request, or if the request was not sent.
        """
        if not self.explanation.has_left:
            return None
        return common_with(self.record, self.plan, request_before(self.record))

    @cached_property
    def common_at_start(self) -> SharedWithPrevious | None:
        """The same of the turn's first request, in which windows move; None if the record is it."""
        first = self.steps[0]
        if first.pk == self.record.pk or not has_left(first):
            return None
        first.generation = self.record.generation
        return common_with(first, first.core_plan, request_before(first))
