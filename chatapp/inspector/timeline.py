"""The panel's zone on time: a bar for each phase, all on one scale."""

from collections.abc import Sequence
from dataclasses import dataclass

from history.models import ContextPlan
from history.services.explain.timeline import Phase, Timeline, timeline_of

WIDTH = 100  # Percent of the drawing's width.
THINNEST = 0.6  # Percent that is still visible.


@dataclass(frozen=True, slots=True)
class TimelineBar:
    """Positions are in percent of the width; None if nothing was recorded."""

    phase: Phase
    x: float | None
    width: float


@dataclass(frozen=True, slots=True)
class TimelineZone:
    """`words` is the whole time, from the message to the stored answer."""

    words: str
    groups: Sequence[tuple[str, Sequence[TimelineBar]]]


def timeline_zone(record: ContextPlan, steps: Sequence[ContextPlan]) -> TimelineZone:
    return drawn(timeline_of(record.generation, steps))


def drawn(timeline: Timeline) -> TimelineZone:
    whole = timeline.length
    groups = [
        (title, [_bar(phase, whole) for phase in phases]) for title, phases in timeline.groups
    ]
    return TimelineZone(timeline.words, groups)


def _bar(phase: Phase, whole: float) -> TimelineBar:
    """Draw a bar within the drawing, even if a phase began before the message was stored."""
    if phase.start is None or phase.length is None or not whole:
        return TimelineBar(phase, None, 0)
    width = min(WIDTH, max(THINNEST, WIDTH * phase.length / whole))
    x = min(max(0.0, WIDTH * phase.start / whole), WIDTH - width)
    return TimelineBar(phase, round(x, 2), round(width, 2))
