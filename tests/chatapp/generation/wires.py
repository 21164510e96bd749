"""What a provider received, compared with the plans and the wires that are stored."""

import hashlib
from collections import Counter

from chatapp.inspector.raw.request import rebuild
from history.core.wire.differing import differences
from history.core.wire.leaves import leaves_of
from history.models import ContextPlan
from history.services.wire.storing import body_of, wires_of


def check_wires(conversation, provider):
    """Each plan's hash is that of the request handed over, each wire's that of the body received;
    what differs between the two is in the differences.
    """
    plans = ContextPlan.objects.filter(generation__conversation=conversation).order_by("pk")
    assert plans.count() == len(provider.received)
    for record, received in zip(plans, provider.received, strict=True):
        (wire,) = wires_of(record)
        assert body_of(wire) == received.raw
        assert wire.digest == hashlib.sha256(received.raw).hexdigest()
        request = rebuild(record)
        assert request.matches
        check_differences(request.body, received.body, wire.address)


def check_differences(handed, sent, address):
    """Both bodies without what the differences name are the same, leaf by leaf."""
    rows = differences(handed, sent, address)
    ours = _rest(handed, [leaf for row in rows for leaf in row.handed])
    assert ours == _rest(sent, [leaf for row in rows for leaf in row.sent])


def _rest(body, leaves):
    counted = Counter((leaf.path, leaf.key) for leaf in leaves_of(body))
    counted.subtract((leaf.path, leaf.key) for leaf in leaves)
    assert min([0, *counted.values()]) == 0
    return +counted
