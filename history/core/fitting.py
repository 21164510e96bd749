"""Cut to the budget, shorten what is old or large, and refuse what cannot be sent."""

from collections.abc import Callable
from dataclasses import dataclass, replace

from history.core.budget import Budget, does_not_fit
from history.core.clamp import FRAME, Count, clamp
from history.core.draft import Draft
from history.core.messages import Message, Role
from history.core.placeholders import PLACEHOLDER, oldest_whole, with_placeholders
from history.core.plan import Verdict
from history.core.pruners import prune
from history.core.resolution import Settings
from history.core.rows import Ruling
from history.core.segments import Segment, Segments, flat
from history.core.wording import number


@dataclass(frozen=True, slots=True)
class Fitting:
    """The last stages before a request is valid. `count` is for the texts they make."""

    draft: Draft
    settings: Settings
    budget: Budget
    count: Count

    def apply(self) -> tuple[str, ...]:
        """What the plan says of it. Raises NeedsMore and DoesNotFit.

        A window that moves in steps holds the budget against the stored sizes: what becomes
        shorter later must not let its start move back.
        """
        draft = self.draft
        sizes = draft.past
        if not self._moves_in_steps:
            sizes = self._clamped(self._placeheld(sizes))
        notes = prune(draft, sizes, self._unread, self.settings, self.budget)
        draft.become(self._placeheld(draft.live), _placeholder_ruling)
        draft.become(self._clamped(draft.live), _clamp_ruling)
        if self._tokens() > self.budget.hard:
            draft.require(reaches=False)
            self._tighten()
        return notes

    @property
    def _moves_in_steps(self) -> bool:
        by_turns = self.settings.value("pruner") == "sliding_window"
        strides = ["token_stride", *(["length_stride"] if by_turns else [])]
        if self.settings.value("tool_results_keep"):
            strides.append("results_stride")
        return any(self.settings.value(stride) > 1 for stride in strides)

    @property
    def _unread(self) -> int | None:
        """Tokens of what a plan may keep unread, since no stage would change it; else None."""
        draft, keep = self.draft, self.settings.value("tool_results_keep")
        as_it_is = all(
            run.largest is not None and run.largest <= self._limit and not (keep and run.results)
            for run in draft.unread
        )
        return sum(run.tokens for run in draft.unread) if as_it_is and not draft.islands else None

    @property
    def _limit(self) -> int:
        """Of a single message."""
        return int(self.settings.value("max_message_tokens") or self.budget.largest_message)

    def _placeheld(self, live: Segments) -> Segments:
        keep = self.settings.value("tool_results_keep")
        if not keep:
            return live
        before = self.draft.results_before

        def ordinal(message: Message) -> int:
            return before[message.position]

        whole_from = oldest_whole(live, keep, self.settings.value("results_stride"), ordinal)
        tokens = FRAME + self.count(PLACEHOLDER)
        return with_placeholders(live, whole_from, ordinal, tokens)

    def _clamped(self, live: Segments) -> Segments:
        """The newest round and the current message come whole, if they fit at all."""
        limit = self._limit
        newest = live[-1].position if live else 0

        def short(message: Message) -> Message:
            is_asked = message.turn == self.draft.last_turn and message.role is Role.USER
            return message if is_asked else clamp(message, limit, self.count)

        return _each(live, short, lambda position: position < newest)

    def _tighten(self) -> None:
        """What must be sent is too large: older turns go after all, then large messages shrink."""
        draft, hard = self.draft, self.budget.hard
        while self._tokens() > hard and _begins_before(draft):
            turn = draft.live[0].turn
            start = next(part.position for part in draft.live if part.turn > turn)
            reason = f"the context window has no room for it: {number(hard)} tokens"
            draft.cut(start, Ruling(Verdict.TRIMMED, "budget", "context_window", reason))
        if self._tokens() > hard:
            share = _share([message.tokens for message in flat(draft.live)], hard)
            live = _each(draft.live, lambda m: clamp(m, share, self.count), lambda _: True)
            draft.become(live, _clamp_ruling)
        if (tokens := self._tokens()) > hard:
            raise does_not_fit(self.budget, tokens, _largest(draft), self.settings)

    def _tokens(self) -> int:
        unread = sum(run.tokens for run in self.draft.unread)
        return sum(part.tokens for part in self.draft.live) + unread


def _each(
    live: Segments, change: Callable[[Message], Message], chosen: Callable[[int], bool]
) -> Segments:
    return tuple(_changed(part, change) if chosen(part.position) else part for part in live)


def _changed(part: Segment, change: Callable[[Message], Message]) -> Segment:
    """The very same segment where nothing changes, as in most."""
    now = tuple(map(change, part.messages))
    return part if now == part.messages else replace(part, messages=now)


def _begins_before(draft: Draft) -> bool:
    """Whether a turn before the current one is still to be sent."""
    return bool(draft.live) and draft.live[0].turn < draft.last_turn


def _largest(draft: Draft) -> str:
    sizes = [(message.tokens, message.role) for message in flat(draft.live)]
    if not sizes:
        return "there are none"
    tokens, role = max(sizes)
    return f"the largest is a {role} message of {number(tokens)}"


def _share(sizes: list[int], budget: int) -> int:
    """The size that every larger message must come down to, so that all of them fit."""
    left = budget
    for place, size in enumerate(sorted(sizes)):
        share = left // (len(sizes) - place)
        if size > share:
            return max(0, share)
        left -= size
    return max(0, left)


def _placeholder_ruling(message: Message, now: Message | None) -> Ruling:
    sizes = f"{number(message.tokens)} to {number(now.tokens if now else 0)} tokens"
    reason = f"an older tool result, sent as {PLACEHOLDER}: {sizes}"
    return Ruling(Verdict.PLACEHOLDER, "placeholders", "tool_results_keep", reason)


def _clamp_ruling(message: Message, now: Message | None) -> Ruling:
    sizes = f"{number(message.tokens)} to {number(now.tokens if now else 0)} tokens"
    reason = f"too large, so only its head and tail are sent: {sizes}"
    return Ruling(Verdict.ALTERED, "clamp", "max_message_tokens", reason)
