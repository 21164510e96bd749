"""The messages that a request left out, as one sum with its parts, the same on every page."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from history.core.plan.plan import Entry
from history.core.plan.verdict import SENT, Verdict
from history.core.words.wording import number
from history.services.explain.filtered_calls import Calls, FilteredMessages, filtered_by_tools
from history.wording.headline import calls_in_words
from history.wording.omissions import left_out as wording

ORDER = (
    Verdict.SUMMARISED,
    Verdict.TRIMMED,
    Verdict.FILTERED,
    Verdict.EXCLUDED,
    Verdict.REPAIRED,
)


@dataclass(frozen=True, slots=True)
class LeftOutPart:
    """Messages that were left out for one reason. `filtered` says which calls filters removed, if
    they name tools.
    """

    verdict: Verdict
    count: int
    filtered: FilteredMessages | None = None

    @property
    def calls(self) -> str:
        """The removed calls in words; empty if they are not known."""
        return calls_in_words(self.filtered.tools, self.filtered.calls) if self.filtered else ""

    def worded(self, *, of_them: bool = False) -> str:
        count = wording.of_them(self.count) if of_them else number(self.count)
        if self.filtered is None:
            return wording.part(self.verdict, count)
        transfers = self.filtered.are_transfers
        return wording.filtered_part(count, self.calls, are_transfers=transfers)


def left_out_entries(entries: Iterable[Entry]) -> list[Entry]:
    return [entry for entry in entries if entry.positions and entry.verdict not in SENT]


def total(entries: Iterable[Entry]) -> int:
    """Count the messages that were not sent, whatever left them out."""
    return sum(entry.count for entry in left_out_entries(entries))


def parts_of(entries: Iterable[Entry], calls: Calls) -> list[LeftOutPart]:
    """Divide the messages that were left out by what left them out."""
    gone = left_out_entries(entries)
    return [part for verdict in ORDER for part in _parts(verdict, gone, calls)]


def _parts(verdict: Verdict, gone: list[Entry], calls: Calls) -> Iterator[LeftOutPart]:
    own = [entry for entry in gone if entry.verdict is verdict]
    if verdict is Verdict.FILTERED:
        for each in filtered_by_tools(own, calls):
            yield LeftOutPart(verdict, each.count, each if each.tools else None)
    elif own:
        yield LeftOutPart(verdict, sum(entry.count for entry in own))
