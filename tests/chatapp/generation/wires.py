"""Compare what a provider received with the stored plans and requests."""

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
    """Return digest and body of each plan's requests: one, unless a request was sent again."""
    return [[(wire.digest, body_of(wire)) for wire in wires_of(record)] for record in plans]


def rebuilt(plans):
    return [rebuild(record) for record in plans]


def all_unlisted(plans, requests, received):
    """Return the leaves that no difference names, for each request that has such leaves."""
    addresses = [wires_of(record)[0].address for record in plans]
    handed = [request.body for request in requests]
    found = map(unlisted, handed, bodies(received), addresses)
    return [left for left in found if left]


def unlisted(handed, sent, address):
    """Compare both bodies leaf by leaf. Return the differing leaves that no difference names."""
    rows = differences(handed, sent, address)
    ours = _counted(handed, [leaf for row in rows for leaf in row.ours])
    theirs = _counted(sent, [leaf for row in rows for leaf in row.theirs])
    return {
        leaf: (ours[leaf], theirs[leaf]) for leaf in ours | theirs if ours[leaf] != theirs[leaf]
    }


def _counted(body, named):
    counted = Counter((leaf.path, leaf.key) for leaf in leaves_of(body))
    counted.subtract((leaf.path, leaf.key) for leaf in named)
    return counted


def reasoning_counted(plans):
    """Return for each plan the number of messages whose reasoning it counts."""
    return [sum(_thinks(entry) for entry in record.core_plan.entries) for record in plans]


def _thinks(entry):
    return any(part.kind == "reasoning" for part in entry.parts)


def reasoning_handed(requests):
    """Return for each request the number of messages that bring reasoning back."""
    return [sum(thoughts_in(m.content) > 0 for m in request.sent) for request in requests]


def thoughts_in(message):
    """Count the pieces of reasoning that a message brings back, in any field or tag. A text of
    blanks does not count.
    """
    signatures = message.get("provider_specific_fields", {}).get("thought_signatures", ())
    names = ("thinking_blocks", "reasoning_details", "reasoning_items")
    lists = (*(message.get(name, ()) for name in names), signatures)
    texts = (message.get("reasoning_content") or "", message.get("reasoning") or "")
    tagged = str(message["content"]).startswith("<think>")
    return sum(map(len, lists)) + sum(bool(text.strip()) for text in texts) + tagged
