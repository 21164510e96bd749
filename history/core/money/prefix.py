"""Find the prefix that a request shares with an earlier one, which the provider has read before.

Two plans are compared run by run. A transcript never changes, so a message that is sent at the same
place in the same form has the same text. Both plans must be of one path.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import takewhile
from typing import NamedTuple

from history.core.plan.injected import OPENING, TOOL_SCHEMAS
from history.core.plan.plan import Entry, Plan
from history.core.plan.sent_parts import SentPart
from history.core.plan.verdict import HELD, SENT, Verdict
from history.core.transcript.parts import Reasoning
from history.core.words.facts import Fact, Rule, fact

# Facts on attachments that were left out; which ones, an entry's `parts` say.
OF_PARTS = {Rule.OMITTED, Rule.NO_IMAGES, Rule.IMAGES_TOO_LARGE}


class Spot(NamedTuple):
    """A place in a request: a message by its position, or an injected text by its label."""

    position: int | None
    label: str = ""


@dataclass(frozen=True, slots=True)
class Prefix:
    """A shared prefix: `tokens` by our counter, and the place after the prefix in each request.

    `was` is the place in the earlier request, and `now` the one in the later; None means that the
    request ends there. `first_difference` is None if one request continues the other.
    """

    tokens: int
    first_difference: Fact | None = None
    was: Spot | None = None
    now: Spot | None = None


def shared_prefix(before: Plan, after: Plan) -> Prefix:
    return compared(sent_entries(before), sent_entries(after))


def sent_entries(plan: Plan) -> tuple[Entry, ...]:
    """Return the entries in the order in which providers read a request: tool schemas first."""
    goes_out = SENT | {Verdict.INJECTED}
    entries = [entry for entry in plan.entries if entry.verdict in goes_out]
    tools = [entry for entry in entries if entry.label == TOOL_SCHEMAS]
    return (*tools, *(entry for entry in entries if entry.label != TOOL_SCHEMAS))


def compared(before: Sequence[Entry], after: Sequence[Entry]) -> Prefix:
    """Compare the entries of two requests, both in the order that `sent_entries` returns."""
    same = takewhile(_same, zip(before, after, strict=False))
    place = sum(1 for _ in same)
    old, new = _Reading(before, place), _Reading(after, place)
    while (was := old.entry) and (now := new.entry):
        if old.position != new.position or not same_form(was, now):
            tokens = max(old.tokens, new.tokens)
            was_at, now_at = old.past_opening, new.past_opening
            if was_at.position == now_at.position:
                was_at, now_at = old, new
            return Prefix(tokens, _difference(was_at, now_at), was_at.spot, new.spot)
        last = now.last if was.last is None or now.last is None else min(was.last, now.last)
        old.advance(last)
        new.advance(last)
    return Prefix(max(old.tokens, new.tokens), was=old.spot, now=new.spot)


class _Reading:
    """How far a request has been read. `tokens` is the sum over the runs that were read to their
    end.

    Two requests are read side by side. Where they first differ, at least one of them has just ended
    a run, so the larger of both sums is the size of the shared prefix.
    """

    def __init__(self, entries: Sequence[Entry], place: int) -> None:
        self.entries = entries
        self.place = place
        self.tokens = sum(entry.sent_tokens for entry in entries[:place])
        self.entry: Entry | None = None
        self.position: int | None = None
        self._begin()

    def advance(self, last: int | None) -> None:
        """Read on to this position in the current run, inclusive; None reads to the end of an
        injected text.
        """
        entry = self.entries[self.place]
        if last != entry.last:
            self.position = (last or 0) + 1
            return
        self.tokens += entry.sent_tokens
        self.place += 1
        self._begin()

    def _begin(self) -> None:
        self.entry = self.entries[self.place] if self.place < len(self.entries) else None
        self.position = self.entry.first if self.entry else None

    @property
    def past_opening(self) -> "_Reading":
        """This reading, moved past an opening if one is at its place: openings come and go with the
        start of the window.
        """
        is_opening = self.entry is not None and self.entry.label == OPENING
        return _Reading(self.entries, self.place + 1) if is_opening else self

    @property
    def spot(self) -> Spot | None:
        return Spot(self.position, self.entry.label) if self.entry else None

    @property
    def starts_window(self) -> bool:
        """Whether the next message is the first of the window; pins and preserved system messages
        don't count.
        """
        window = (e for e in self.entries if e.first is not None and e.rule not in HELD)
        start = next(window, None)
        return start is not None and start is self.entry and start.first == self.position

    @property
    def labels_ahead(self) -> Iterator[str]:
        return (entry.label for entry in self.entries[self.place :])


def _same(runs: tuple[Entry, Entry]) -> bool:
    """Return quickly whether both runs are the same, as most are."""
    was, now = runs
    return was.first == now.first and was.last == now.last and same_form(was, now)


def same_form(was: Entry, now: Entry) -> bool:
    """Return whether a message was altered in the same way, for whatever reason. If it was sent
    unchanged, the reason for keeping it does not matter, either.
    """
    if was.verdict is not now.verdict or was.parts != now.parts:
        return False
    if was.verdict is Verdict.INJECTED:
        return (was.digest, was.label, was.sent_tokens) == (now.digest, now.label, now.sent_tokens)
    return was.verdict is not Verdict.ALTERED or _altered(was) == _altered(now)


def repeated(was: Entry, now: Entry) -> Entry | None:
    """Return what the later request repeats of an entry of the earlier one; None if nothing. A
    message that lost its reasoning, or got it, repeats everything else.
    """
    if same_form(was, now):
        return now
    if not same_form(_bare(was), _bare(now)):
        return None
    own = (part.tokens for part in now.parts if _is_thought(part) and part not in was.parts)
    return replace(now, sent_tokens=now.sent_tokens - sum(own))


def _bare(entry: Entry) -> Entry:
    return replace(entry, parts=tuple(part for part in entry.parts if not _is_thought(part)))


def _is_thought(part: SentPart) -> bool:
    return part.kind == Reasoning.kind


def _altered(entry: Entry) -> tuple[object, ...]:
    return entry.sizes, *(reason for reason in entry.reasons if reason.rule not in OF_PARTS)


def _difference(old: _Reading, new: _Reading) -> Fact | None:
    was, now = old.entry, new.entry
    if was is None or now is None:
        return None
    if was.label and was.label == now.label:
        return fact(Rule.TEXT_CHANGED, label=was.label)
    if now.label:
        rule = Rule.TEXT_MOVED if now.label in old.labels_ahead else Rule.TEXT_ADDED
        return fact(rule, label=now.label)
    if was.label:
        rule = Rule.TEXT_MOVED if was.label in new.labels_ahead else Rule.TEXT_REMOVED
        return fact(rule, label=was.label)
    return _between_messages(old, new, was, now)


def _between_messages(old: _Reading, new: _Reading, was: Entry, now: Entry) -> Fact:
    before, after = old.position or 0, new.position or 0
    if before == after and was.verdict is now.verdict and was.parts != now.parts:
        return fact(_why_parts(was, now), position=after)
    if before == after:
        return fact(Rule.MESSAGE_BECAME, position=after, verdict=now.verdict)
    if old.starts_window and new.starts_window:
        return fact(Rule.WINDOW_MOVED, **_starts(was, now))
    if before < after:
        return fact(Rule.MESSAGE_GONE, position=before)
    return fact(Rule.MESSAGE_NEW, position=after)


def _why_parts(was: Entry, now: Entry) -> Rule:
    had_reasoning, has_reasoning = (any(map(_is_thought, entry.parts)) for entry in (was, now))
    if had_reasoning == has_reasoning:
        return Rule.PARTS_CHANGED
    return Rule.REASONING_LEFT if had_reasoning else Rule.REASONING_AGAIN


def _starts(was: Entry, now: Entry) -> dict[str, int | str]:
    """Return the starts of both windows as turns, or as messages if both start in the same turn."""
    if was.first_turn != now.first_turn:
        return {"by": "turn", "was": was.first_turn or 0, "now": now.first_turn or 0}
    return {"by": "message", "was": (was.first or 0) + 1, "now": (now.first or 0) + 1}
