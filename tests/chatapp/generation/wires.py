"""What a provider received, compared with the plans and the wires that are stored."""

from collections import Counter

from chatapp.inspector.raw.request import rebuild
from history.core.wire.differing import differences
from history.core.wire.leaves import leaves_of
from history.models import ContextPlan
from history.services.wire.storing import body_of, wires_of
from tests.strict.server import bodies


def plans_of(conversation):
    """Return the plans in the order of their requests."""
    plans = ContextPlan.objects.filter(generation__conversation=conversation)
    return list(plans.select_related("generation", "branch").order_by("pk"))


def stored_wires(plans):
    """Return digest and body of each plan's wires: one, unless it was sent again."""
    return [[(wire.digest, body_of(wire)) for wire in wires_of(record)] for record in plans]


def rebuilt(plans):
    return [rebuild(record) for record in plans]


def all_unlisted(plans, requests, received):
    """Return what the differences do not account for, of every request that has any of it."""
    addresses = [wires_of(record)[0].address for record in plans]
    handed = [request.body for request in requests]
    found = map(unlisted, handed, bodies(received), addresses)
    return [left for left in found if left]


def unlisted(handed, sent, address):
    """Compare both bodies leaf by leaf, without what the differences name; return what is left."""
    rows = differences(handed, sent, address)
    ours = _counted(handed, [leaf for row in rows for leaf in row.handed])
    theirs = _counted(sent, [leaf for row in rows for leaf in row.sent])
    return {
        leaf: (ours[leaf], theirs[leaf]) for leaf in ours | theirs if ours[leaf] != theirs[leaf]
    }


def _counted(body, named):
    counted = Counter((leaf.path, leaf.key) for leaf in leaves_of(body))
    counted.subtract((leaf.path, leaf.key) for leaf in named)
    return counted


def reasoning_counted(plans):
    """Return, for each plan, how many messages it counts reasoning of."""
    return [sum(_thinks(entry) for entry in record.core_plan.entries) for record in plans]


def _thinks(entry):
    return any(part.kind == "reasoning" for part in entry.parts)


def reasoning_handed(requests):
    """Return, for each request, how many of its messages bring reasoning back."""
    return [sum(thoughts_in(m) > 0 for m in request.body["messages"]) for request in requests]


def thoughts_in(message):
    """Count what a message brings back, in whichever field or tags; a blank is nothing."""
    signatures = message.get("provider_specific_fields", {}).get("thought_signatures", ())
    lists = (message.get("thinking_blocks", ()), message.get("reasoning_details", ()), signatures)
    texts = (message.get("reasoning_content") or "", message.get("reasoning") or "")
    tagged = str(message["content"]).startswith("<think>")
    return sum(map(len, lists)) + sum(bool(text.strip()) for text in texts) + tagged
