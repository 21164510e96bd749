"""The panel's zone on time: a bar for each phase of an answer, all on one scale."""

from dataclasses import dataclass

from django.utils.translation import gettext_lazy as _

from chatapp.inspector.zone import Zone
from history.services.explain.timeline import Phase, Timeline, timeline_of

WIDTH = 100  # The width of the timeline, in percent.
THINNEST = 0.6  # The least width of a visible bar, in percent.


@dataclass(frozen=True, slots=True)
class TimelineBar:
    """A bar, with positions in percent of the width; `x` is None if no time was recorded."""

    phase: Phase
    x: float | None
    width: float


@dataclass(frozen=True, slots=True)
class TimelineZone:
    """The data of the zone on time. `words` says how long the answer took altogether."""

    words: str
    groups: list[tuple[str, list[TimelineBar]]]


def drawn(timeline: Timeline) -> TimelineZone:
    """Draw the groups of a timeline, each with its title."""
    whole = timeline.length
    groups = [(title, [_bar(each, whole) for each in phases]) for title, phases in timeline.groups]
    return TimelineZone(timeline.words, groups)


def _bar(phase: Phase, whole: float) -> TimelineBar:
    """Draw a bar within the drawing, even if a phase began before the message was stored."""
    if phase.start is None or phase.length is None or not whole:
        return TimelineBar(phase, None, 0)
    width = min(WIDTH, max(THINNEST, WIDTH * phase.length / whole))
    x = min(max(0.0, WIDTH * phase.start / whole), WIDTH - width)
    return TimelineBar(phase, round(x, 2), round(width, 2))


TIMELINE = Zone(
    "timeline",
    _("Timeline"),
    _("where the time went"),
    lambda panel: drawn(timeline_of(panel.record.generation, panel.steps)),
    "right",
)
