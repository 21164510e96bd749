"""Try other settings for one request or all requests of a conversation, over HTTP. No model is
called.
"""

from typing import Annotated, Any, Literal
from uuid import UUID

from django.http import HttpRequest
from django.utils.translation import gettext as _
from ninja import Router, Schema
from pydantic import Field

from history.models import Conversation
from history.schemas import Incoming
from history.services.access import access_conversation, actor_of, may_see_cost
from history.services.errors import Refused
from history.services.explain.lookup import shown_plan
from history.services.texts import Storable
from history.services.whatif.replaying import TURNS, replay_records, replayed
from history.services.whatif.tried_records import tried_record
from history.services.whatif.trying import (
    PlannedRequest,
    Variant,
    present,
    recorded,
    try_variants,
)

router = Router(tags=["conversations"])


class VariantIn(Incoming):
    """Changes to try; what is left out stays. Settings are text or JSON values; null removes the
    value.
    """

    name: Annotated[Storable, Field(max_length=40)] = ""
    settings: dict[str, Any] = {}
    processors: dict[str, Any] | None = None
    model: Annotated[str, Field(max_length=120)] = ""


class WhatIfIn(Incoming):
    """One request: that of a turn, or of a message sent now. With `replay`: all requests of the
    newest `turns`.
    """

    variants: Annotated[list[VariantIn], Field(max_length=4)]
    turn: Annotated[int, Field(ge=0, lt=2**31)] | None = None
    generation: UUID | None = None
    step: Annotated[int, Field(ge=0, lt=2**31)] | None = None
    replay: bool = False
    turns: Annotated[int, Field(ge=1, le=TURNS)] | None = None

    @property
    def idle(self) -> str:
        """Say which fields have no effect together with the others; empty if all have one."""
        one = [name for name in ("turn", "generation", "step") if getattr(self, name) is not None]
        if self.replay:
            useless = ", ".join(one)
            return (
                _("{names}: can't be used for a replay; use turns instead").format(names=useless)
                if one
                else ""
            )
        if one == ["step"]:
            return _("step: also give the turn or the generation")
        return "" if self.turns is None else _("turns: can only be used for a replay")


class PredictionOut(Schema):
    """What a provider's cache should do, in the model's tokens; money is a decimal, or unknown."""

    cache_read: int
    cache_write: int
    fresh: int
    output: int
    money: str | None
    first_difference: str


class ChangeOut(Schema):
    """A run of messages whose verdict would change."""

    first: int
    last: int
    count: int
    was: str
    now: str
    reason: str


class TriedOut(Schema):
    """A request under one variant; without a plan if it would not fit, as `refused` says."""

    name: str
    model: str
    refused: str | None
    conflicts: list[str]
    plan: dict[str, Any] | None
    prediction: PredictionOut | None
    changes: list[ChangeOut]


class ReplayedStepOut(Schema):
    """A past request; `changed` counts messages whose verdict differs from the first replay's."""

    turn: int
    step: int
    refused: str | None = None
    sent: int | None = None
    messages_sent: int | None = None
    messages: int | None = None
    changed: int | None = None
    cache_read: int | None = None
    cache_write: int | None = None
    fresh: int | None = None
    output: int | None = None
    money: str | None = None
    first_difference: str = ""


class ReplayOut(Schema):
    """All requests under one variant, and the sums of those that are not among the `refusals`.

    `money` is unknown if one is refused, because the cost of fewer requests cannot be compared.
    """

    name: str
    model: str
    refused: str | None
    conflicts: list[str] = []
    currency: str
    requests: int = 0
    refusals: int = 0
    sent: int | None = None
    cache_read: int | None = None
    money: str | None = None
    steps: list[ReplayedStepOut] = []


class WhatIfOut(Schema):
    """The request, or every request, first as it is, then under each variant. Nothing is stored."""

    stored: Literal[False] = False
    tried: list[TriedOut] = []
    replays: list[ReplayOut] = []


@router.post("/conversations/{conversation_id}/what-if", response=WhatIfOut)
def what_if(request: HttpRequest, conversation_id: UUID, body: WhatIfIn) -> dict[str, Any]:
    """Run the same planner with other settings. A bad setting is refused by name."""
    if body.idle:
        raise Refused("invalid", body.idle)
    actor = actor_of(request)
    conversation = access_conversation(actor, conversation_id)
    variants = [_variant(number, each) for number, each in enumerate(body.variants, 1)]
    money = may_see_cost(actor, conversation)
    if body.replay:
        replays = replayed(conversation, variants, body.turns or TURNS)
        return {"replays": replay_records(replays, with_money=money)}
    trials = try_variants(_planned(conversation, body), variants)
    return {"tried": [tried_record(trial, with_money=money) for trial in trials]}


def _planned(conversation: Conversation, body: WhatIfIn) -> PlannedRequest:
    if body.turn is None and body.generation is None:
        return present(conversation)
    return recorded(shown_plan(conversation, body.turn, body.generation, body.step))


def _variant(number: int, variant: VariantIn) -> Variant:
    name = variant.name or f"variant {number}"
    return Variant(name, variant.settings, variant.processors, variant.model)
