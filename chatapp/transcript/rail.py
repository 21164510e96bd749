"""The rail beside the transcript, which shows what became of each message in the newest request."""

from itertools import groupby

from history.core.plan.plan import Entry, Plan
from history.core.plan.verdict import CHANGED, PIN, SENT, Verdict

MOST = 1_000  # The most runs of messages on the rail; if there are more, the newest are kept.


def rail_of(plan: Plan, *, has_left: bool = True) -> str:
    """Write each run of positions with what became of it: `0-0:pinned 1-838:out 839-897:sent`. If
    the request was never sent, that is `unsent` for every message.
    """
    history = [entry for entry in plan.entries if entry.positions]
    runs = []
    for fate, group in groupby(history, key=_fate if has_left else lambda _entry: "unsent"):
        entries = list(group)
        runs.append(f"{entries[0].positions[0]}-{entries[-1].positions[-1]}:{fate}")
    return " ".join(runs[-MOST:])


def is_changed(entry: Entry) -> bool:
    """Return whether messages were sent, but not as they are."""
    return bool(entry.positions) and entry.verdict in CHANGED


def _fate(entry: Entry) -> str:
    if is_changed(entry):
        return "changed"
    if entry.verdict in SENT:
        return "pinned" if entry.rule == PIN else "sent"
    return "summary" if entry.verdict is Verdict.SUMMARISED else "out"
