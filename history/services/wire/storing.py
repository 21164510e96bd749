"""Store the bodies of sent requests in little space, and read them again."""

import hashlib
import re
from base64 import b64decode
from binascii import Error
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from itertools import chain
from typing import Any

from django.db import IntegrityError, transaction

from history.core.wire.differing import facts_of
from history.core.wire.pieces import Name, Texts, in_pieces, packed, unpacked
from history.core.wire.request import Outgoing, WireRequest, value_of
from history.core.words.facts import Fact
from history.models import Branch, Checkpoint, ContextPlan, Media, Message, SummaryWire, Wire
from history.services.media.reading import data_url
from history.services.path.queries import texts_between, with_texts
from history.services.texts import stored_text

TOOLS = "tools"
TEXT, MEDIA = 0, 1  # The kinds of content that a digest may identify.
# Base64 of an image; shorter texts are not worth a look.
BASE64 = re.compile(rb"[A-Za-z0-9+/]{1024,}={0,2}")


def rows_of(record: ContextPlan, requests: Sequence[WireRequest]) -> list[Wire]:
    """Make the rows of all attempts at a planned request, without storing them."""
    texts, sample = (_texts_of(record), _sample(record)) if requests else ({}, b"")
    return [
        Wire(
            plan=record,
            attempt=attempt,
            packed=_packed(request.body, texts | dict(_pictures_in(request.body)), sample),
            **columns_of(request),
        )
        for attempt, request in enumerate(requests, 1)
    ]


def columns_of(request: WireRequest) -> dict[str, Any]:
    """Return the columns of a sent request, except its body."""
    return {
        "method": request.method,
        "address": request.address,
        "headers": dict(request.headers),
        "digest": digest_of(request.body),
        "size": len(request.body),
        "status": request.status,
        "answered": dict(request.answered),
        "said": request.said,
        "left": request.left,
    }


def store_summary_wires(row: Checkpoint, outgoing: Outgoing) -> None:
    """Store what was sent for a summary; do nothing if its conversation was deleted meanwhile."""
    texts = dict(_summarised(row))
    rows = [
        SummaryWire(
            summary=row,
            attempt=attempt,
            packed=_packed(request.body, texts, b""),
            differences=[fact.as_dict() for fact in _changes(outgoing, request)],
            **columns_of(request),
        )
        for attempt, request in enumerate(outgoing.sent, 1)
    ]
    with suppress(IntegrityError), transaction.atomic():
        SummaryWire.objects.bulk_create(rows)


def _changes(outgoing: Outgoing, request: WireRequest) -> tuple[Fact, ...]:
    return facts_of(outgoing.handed, value_of(request.body), request.address)


def _summarised(row: Checkpoint) -> Iterator[tuple[Name, str]]:
    """Yield the texts of the messages that a checkpoint covers, which its prompt quotes.

    If its prompt quotes summaries to fold, these have no rows of their own.
    """
    return _of_messages(row.branch, row.last, range(row.first, row.last + 1))


def wires_of(record: ContextPlan) -> list[Wire]:
    """List the attempts at a request in order; older requests have no stored attempts."""
    return sorted(record.wires.all(), key=lambda wire: wire.attempt)


def body_of_summary(wire: SummaryWire) -> bytes:
    """Return the body of a request for a summary, byte for byte."""
    row = wire.summary
    pieces = unpacked(bytes(wire.packed))
    places = {key for key, _ in pieces.names if isinstance(key, int)}
    return pieces.body(dict(_of_messages(row.branch, row.last, places)))


def body_of(wire: Wire) -> bytes:
    """Return the body of a sent request, byte for byte."""
    record = wire.plan
    pieces = unpacked(bytes(wire.packed), _sample(record))
    places = {key for key, _ in pieces.names if isinstance(key, int)}
    texts = dict(_of_messages(record.branch, record.head, places))
    names = {name for name in pieces.names if isinstance(name[0], str)}
    return pieces.body(texts | {name: _stored(str(name[0]), name[1]) for name in names})


def _stored(digest: str, kind: int) -> str:
    return stored_text(digest) if kind == TEXT else data_url(digest).partition(",")[2]


def _pictures_in(body: bytes) -> Iterator[tuple[Name, str]]:
    """Yield, in base64, the images in the body that are stored."""
    images = {}
    for image in BASE64.findall(body):
        with suppress(Error):
            images[hashlib.sha256(b64decode(image)).hexdigest()] = image.decode()
    digests = Media.objects.filter(pk__in=images).values_list("pk", flat=True) if images else ()
    yield from (((digest, MEDIA), images[digest]) for digest in digests)


def _texts_of(record: ContextPlan) -> dict[Name, str]:
    """Return each text that the plan sends or names and that has a row of its own."""
    places = chain(*record.core_plan.sent_positions())
    digests = {digest for name, digest in record.texts.items() if digest and name != TOOLS}
    shared = {(digest, TEXT): stored_text(digest) for digest in sorted(digests)}
    return dict(_of_messages(record.branch, record.head, places)) | shared


def _of_messages(branch: Branch, head: int, places: Iterable[int]) -> Iterator[tuple[Name, str]]:
    """Yield each message's texts by name: those of its parts, its text, its calls' arguments."""
    wanted_places = set(places)
    for owner, first, last in reversed(branch.spans(head)):
        inside = {place for place in wanted_places if first <= place <= last}
        for position, parts, text, calls in _texts_at(owner, inside) if inside else ():
            texts = [*(part.get("text", "") for part in parts), text]
            texts += [call["arguments"] for call in calls]
            yield from (((position, place), each) for place, each in enumerate(texts))


def _texts_at(branch: int, positions: set[int]) -> Iterator[tuple[int, Any, str, Any]]:
    """Read the texts at these positions, and those between if they are few: a prepared query is
    quicker than one with a list of positions.
    """
    first, last = min(positions), max(positions)
    if last - first < 2 * len(positions):
        rows: Iterable[Any] = texts_between(branch=branch, first=first, last=last)
    else:
        rows = with_texts(Message.objects.filter(branch=branch, position__in=positions))
    return (row for row in rows if row[0] in positions)


def _sample(record: ContextPlan) -> bytes:
    """Return the schemas of the tools, which the body contains in some form."""
    digest = record.texts.get(TOOLS)
    return stored_text(digest).encode() if digest else b""


def _packed(body: bytes, texts: Texts, sample: bytes) -> bytes:
    """Pack the body in pieces; in a single piece if the pieces would not restore it exactly."""
    pieces = in_pieces(body, texts)
    return packed(pieces if pieces.body(texts) == body else in_pieces(body, {}), sample)


def digest_of(body: bytes) -> str:
    return hashlib.sha256(body).hexdigest()
