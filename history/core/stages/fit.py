"""Cut to the budget, shorten old and large messages, and refuse a request that cannot be sent."""

import sys
from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from functools import cached_property

from history.core.draft.budget import Budget, DoesNotFit, does_not_fit
from history.core.draft.draft import Draft
from history.core.draft.rulings import Ruling, clamp_ruling, sums_before
from history.core.draft.turn_sizes import turn_sizes
from history.core.plan.verdict import Verdict
from history.core.settings.reduction import STABLE
from history.core.settings.resolved import Settings
from history.core.stages.parts import PartsStage
from history.core.stages.pruners import PruningResult, moves_in_steps, protected_from, prune
from history.core.stages.rewriting import (
    oldest_whole,
    placeholder_cost,
    placeholder_ruling,
    with_placeholders,
)
from history.core.transcript.clamp import Count, clamp, common_limit
from history.core.transcript.messages import Message, Role, Unread
from history.core.transcript.reasoning import reasoning_tokens
from history.core.transcript.segments import Segment, Segments, flat
from history.core.words.errors import Outgrown
from history.core.words.facts import Fact, Rule, fact

WHOLE = sys.maxsize  # A limit with which no message is clamped.
TRIES = 4  # How often all messages get a lower limit before the request is refused.
ROOMY = 75  # A stable prefix that became too large is shortened to this percentage of the room.


class BudgetStage:
    """The stages that cut to the budget and shorten messages. `count` is for texts that they make.

    `limit` is the most that a message may cost besides its reasoning. The current message and the
    newest round are sent whole if they fit beside everything protected; otherwise each is clamped
    to the room that the rest leaves, but not below `least`. `pruned` is the result of pruning.

    Segments from the place `open_end` on were sent since the prefix became stable, or are new. They
    are sent whole like the newest round, so that no request changes what an earlier one sent.
    """

    pruned: PruningResult

    def __init__(self, draft: Draft, settings: Settings, budget: Budget, count: Count) -> None:
        self.draft = draft
        self.settings = settings
        self.budget = budget
        self.count = count
        self.parts = PartsStage(draft, settings, count)
        self.limit = int(settings.value("max_message_tokens") or budget.largest_message)
        self.least = min(self.limit, budget.largest_message)
        self.open_end = draft.settled if settings.value("prefix") == STABLE else draft.end
        self.has_made_room = False
        self._clamps: dict[tuple[int, int, int], Message] = {}

    def prune(self) -> None:
        """Leave out the oldest turns beyond the budget. Raise NeedsMore for unread messages."""
        self.pruned = self._pruned()
        # If unread messages were left in the draft, they would be sent.
        self.draft.require(reaches=False)

    def shorten(self) -> None:
        """Shorten messages. Raise DoesNotFit, or Outgrown if those kept whole are too large."""
        draft = self.draft
        # Placeholders come first: the room that they make may spare other messages from clamping.
        closed, rest = self._parted(draft.live)
        placeheld = self._placeheld(closed, self._whole_from(closed))
        draft.replace((*placeheld, *rest), placeholder_ruling)
        draft.replace((*self.parts.apply(placeheld), *rest), self.parts.ruling)
        closed, rest = self._parted(draft.live)
        whole = self._clamped(closed, WHOLE)
        short = whole if _tokens(whole) <= self.budget.hard else self._shortened()
        if rest and _tokens((*short, *rest)) > self.budget.hard:
            raise Outgrown
        draft.replace((*short, *rest), clamp_ruling)
        self._retell(self.pruned)

    def _parted(self, live: Segments) -> tuple[Segments, Segments]:
        """Split the live segments at `open_end`, the place from which on they are sent whole."""
        place = next((n for n, p in enumerate(live) if p.position >= self.open_end), len(live))
        return live[:place], live[place:]

    def _retell(self, pruned: PruningResult) -> None:
        """Put the final size of the kept turns into a cut's reason, if all of these are sent. A
        window that moves in steps keeps its reason, because it counts turns at their stored sizes.
        """
        draft = self.draft
        if pruned.ruling and not self.has_made_room and not moves_in_steps(self.settings):
            draft.retell(pruned.ruling(pruned.tokens), pruned.ruling(_tokens(draft.past)))

    def _pruned(self) -> PruningResult:
        draft, as_stored = self.draft, moves_in_steps(self.settings)
        whole_from = self._whole_from(draft.past)
        placeheld = self.parts.apply(self._placeheld(draft.past, whole_from))
        going = self._going(placeheld)
        # Turns count as they would be sent, as some fit once shortened. But a window that moves in
        # steps counts stored sizes, or its start would move back and forth.
        turns = turn_sizes(draft, draft.past if as_stored else going, going)
        return prune(draft, turns, self.settings, self.budget)

    def _whole_from(self, live: Segments) -> int:
        """Return how many tool results, from the transcript's start on, become placeholders."""
        keep, stride = map(self.settings.value, ("tool_results_keep", "results_stride"))
        return oldest_whole(live, keep, stride, self._ordinal) if keep else 0

    def _placeheld(self, live: Segments, whole_from: int) -> Segments:
        cost = placeholder_cost(self.count)
        return with_placeholders(live, whole_from, self._ordinal, cost) if whole_from else live

    def _ordinal(self, result: Message) -> int:
        return self._results_before[result.position]

    @cached_property
    def _results_before(self) -> dict[int, int]:
        items = self.draft.transcript
        results = [i.results if isinstance(i, Unread) else i.role is Role.TOOL for i in items]
        return sums_before(items, results)

    def _going(self, past: Segments) -> Segments:
        """Clamp large messages to sizes that would fit if only the protected turns were sent."""
        # A large message's limit depends on the turns that stay, and these turns depend on the
        # limit. To break the circle, only the turns that stay in any case are considered.
        whole = self._clamped(past, WHOLE)
        if not past or _tokens(whole) <= self.budget.hard:
            return whole
        turns = turn_sizes(self.draft, past, self._clamped(past, self.least))
        place = protected_from(self.draft, turns, self.settings, self.budget)
        protected = tuple(part for part in whole if part.position >= turns[place].start)
        return self._clamped(past, self._most(protected, self.budget.hard))

    def _shortened(self) -> Segments:
        """Shorten what comes before `open_end`. With a stable prefix this leaves room for further
        steps, and depends on nothing that a step adds, so that each step repeats it.
        """
        hard = self.budget.hard
        most = hard * ROOMY // 100 if self.settings.value("prefix") == STABLE else hard
        self._make_room(most)
        with suppress(DoesNotFit):
            return self._short(most)
        return self._short(hard)

    def _make_room(self, most: int) -> None:
        """Leave out older turns after all, because the history is still too large."""
        draft, (closed, _) = self.draft, self._parted(self.draft.live)
        # The protected turns alone exceed the window, so they are counted at their shortest.
        least = self._clamped(closed, self.least)
        turns = turn_sizes(draft, least, least)
        fits = [turn.start for turn in turns if turn.onward <= most][:1]
        start = min([draft.end, draft.first_current, *fits])
        reasons = (fact(Rule.NO_ROOM, tokens=self.budget.hard),)
        draft.cut(start, Ruling(Verdict.TRIMMED, "budget", "context_window", reasons))
        self.has_made_room = bool(turns) and start > turns[0].start

    def _short(self, most: int) -> Segments:
        """Return the segments before `open_end`, with large messages or, if necessary, all of them
        shortened to at most `most` tokens. Raise DoesNotFit if that fails.
        """
        draft, (closed, _) = self.draft, self._parted(self.draft.live)
        live = self._clamped(closed, self._most(self._clamped(closed, WHOLE), most))
        if _tokens(live) > most:
            # The newest are as short as allowed already, so now all messages get the same limit.
            live = self._equally_short(closed, live, most)
        if (tokens := _tokens(live)) > most:
            raise does_not_fit(self.budget, tokens, _largest(draft, live), self.settings)
        return live

    def _equally_short(self, closed: Segments, live: Segments, most: int) -> Segments:
        """Clamp all messages to one limit. What cannot be as short leaves less to the others."""
        whole, firm = [message.tokens for message in flat(live)], dict[int, int]()
        for _ in range(TRIES):
            others = [tokens for place, tokens in enumerate(whole) if place not in firm]
            share = common_limit(others, most - sum(firm.values()))
            live = self._clamped(closed, share, share)
            if _tokens(live) <= most:
                break
            firm |= {place: m.tokens for place, m in enumerate(flat(live)) if m.tokens > share}
        return live

    def _most(self, whole: Segments, hard: int) -> int:
        """Return the limit for each message that is sent whole if possible, low enough for all of
        them to fit in `hard`.
        """
        newest = self._newest(whole)
        large = [
            message.tokens
            for part in whole
            for message in part.messages
            if self._is_asked(message, part, newest) and message.tokens > self.least
        ]
        room = hard - _tokens(whole) + sum(large)
        return WHOLE if sum(large) <= room else max(self.least, common_limit(large, room))

    def _clamped(self, parts: Segments, most: int, share: int = WHOLE) -> Segments:
        """Clamp messages; `most` is the limit of those that are sent whole if possible. Others may
        cost as much as the limit besides their reasoning, but at most their `share`.
        """
        newest, least = self._newest(parts), min(most, self.limit, share)

        def short(message: Message, part: Segment) -> Message:
            limit = min(self.limit + reasoning_tokens(message), share)
            own = most if self._is_asked(message, part, newest) else limit
            return message if message.tokens <= own else self._clamp(message, own)

        return tuple(part if part.tokens <= least else _changed(part, short) for part in parts)

    def _clamp(self, message: Message, limit: int) -> Message:
        """Clamp a message to a limit only once, because counting its tokens is expensive."""
        key = (message.position, message.tokens, limit)
        if key not in self._clamps:
            self._clamps[key] = clamp(message, limit, self.count)
        return self._clamps[key]

    def _is_asked(self, message: Message, part: Segment, newest: int) -> bool:
        """Whether a message is current, or belongs to the newest round or what follows that."""
        is_current = message.turn == self.draft.last_turn and message.role is Role.USER
        return is_current or part.position >= newest

    def _newest(self, parts: Segments) -> int:
        """Return the place of the newest segment before `open_end`."""
        closed, _ = self._parted(parts)
        return closed[-1].position if closed else -1


def _tokens(parts: Segments) -> int:
    return sum([part.tokens for part in parts])


def _changed(part: Segment, change: Callable[[Message, Segment], Message]) -> Segment:
    """Change a segment; return the same object if nothing changes, as is usual."""
    now = tuple(change(message, part) for message in part.messages)
    return part if now == part.messages else replace(part, messages=now)


def _largest(draft: Draft, live: Segments) -> Fact:
    """Name the largest message that must be sent, with its size before any shortening."""
    originals = {item.position: item for item in draft.transcript if isinstance(item, Message)}
    pairs = [(originals[m.position], m) for m in flat((*draft.held, *live)) if not m.label]
    if not pairs:
        return fact(Rule.NO_MESSAGE)
    was, now = max(pairs, key=lambda pair: (pair[0].tokens, pair[0].role))
    figures = {"position": was.position, "tokens": was.tokens}
    if now.tokens == was.tokens:
        return fact(Rule.LARGEST, **figures)
    return fact(Rule.LARGEST_SHORTENED, **figures, now=now.tokens)
