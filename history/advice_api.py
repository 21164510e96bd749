"""The cost of a conversation under other settings, over HTTP. No model is called."""

from datetime import datetime
from typing import Any
from uuid import UUID

from django.http import HttpRequest
from ninja import Router, Schema

from history.services.access import access_conversation, actor_of, may_see_cost
from history.services.whatif.advising import newest_of
from history.services.whatif.offering import Offer, Way, offer_for
from history.wording.replays.advice import details_of, sentence_of

router = Router(tags=["conversations"])


class OfferOut(Schema):
    """Settings that are proposed to you: `changes` as data, `sentence` in words. `way` is where you
    may set them.
    """

    changes: dict[str, Any]
    sentence: str
    way: Way


class AdviceOut(Schema):
    """The newest comparison; its `facts` are those of a replay up to `turn`.

    There is no `offer` if no other settings are worth it, or if the settings, the model or its
    prices have changed since.
    """

    turn: int
    basis: str
    created: datetime
    facts: dict[str, Any]
    offer: OfferOut | None


class AdvisedOut(Schema):
    """`advice` is null before the first comparison, and if you may not see what it costs."""

    advice: AdviceOut | None


@router.get("/conversations/{conversation_id}/advice", response=AdvisedOut)
def get_advice(request: HttpRequest, conversation_id: UUID) -> dict[str, Any]:
    """Return what the newest turns would have cost under other settings."""
    actor = actor_of(request)
    conversation = access_conversation(actor, conversation_id)
    advice = newest_of(conversation.branch) if may_see_cost(actor, conversation) else None
    if advice is None:
        return {"advice": None}
    offer = offer_for(actor, conversation)
    advice = offer.advice if offer else advice
    fields = {name: getattr(advice, name) for name in ("turn", "basis", "created", "facts")}
    return {"advice": {**fields, "offer": _offer(offer) if offer else None}}


def _offer(offer: Offer) -> dict[str, Any]:
    facts, variant = offer.advice.facts, offer.variant
    return {
        "changes": offer.changes,
        "sentence": " ".join([sentence_of(facts, variant), *details_of(facts, variant)]),
        "way": offer.way,
    }
