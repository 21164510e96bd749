"""Read what may be sent of a path; of all other messages, read only running sums.

One page is nearly always enough. If the projection finds that older messages matter after all, it
raises NeedsMore, and more is read.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, NamedTuple, TypeAlias

from history.core.projection.project import Projection, project
from history.core.projection.request import ProjectionRequest
from history.core.settings.resolved import Settings
from history.core.stages.policies import horizon
from history.core.summaries import checkpoints as core
from history.core.transcript.messages import Role, Transcript, Unread
from history.core.transcript.parts import File, Image
from history.core.words.errors import NeedsMore
from history.core.words.facts import Note
from history.models import Branch, Checkpoint, Message
from history.models.message import MessageFields, core_of
from history.services.path.marks import Marks
from history.services.path.queries import PAGE, newest_on, ready_in, with_ends
from history.services.path.reading import on_path

MORE = 4  # The factor by which to read more if a page was too small.
SLACK = 1.25  # Extra, for messages shorter than those already read.

BESIDE = (  # The fields to read of the messages where a run begins and ends.
    *("turn", "role", "parts", "tokens", "tokens_through"),
    *("results_through", "images_through", "files_through"),
)
Ids: TypeAlias = Sequence[int] | None


class PathEdge(NamedTuple):
    """What is known at a message: its turn, and the sums of all that precedes it on the path."""

    turn: int
    starts_turn: bool
    tokens: int
    results: int
    images: int
    files: int


@dataclass(frozen=True, slots=True)
class Path:
    """A branch up to its newest turn, with the marks and checkpoints that its projection needs.
    `notes` are the plan's notes on summaries that cannot be used.
    """

    branch: Branch
    last_turn: int
    marks: Marks
    checkpoints: tuple[core.Checkpoint, ...]
    notes: tuple[Note, ...] = ()


def path_of(turn: int, branch: Branch, marks: Marks, chain: str, ids: Ids = None) -> Path:
    """Return a path with its checkpoints; `ids` names those that applied to a past plan."""
    rows = _checkpoints(branch, ids)
    points = [row.as_core() for row in rows if row.is_past]
    applied = core.applicable(points, marks.exclusions, chain, turn)
    notes = tuple(core.not_past(row.as_core()) for row in rows if not row.is_past)
    return Path(branch, turn, marks, applied, notes)


def project_path(path: Path, request: ProjectionRequest) -> tuple[Transcript, Projection]:
    """Project the path; return the projection and what was read for it. Raise as `project` does,
    but never NeedsMore.
    """
    # No window has more than `max_items` and a stride, so the first page needs no more, either.
    items = request.settings.value("max_items")
    size = min(PAGE, items + request.settings.value("length_stride")) if items else PAGE
    while True:
        transcript = _read(path, request.settings, size)
        try:
            return transcript, project(transcript, request)
        except NeedsMore:
            # Everything was read, but the projection asks for more, which would go on for ever.
            if not any(isinstance(item, Unread) for item in transcript):
                raise
            size = _more(size, transcript, request)


def newest_part(path: Path, size: int, *, preserve: bool) -> Transcript:
    """Return the newest messages in whole turns, whether or not the settings would send them."""
    return _led(path, _tail(path.branch, 0, size, 0), preserve=preserve)


def _more(size: int, transcript: Transcript, request: ProjectionRequest) -> int:
    """Guess how many messages to read next: enough to fill the window at their average length."""
    read = [item.tokens for item in transcript if not isinstance(item, Unread)]
    room = request.settings.value("context_window") / request.factor
    filling = round(SLACK * room * len(read) / max(1, sum(read)))
    # Each try projects again. After two tries, a single jump to what may fill the window is cheaper
    # than several small ones.
    is_late = size >= PAGE * MORE and filling > size
    return min(filling, size * MORE**2) if is_late else size * MORE


def lies_on(row: Checkpoint, branch: Branch) -> bool:
    """Return whether the last message that a summary stands for is on the branch's path."""
    spans = branch.spans()
    return any(row.branch_id == b and first <= row.last <= last for b, first, last in spans)


def _checkpoints(branch: Branch, ids: Ids) -> list[Any]:
    """Return the path's checkpoints with `is_past`, which says whether the last message exists in
    the turn that the checkpoint names. A summary of messages beyond the path's end would leave
    nothing to read.
    """
    if ids is None:
        rows: Iterable[Any] = ready_in(conversation=branch.conversation_id)
    else:
        rows = with_ends(Checkpoint.objects.filter(conversation=branch.conversation_id, pk__in=ids))
    return [row for row in rows if lies_on(row, branch)]


def _read(path: Path, settings: Settings, size: int) -> Transcript:
    """Read the newest turns whole, but at least one; of what comes before them, read single
    messages and the sums of runs.
    """
    covered = path.checkpoints[-1] if path.checkpoints else None
    first_turn = max(horizon(settings, path.last_turn), covered.last_turn if covered else 0)
    tail = _tail(path.branch, first_turn, size, covered.last + 1 if covered else 0)
    return _led(path, tail, preserve=settings.value("preserve_system_messages"))


def _led(path: Path, tail: Sequence[MessageFields], *, preserve: bool) -> Transcript:
    """Put the messages and runs that precede the tail in front of it."""
    messages = tuple(map(core_of, tail))
    if not tail or tail[0].position == 0:
        return messages
    return (*_before(path, tail[0], preserve=preserve), *messages)


def _tail(branch: Branch, first_turn: int, size: int, after: int) -> list[MessageFields]:
    """Return the newest messages in whole turns, at least one turn. None is before turn
    `first_turn` or position `after`.
    """
    # One more row than asked for tells whether the oldest turn began before this page. If so, it is
    # left out, since stages see a turn whole or not at all.
    rows: list[MessageFields] = []
    for span in branch.spans():
        rows += newest_on(span, first_turn, size + 1 - len(rows), after)
        if len(rows) > size or span[1] <= after or (rows and rows[-1].turn < first_turn):
            break
    if len(rows) <= size:
        return rows[::-1]
    whole = [row for row in rows if row.turn > rows[-1].turn]
    return whole[::-1] or _newest_turn(branch, rows[-1].turn, after)


def _newest_turn(branch: Branch, turn: int, after: int) -> list[MessageFields]:
    """Return a turn whole, even if it is longer than the number of messages asked for."""
    rows = Message.objects.filter(on_path(branch), turn=turn, position__gte=after)
    return list(rows.stored().order_by("position"))


def _before(path: Path, start: MessageFields, *, preserve: bool) -> Transcript:
    """Read what comes before the tail: messages that count in any case, and runs between them."""
    rows = [
        row for row in _islands(path, start, preserve=preserve) if row.position < start.position
    ]
    # A run must end where a summary does, because the summary stands for only one side.
    ends = [point.last + 1 for point in path.checkpoints]
    islands = {row.position: row for row in rows}
    bounds = sorted({0, start.position, *islands, *(p + 1 for p in islands), *ends})
    edges = _edges(path.branch, bounds, [*rows, start])
    return tuple(
        core_of(islands[first]) if first in islands else _span(first, following - 1, edges)
        for first, following in pairwise(bounds)
    )


def _islands(path: Path, start: MessageFields, *, preserve: bool) -> list[MessageFields]:
    """Read the system messages that every policy keeps or that are withheld, and the segments that
    people marked.
    """
    rows: dict[int, MessageFields] = {}
    for owner, first, last in path.branch.spans(start.position - 1):
        here = Message.objects.on_span((owner, first, last))
        marked = [place for place in path.marks.positions if first <= place <= last]
        system = here.filter(role=Role.SYSTEM)
        messages = list((system if preserve else system.filter(withheld=True)).stored())
        if marked:  # Read whole segments; none goes beyond its span.
            messages += Message.objects.filter(branch=owner, segment__in=marked).stored()
        rows |= {row.position: row for row in messages}
    return [rows[position] for position in sorted(rows)]


def _edges(
    branch: Branch, positions: Iterable[int], messages: Sequence[MessageFields]
) -> dict[int, PathEdge]:
    # The sums of a run are the differences of the running sums at its two ends, so that no message
    # inside it need be read.
    edges = {row.position: _edge(row) for row in messages}
    missing = [position for position in positions if position not in edges]
    for owner, first, last in branch.spans():
        here = [position for position in missing if first <= position <= last]
        if here:  # Use equality only, as SQLite would read the whole of a range.
            rows = Message.objects.filter(branch=owner, position__in=here)
            values = rows.values_list("position", *BESIDE, named=True)
            edges |= {row.position: _edge(row) for row in values}
    return edges


def _edge(row: MessageFields) -> PathEdge:
    kinds = [part["kind"] for part in row.parts]
    return PathEdge(
        turn=row.turn,
        starts_turn=row.role == Role.USER,
        tokens=row.tokens_through - row.tokens,
        results=row.results_through - (row.role == Role.TOOL),
        images=row.images_through - kinds.count(Image.kind),
        files=row.files_through - kinds.count(File.kind),
    )


def _span(first: int, last: int, edges: dict[int, PathEdge]) -> Unread:
    begin, end = edges[first], edges[last + 1]
    return Unread(
        first=first,
        last=last,
        first_turn=begin.turn,
        last_turn=end.turn - end.starts_turn,
        tokens=end.tokens - begin.tokens,
        results=end.results - begin.results,
        images=end.images - begin.images,
        files=end.files - begin.files,
    )
