"""Find generations that no process runs any more, and those that only look abandoned."""

from collections.abc import Collection
from datetime import timedelta
from uuid import UUID

from django.db.models import Q, QuerySet
from django.utils import timezone

from history.models import ACTIVE, Generation, GenerationStatus

HEARTBEAT_LIMIT = timedelta(seconds=90)


def left_behind(
    alive: frozenset[str], silence: timedelta, dead: frozenset[str]
) -> QuerySet[Generation]:
    """List running generations whose owner is not alive, and is either known to be dead or silent
    for longer than `silence`.
    """
    is_over = Q(heartbeat_at__lt=timezone.now() - silence) | Q(owner__in=dead)
    rows = Generation.objects.filter(is_over, status=GenerationStatus.RUNNING)
    return rows.exclude(owner__in=alive).select_related("conversation__agent", "branch")


def left_queued(silence: timedelta) -> QuerySet[Generation]:
    """List answers that an ending process left to any other, and that none has taken up yet."""
    past = timezone.now() - silence
    rows = Generation.objects.filter(
        status=GenerationStatus.QUEUED, owner="", started__isnull=False, heartbeat_at__lt=past
    )
    return rows.select_related("conversation__agent", "branch")


def owners() -> frozenset[str]:
    """List the processes that the running generations belong to."""
    rows = Generation.objects.filter(status=GenerationStatus.RUNNING)
    return frozenset(rows.values_list("owner", flat=True).distinct())


def for_workers() -> QuerySet[Generation]:
    """List generations that wait for a worker. A delegated task doesn't: its asker runs it."""
    rows = Generation.objects.filter(status=GenerationStatus.QUEUED, conversation__asked_by=None)
    return rows.select_related("conversation__agent", "branch")


def others_of_its_person(generation: Generation) -> int:
    """Count the same person's other generations that wait for a worker."""
    owner, visitor = generation.conversation.owner_id, generation.conversation.visitor
    theirs = for_workers().filter(conversation__owner=owner, conversation__visitor=visitor)
    return theirs.exclude(pk=generation.pk).count()


def keep_waiting(ids: Collection[UUID]) -> None:
    """Renew the heartbeat of generations queued here, so that other processes don't end them."""
    if ids:
        rows = Generation.objects.filter(pk__in=ids, status=GenerationStatus.QUEUED)
        rows.update(heartbeat_at=timezone.now())


def abandoned(alive: frozenset[str] = frozenset()) -> QuerySet[Generation]:
    """List active generations that nobody runs: an old heartbeat, or an owner known to be gone.

    `alive` are the owners known to run. Only the database's only process may name them: then every
    other owner counts as gone.
    """
    stale = Q(heartbeat_at__lt=timezone.now() - HEARTBEAT_LIMIT)
    stale |= Q(heartbeat_at=None, created__lt=timezone.now() - HEARTBEAT_LIMIT)
    if alive:
        stale |= ~Q(owner__in=alive)
    rows = Generation.objects.filter(stale, status__in=ACTIVE)
    return rows.select_related("conversation__agent", "branch")


def unbegun() -> QuerySet[Generation]:
    """List queued generations that never began, the oldest first, without delegated ones."""
    rows = Generation.objects.filter(
        status=GenerationStatus.QUEUED, started=None, conversation__asked_by=None
    )
    return rows.select_related("conversation__agent", "branch").order_by("created")
