"""What every projection must satisfy before a provider sees it, each checked on its own.

They share no code with the planner, so that a mistake there cannot hide itself here.
"""

from collections.abc import Callable, Iterator
from itertools import chain, pairwise
from typing import TypeAlias

from history.core.messages import Message, Role, Transcript, Unread
from history.core.plan import SENT, Entry, Verdict
from history.core.projection import Projection

Invariant: TypeAlias = Callable[[Transcript, Projection], bool]


class InvariantBroken(Exception):
    """Our mistake, not the person's: nothing may be sent. `names` are the broken ones."""

    def __init__(self, names: tuple[str, ...]) -> None:
        super().__init__(f"The context plan is wrong, so nothing was sent: {', '.join(names)}")
        self.names = names


def check(transcript: Transcript, projection: Projection) -> None:
    """Raises `InvariantBroken` naming every broken invariant."""
    broken = tuple(rule.__name__ for rule in INVARIANTS if not rule(transcript, projection))
    if broken:
        raise InvariantBroken(broken)


def order_is_kept(transcript: Transcript, projection: Projection) -> bool:
    return all(a.position < b.position for a, b in pairwise(projection.messages))


def only_the_transcript_is_sent(transcript: Transcript, projection: Projection) -> bool:
    """Unchanged but for calls taken out."""
    stored = {message.position: message for message in _read(transcript)}
    return all(
        (original := stored.get(sent.position)) is not None
        and (sent.role, sent.text, sent.tool_call_id)
        == (original.role, original.text, original.tool_call_id)
        and all(call in original.tool_calls for call in sent.tool_calls)
        for sent in projection.messages
    )


def calls_and_results_pair_up(transcript: Transcript, projection: Projection) -> bool:
    """Each call has exactly one result before the next message that is not a tool's."""
    open_ids: set[str | None] = set()
    seen: set[str | None] = set()
    for message in projection.messages:
        if message.role is Role.TOOL:
            if message.tool_call_id not in open_ids:
                return False
            open_ids.remove(message.tool_call_id)
            continue
        ids = {call.id for call in message.tool_calls}
        if open_ids or ids & seen or len(ids) < len(message.tool_calls):
            return False
        open_ids, seen = set(ids), seen | ids
    return not open_ids


def no_assistant_message_is_empty(transcript: Transcript, projection: Projection) -> bool:
    return all(
        message.text.strip() or message.tool_calls
        for message in projection.messages
        if message.role is Role.ASSISTANT
    )


def the_current_message_is_sent(transcript: Transcript, projection: Projection) -> bool:
    newest = max((m.position for m in _read(transcript) if m.role is Role.USER), default=None)
    return newest is None or any(m.position == newest for m in projection.messages)


def every_message_is_planned_once(transcript: Transcript, projection: Projection) -> bool:
    planned = [(entry.first, entry.last) for entry in _history(projection)]
    counts = [(len(entry.positions), entry.count) for entry in _history(projection)]
    return (
        _joined(planned) == _joined([_span(item) for item in transcript])
        and all(width == count for width, count in counts)
        and list(chain.from_iterable(projection.plan.sent_positions()))
        == [message.position for message in projection.messages]
    )


def sums_close(transcript: Transcript, projection: Projection) -> bool:
    plan, window = projection.plan, projection.plan.window
    parts = sum(part.tokens for part in window.parts())
    return (
        parts == window.context_window + window.over
        and not (window.free and window.over)
        and window.history == sum(message.tokens for message in projection.messages)
        and window.sent == sum(entry.sent_tokens for entry in plan.entries)
        and sum(item.tokens for item in transcript) == sum(e.tokens for e in plan.entries)
    )


def counts_agree(transcript: Transcript, projection: Projection) -> bool:
    counts = projection.plan.counts
    lost = sum(e.count for e in _history(projection) if e.verdict not in SENT)
    return (
        counts.transcript == sum(i.count if isinstance(i, Unread) else 1 for i in transcript)
        and counts.sent == len(projection.messages)
        and counts.trimmed + counts.repaired == lost
    )


def the_window_starts_with_a_turn(transcript: Transcript, projection: Projection) -> bool:
    """No turn is cut: only system messages are sent of one that the policy trimmed."""
    trimmed = [e.last_turn or 0 for e in _history(projection) if e.rule == "policy"]
    cut = max(trimmed, default=-1)
    return all(m.turn > cut for m in projection.messages if m.role is not Role.SYSTEM)


def the_policy_is_exact(transcript: Transcript, projection: Projection) -> bool:
    """The user messages sent are the newest ones, as many as policy and length say."""
    settings, last_turn = projection.plan.settings, projection.plan.counts.last_turn
    most = {"none": 1, "lastN": max(1, settings.value("length")), "all": last_turn}
    kept = min(most[settings.value("policy")], last_turn)
    sent = [m.turn for m in projection.messages if m.role is Role.USER]
    return sent == list(range(last_turn - kept + 1, last_turn + 1))


INVARIANTS: tuple[Invariant, ...] = (
    order_is_kept,
    only_the_transcript_is_sent,
    calls_and_results_pair_up,
    no_assistant_message_is_empty,
    the_current_message_is_sent,
    every_message_is_planned_once,
    sums_close,
    counts_agree,
    the_window_starts_with_a_turn,
    the_policy_is_exact,
)


def _read(transcript: Transcript) -> Iterator[Message]:
    return (item for item in transcript if isinstance(item, Message))


def _history(projection: Projection) -> Iterator[Entry]:
    return (e for e in projection.plan.entries if e.verdict is not Verdict.INJECTED)


def _span(item: Message | Unread) -> tuple[int | None, int | None]:
    return (item.first, item.last) if isinstance(item, Unread) else (item.position, item.position)


def _joined(spans: list[tuple[int | None, int | None]]) -> list[tuple[int, int]]:
    """Runs that follow each other without a gap or an overlap become one."""
    joined: list[tuple[int, int]] = []
    for first, last in spans:
        if first is None or last is None:
            continue
        if joined and joined[-1][1] + 1 == first:
            joined[-1] = (joined[-1][0], last)
        else:
            joined.append((first, last))
    return joined
