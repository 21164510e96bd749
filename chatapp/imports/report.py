"""An import's report in words: its state, its counts, and what was left out and why."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from chatapp.limits.spending import spoken
from chatapp.uploads import sentences
from chatapp.uploads.cleaned import FileRefused
from history.models import Import, ImportEntry, ImportState
from history.services.imports.lifecycle import Sums, entries_of, sums_of, waits_for
from history.services.imports.undoing import Undoing, undoing_of
from history.wording.imports import skipped

PAGE = 50
SHORT = 5  # If an import has at most so many chats, the report lists all of them.
FEW = 3  # The most names that a sentence of the report lists.
# Facts with these reasons contain the names of files.
NAMED = {"no_file", "other_bytes", "fetched", "too_large"}
FORMATS = {
    "vitrine": "Vitrine",
    "chatgpt": "ChatGPT",
    "claude": "Claude",
    "openwebui": "Open WebUI",
    "librechat": "LibreChat",
    "openai": gettext_lazy("OpenAI's format"),
}


@dataclass(frozen=True, slots=True)
class ReportedEntry:
    """One chat in the import's file, and what became of it."""

    row: ImportEntry

    @property
    def title(self) -> str:
        return self.row.title or self._line or _("Untitled chat")

    @property
    def _line(self) -> str:
        """The entry's name if it stands for a line of the file that was skipped as a whole:
        `Line 5`. It is empty for other entries.
        """
        fact = self.row.skipped[0] if self.row.outcome == ImportEntry.Outcome.SKIPPED else {}
        number = fact.get("figures", {}).get("line")
        return _("Line {number}").format(number=f"{number:,}") if number else ""

    @property
    def sentences(self) -> list[str]:
        """Return sentences on what was left out. Equal sentences appear once, with a count or the
        names of files.
        """
        groups: dict[str, list[str]] = {}
        for fact in self.row.skipped:
            name = fact["where"] if fact["rule"] in NAMED else ""
            groups.setdefault(sentence_of(fact), []).append(name)
        return [_together(sentence, names) for sentence, names in groups.items()]


@dataclass(frozen=True, slots=True)
class Report:
    """An import with a page of its entries; `following` is the number of the entry after which the
    next page begins, None if there is none. If it `is_short`, it has all entries.
    """

    job: Import
    sums: Sums
    entries: Sequence[ReportedEntry]
    following: int | None
    is_short: bool = False

    @property
    def format(self) -> str:
        return format_name(self.job.format)

    @property
    def fault(self) -> str:
        """The reason why the import failed or waits, as a sentence; empty if it does neither."""
        fault = self.job.fault
        if fault.get("rule") == "limit":
            fault = {**fault, "seconds": waits_for(self.job)}
        return sentence_of(fault) if fault else ""

    @property
    def is_failed(self) -> bool:
        return self.job.state == ImportState.FAILED

    @property
    def brought_nothing(self) -> bool:
        """Whether the import failed, or skipped all chats of the file. Imported chats that have
        been deleted since do not count as skipped.
        """
        return self.is_failed or self.sums.skipped == self.job.reached

    @property
    def is_nothing_new(self) -> bool:
        """Whether this Vitrine already had all the chats that could be imported."""
        sums = self.sums
        return bool(sums.known) and sums.known + sums.skipped == self.job.reached

    @property
    def undoing(self) -> Undoing:
        """What undoing the import would do: which chats it deletes, and which can be restored."""
        return undoing_of(self.job)


def _together(sentence: str, names: Sequence[str]) -> str:
    files = list(dict.fromkeys(filter(None, names)))
    if files:
        more = ["…"] if len(files) > FEW else []
        return f"{sentence.rstrip('.')}: {', '.join([*files[:FEW], *more])}"
    return f"{sentence} (\N{MULTIPLICATION SIGN}{len(names)})" if len(names) > 1 else sentence


def report_of(job: Import, after: int = -1, *, noteworthy: bool = False) -> Report:
    """Return the report with the entries whose numbers are above `after`. If `noteworthy`, it has
    only the entries of which something was left out, unless the import has few chats.
    """
    sums = sums_of(job)
    is_short = sums.chats <= SHORT
    rows = entries_of(job).filter(number__gt=after)
    if noteworthy and not is_short:
        rows = rows.exclude(skipped=[])
    page = list(rows[: PAGE + 1])
    following = page[PAGE - 1].number if len(page) > PAGE else None
    entries = [ReportedEntry(row) for row in page[:PAGE]]
    return Report(job, sums, entries, following, is_short)


def format_name(name: str) -> str:
    return str(FORMATS.get(name, name))


def sentence_of(fact: Mapping[str, Any]) -> str:
    """Make a sentence of a stored fact about the import."""
    figures = fact.get("figures", {})
    if fact["rule"] == "limit":
        sentence = _("The day's limit is reached. It continues automatically in {time}.")
        return sentence.format(time=spoken(fact["seconds"]))
    if fact["rule"] == "file_refused":
        code, more = figures["code"], {k: v for k, v in figures.items() if k != "code"}
        return sentences.refusal(FileRefused(code, **more), fact["where"])
    return skipped(fact)


def lines(report: Report) -> Iterator[str]:
    """Yield the report as a command prints it."""
    sums = report.sums
    yield (
        f"{report.job.name} ({report.format or 'unknown format'}): {report.job.state}."
        f" {sums.stored} chats with {sums.messages} messages imported,"
        f" {sums.known} already here, {sums.skipped} skipped."
    )
    if report.fault:
        yield f"  {report.fault}"
    for entry in report.entries:
        outcome = "already here" if entry.row.outcome == "known" else entry.row.outcome
        yield f"  {entry.title}: {outcome}"
        yield from (f"    {sentence}" for sentence in entry.sentences)
