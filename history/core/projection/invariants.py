"""The invariants of every projection, each checked on its own before a provider sees the request.

The checks share no code with the planner, so that a mistake there cannot hide itself here.
"""

from collections.abc import Callable
from itertools import chain, pairwise
from typing import TypeAlias

from history.core.plan.neutral_request import in_order
from history.core.plan.plan import Entry
from history.core.plan.verdict import SENT, Verdict
from history.core.projection.invariants_parts import (
    no_more_is_attached_than_kept,
    parts_have_their_tokens,
    parts_may_stand_for,
    reasoning_goes_by_turns,
)
from history.core.projection.invariants_reading import (
    history_entries,
    joined,
    read_messages,
    sent_messages,
    span_of,
)
from history.core.projection.invariants_texts import may_stand_for, object_in
from history.core.projection.project import Projection
from history.core.transcript.messages import Role, Transcript, Unread

PRESERVE, PIN = "preserve_system_messages", "pin"

Invariant: TypeAlias = Callable[[Transcript, Projection], bool]


class InvariantBroken(Exception):
    """A bug in Vitrine, not the user's mistake: nothing may be sent. `names` are the broken
    rules.
    """

    def __init__(self, names: tuple[str, ...]) -> None:
        super().__init__(f"The context plan is wrong, so nothing was sent: {', '.join(names)}")
        self.names = names


def check(transcript: Transcript, projection: Projection) -> None:
    """Raise `InvariantBroken` naming every broken invariant."""
    if broken := tuple(rule.__name__ for rule in INVARIANTS if not rule(transcript, projection)):
        raise InvariantBroken(broken)


def order_is_kept(transcript: Transcript, projection: Projection) -> bool:
    """Positions rise; a note comes before the message at its place."""
    places = [(message.position, not message.label) for message in projection.messages]
    return all(a < b or a == b == (b[0], False) for a, b in pairwise(places))


def only_the_transcript_is_sent(transcript: Transcript, projection: Projection) -> bool:
    """Messages are as stored, except for removed calls, placeholders and clamped texts."""
    originals = {message.position: message for message in read_messages(transcript)}
    return all(
        (original := originals.get(message.position)) is not None
        and (message.role, message.tool_call_id) == (original.role, original.tool_call_id)
        and may_stand_for(message, original)
        and parts_may_stand_for(message, original)
        for message in sent_messages(projection)
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
        open_ids = set(ids)
        seen |= ids
    return not open_ids


def every_call_is_one_that_providers_take(transcript: Transcript, projection: Projection) -> bool:
    return all(
        call.id.strip() and call.name.strip() and object_in(call.arguments) is not None
        for message in projection.messages
        for call in message.tool_calls
    )


def no_assistant_message_is_empty(transcript: Transcript, projection: Projection) -> bool:
    return all(
        message.text.strip() or message.tool_calls
        for message in projection.messages
        if message.role is Role.ASSISTANT
    )


def the_first_to_speak_is_the_user(transcript: Transcript, projection: Projection) -> bool:
    roles = (item.role for item in in_order(projection.messages, projection.injected))
    return next((role for role in roles if role is not Role.SYSTEM), Role.USER) is Role.USER


def the_current_message_is_sent(transcript: Transcript, projection: Projection) -> bool:
    newest = max(
        (m.position for m in read_messages(transcript) if m.role is Role.USER), default=None
    )
    return newest is None or any(m.position == newest for m in projection.messages)


def the_current_turn_is_sent_whole(transcript: Transcript, projection: Projection) -> bool:
    """Require the whole turn, except for messages that no provider accepts and unpreserved system
    messages.
    """
    last_turn = projection.plan.counts.last_turn
    own = [m.position for m in read_messages(transcript) if m.turn == last_turn and last_turn]
    return not own or all(
        entry.verdict in SENT or entry.verdict is Verdict.REPAIRED or entry.rule == PRESERVE
        for entry in history_entries(projection)
        if entry.positions.stop > own[0]
    )


def every_message_is_planned_once(transcript: Transcript, projection: Projection) -> bool:
    planned = [(entry.first, entry.last) for entry in history_entries(projection)]
    counts = [(len(entry.positions), entry.count) for entry in history_entries(projection)]
    return (
        joined(planned) == joined([span_of(item) for item in transcript])
        and all(width == count for width, count in counts)
        and list(chain.from_iterable(projection.plan.sent_positions()))
        == [message.position for message in sent_messages(projection)]
    )


def sums_close(transcript: Transcript, projection: Projection) -> bool:
    plan, window = projection.plan, projection.plan.window
    parts = sum(part.tokens for part in window.parts())
    return (
        parts == window.context_window + window.over
        and not (window.free and window.over)
        and window.history == sum(message.tokens for message in projection.messages)
        and window.counted == sum(entry.sent_tokens for entry in plan.entries)
        and sum(item.tokens for item in transcript) == sum(e.tokens for e in plan.entries)
    )


def the_window_holds_it(transcript: Transcript, projection: Projection) -> bool:
    return projection.plan.window.over == 0


def counts_agree(transcript: Transcript, projection: Projection) -> bool:
    counts = projection.plan.counts
    lost = sum(e.count for e in history_entries(projection) if e.verdict not in SENT)
    return (
        counts.transcript == sum(i.count if isinstance(i, Unread) else 1 for i in transcript)
        and counts.sent == len(list(sent_messages(projection)))
        and counts.trimmed + counts.repaired == lost
    )


def a_summary_stands_for_what_is_past(transcript: Transcript, projection: Projection) -> bool:
    """Require that a summary's span ends before the current message and contains every message that
    the summary replaces; of the span's other messages, only held ones are sent.
    """
    covers = [text.covers for text in projection.injected if text.covers]
    if not covers:
        return all(e.verdict is not Verdict.SUMMARISED for e in projection.plan.entries)
    end = span_of(transcript[-1])[1] + 1 if transcript else 0
    users = (m.position for m in read_messages(transcript) if m.role is Role.USER)
    question = max(users, default=end)
    return all(last < question for _, last in covers) and all(
        any(first <= (place or 0) <= last for first, last in covers)
        == (e.verdict is Verdict.SUMMARISED)
        for e in history_entries(projection)
        if not _is_apart(e)
        for place in (e.first, e.last)
    )


def the_window_starts_with_a_turn(transcript: Transcript, projection: Projection) -> bool:
    """Require that the policy splits no turn: of a trimmed turn, only held messages are sent."""
    places = {
        place
        for e in history_entries(projection)
        if e.rule in {PRESERVE, PIN}
        for place in e.positions
    }
    cut = _policy_cut(projection)
    return all(m.turn > cut or m.position in places for m in sent_messages(projection))


def the_policy_is_exact(transcript: Transcript, projection: Projection) -> bool:
    """Require that as many of the newest turns stay as policy, length and stride say."""
    settings, last_turn = projection.plan.settings, projection.plan.counts.last_turn
    if not last_turn:
        return settings.value("policy") != "none" or _is_all_held(projection)
    turns, cut = last_turn - _policy_cut(projection), _policy_cut(projection)
    least = {"none": 1, "lastN": max(1, settings.value("length")), "all": last_turn}
    stride = settings.value("length_stride") if settings.value("policy") == "lastN" else 1
    if (minimum := least.get(settings.value("policy"))) is None:
        return turns >= 1  # Nothing more is certain of a policy that is not in `least`.
    others = {Verdict.SUMMARISED, Verdict.EXCLUDED}
    covered = any(
        e.verdict in others or e.rule in {PRESERVE, PIN} for e in history_entries(projection)
    )
    if cut < 0:
        return covered or last_turn <= minimum + stride - 1
    return minimum <= turns <= minimum + stride - 1 or (covered and turns >= minimum)


INVARIANTS: tuple[Invariant, ...] = (
    order_is_kept,
    only_the_transcript_is_sent,
    reasoning_goes_by_turns,
    no_more_is_attached_than_kept,
    parts_have_their_tokens,
    calls_and_results_pair_up,
    every_call_is_one_that_providers_take,
    no_assistant_message_is_empty,
    the_first_to_speak_is_the_user,
    the_current_message_is_sent,
    the_current_turn_is_sent_whole,
    every_message_is_planned_once,
    sums_close,
    the_window_holds_it,
    counts_agree,
    a_summary_stands_for_what_is_past,
    the_window_starts_with_a_turn,
    the_policy_is_exact,
)


def _is_all_held(projection: Projection) -> bool:
    entries = (e for e in history_entries(projection) if e.verdict in SENT)
    return all(e.rule in {PRESERVE, PIN} for e in entries)


def _is_apart(entry: Entry) -> bool:
    """Whether a person or a setting decided about the entry, regardless of any summary."""
    return entry.verdict is Verdict.EXCLUDED or entry.rule in {PRESERVE, PIN}


def _policy_cut(projection: Projection) -> int:
    """Return the last turn that the policy trimmed; -1 if it trimmed none."""
    trimmed = (e.last_turn or 0 for e in history_entries(projection) if e.rule == "policy")
    return max(trimmed, default=-1)
