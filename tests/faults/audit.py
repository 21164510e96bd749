"""Audit a database: facts that must hold after everything broke.

    python manage.py shell -c "from tests.faults.audit import main; main(FOLDER)"

Each check yields a sentence for each fault. `told` has what the servers told the clients.
"""

import json
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TypeAlias
from uuid import UUID

from django.db import connection

from chatapp.inspector.raw.request import rebuild
from history.models import OPEN, Branch, ContextPlan, Generation, GenerationEvent, Message
from history.services.explain.raw.request import CannotRebuild
from tests.faults.answers import answer_to, is_question
from tests.faults.told import FOUND, TOLD, Told, digest_of

Faults: TypeAlias = Iterator[str]


def lost(told: Told) -> Faults:
    """Check that every acknowledged message is stored as it was written, with a generation."""
    stored = {str(pk): text for pk, text in Message.objects.values_list("client_msg_id", "text")}
    generations = {str(pk) for pk in Generation.objects.values_list("pk", flat=True)}
    for message in told.messages:
        if stored.get(message.client_msg_id) != message.text:
            yield f"{message} is stored as {stored.get(message.client_msg_id)!r}"
        if message.generation not in generations:
            yield f"the answer to {message} is gone"


def doubled(told: Told) -> Faults:
    """Check that every acknowledged message is stored once, and has one answer."""
    texts = Counter(Message.objects.filter(role="user").values_list("text", flat=True))
    begun = defaultdict(set)
    for message in told.messages:
        begun[message.client_msg_id].add(message.generation)
    for text in sorted({message.text for message in told.messages}):
        if texts[text] > 1:
            yield f"{text!r} is stored {texts[text]} times"
    for name, generations in begun.items():
        if len(generations) > 1:
            yield f"the message {name} has {len(generations)} answers"


def numbered(_: Told) -> Faults:
    """Check that each generation's events are numbered from 1 to its own `seq`, without a gap."""
    seqs = defaultdict(list)
    for pk, seq in GenerationEvent.objects.order_by("seq").values_list("generation", "seq"):
        seqs[pk].append(seq)
    for pk, newest in Generation.objects.values_list("pk", "seq"):
        if seqs[pk] != list(range(1, newest + 1)):
            yield f"{pk} has {newest} events, and logged are {seqs[pk]}"


def ended(told: Told) -> Faults:
    """Check that every generation ended once, with the status that clients and log were told."""
    ends = defaultdict(list)
    for event in GenerationEvent.objects.filter(kind="end"):
        ends[event.generation_id].append(event)
    for generation in Generation.objects.all():
        status, logged = generation.status, ends[generation.pk]
        if status in OPEN or generation.ended is None:
            yield f"{generation.pk} has not ended: {status}"
        if told.ends.get(str(generation.pk), status) != status:
            yield f"{generation.pk} is {status}, told was {told.ends[str(generation.pk)]}"
        if len(logged) > 1 or any(event.seq != generation.seq for event in logged):
            yield f"{generation.pk} ended more than once: {[event.seq for event in logged]}"
        if any(event.payload["status"] != status for event in logged):
            yield f"{generation.pk} is {status}, and its log says otherwise"


def shown(told: Told) -> Faults:
    """Check that every event a client saw is logged under its number. A killed process may have
    shown events that it had not logged; then no other event may have their numbers.
    """
    for pk, seen in told.events.items():
        rows = GenerationEvent.objects.filter(generation=UUID(pk)).order_by("seq")
        logged = {row.seq: digest_of(row.kind, row.payload) for row in rows}
        is_whole = rows.filter(kind="end").exists()
        for seq, digest in seen.items():
            if seq in logged and logged[seq] != digest:
                yield f"event {seq} of {pk} is not the one that was shown"
            if seq not in logged and (is_whole or seq < max(logged, default=0)):
                yield f"event {seq} of {pk} was shown, and is not logged"


def planned(_: Told) -> Faults:
    """Check that every recorded request can be projected again from the stored messages."""
    for record in ContextPlan.objects.select_related("generation", "branch").iterator():
        try:
            if not rebuild(record).matches:
                yield f"request {record} is not what the transcript makes now"
        except CannotRebuild as reason:
            yield f"request {record} cannot be made again: {reason}"


def placed(_: Told) -> Faults:
    """Check that each branch has one message at each position, without a gap."""
    found = defaultdict(list)
    for pk, place in Message.objects.order_by("position").values_list("branch", "position"):
        found[pk].append(place)
    for branch in Branch.objects.filter(pk__in=found):
        first = branch.first_own_position
        if found[branch.pk] != list(range(first, first + len(found[branch.pk]))):
            yield f"branch {branch.pk} from {first} on has {found[branch.pk]}"


def answered(_: Told) -> Faults:
    """Check that each answer is the beginning of the provider's answer to its question."""
    questions = {
        (message.conversation_id, message.turn): message.text
        for message in Message.objects.filter(role="user")
    }
    for answer in Message.objects.filter(role="assistant"):
        question = questions.get((answer.conversation_id, answer.turn), "")
        if is_question(question) and not answer_to(question, answer.text).startswith(answer.text):
            yield f"{question!r} is answered by {answer.text!r}"


def whole(_: Told) -> Faults:
    """Check SQLite's file for damage; PostgreSQL checks its own files."""
    if connection.vendor == "sqlite":
        with connection.cursor() as cursor:
            for check in ("integrity_check", "foreign_key_check"):
                cursor.execute(f"PRAGMA {check}")
                yield from (str(row) for row in cursor.fetchall() if row != ("ok",))


CHECKS: tuple[Callable[[Told], Faults], ...] = (
    *(lost, doubled, numbered, ended, shown, planned, placed, answered, whole),
)


def audit(told: Told) -> dict[str, list[str]]:
    """Return the faults by the check's name."""
    return {check.__name__: list(check(told)) for check in CHECKS}


def main(folder: str) -> None:
    """Audit the database of Django's settings; read and write files in the folder."""
    found = audit(Told.read(Path(folder) / TOLD))
    (Path(folder) / FOUND).write_text(json.dumps(found))
