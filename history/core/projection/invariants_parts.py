"""Checks of the parts that are sent. As with all invariants, no code is shared with the planner."""

from collections.abc import Iterator, Sequence

from history.core.plan.injected import Injected
from history.core.plan.neutral_request import in_order
from history.core.plan.verdict import HELD
from history.core.projection.invariants_reading import (
    history_entries,
    read_messages,
    sent_messages,
)
from history.core.projection.invariants_texts import PLACEHOLDER, is_cut_from
from history.core.projection.project import Projection
from history.core.settings.reduction import STABLE
from history.core.transcript.messages import Message, Role, Transcript
from history.core.transcript.parts import (
    SEALED,
    File,
    Image,
    Omitted,
    Part,
    Reasoning,
    ReasoningForm,
)
from history.core.transcript.reasoning_accepted import ReasoningAccepted


def reasoning_goes_by_turns(transcript: Transcript, projection: Projection) -> bool:
    """Require that the reasoning of the current turn, and of as many turns before it as the setting
    says, is sent as far as the model accepts it in its place, and no other reasoning. If the model
    insists, a tool loop begins with its reasoning.
    """
    last, keep = projection.plan.counts.last_turn, projection.plan.settings.value("reasoning_keep")
    originals = {message.position: message for message in read_messages(transcript)}
    first, taking = last - keep if last or keep else 1, projection.plan.reasoning.taking
    late = _behind_a_text(projection) if taking.minds_loop else set()
    late |= projection.plan.reasoning.unbound.keys()
    return _who_thinks_began_the_loop(projection, taking) and all(
        not _thoughts(message)
        if message.position in late
        else _reasons_in_turn(message, originals.get(message.position, message), first, taking)
        for message in sent_messages(projection)
    )


def no_more_is_attached_than_kept(transcript: Transcript, projection: Projection) -> bool:
    """Require that, apart from held, current and newest segments, no more attachments are sent than
    the settings keep.
    """
    free = _free(projection)
    return all(
        not keep or len(list(_attached(free, kind))) <= keep + stride - 1
        for kind in (Image, File)
        for keep, stride in [_keeping(projection, kind)]
    )


def parts_have_their_tokens(transcript: Transcript, projection: Projection) -> bool:
    """Each entry names the parts sent, and a message costs at least as much as they do."""
    parts = {e.first: e.parts for e in history_entries(projection) if e.parts}
    return all(
        [p.tokens for p in message.parts] == [p.tokens for p in parts.get(message.position, ())]
        and sum(p.tokens for p in message.parts) <= message.tokens
        for message in sent_messages(projection)
        if message.parts
    )


def parts_may_stand_for(message: Message, original: Message) -> bool:
    """Whether each attachment is sent unchanged, clamped (only a file) or as its placeholder, and
    reasoning unchanged. If a placeholder replaces a result, it also replaces the result's
    attachments.
    """
    if message.role is Role.TOOL and message.text == PLACEHOLDER and not message.parts:
        return True
    originals, now = _attachments(original), _attachments(message)
    stored_thoughts = _thoughts(original)
    return (
        len(now) == len(originals)
        and all(_may_stand_for(a, b) for a, b in zip(now, originals, strict=True))
        and all(thought in stored_thoughts for thought in _thoughts(message))
    )


def _attachments(message: Message) -> list[Part]:
    return [part for part in message.parts if not isinstance(part, Reasoning)]


def _thoughts(message: Message) -> list[Reasoning]:
    return [part for part in message.parts if isinstance(part, Reasoning)]


def _who_thinks_began_the_loop(projection: Projection, taking: ReasoningAccepted) -> bool:
    items = in_order(projection.messages, projection.injected)
    loop = [item for item in items[_after_the_user(items) :] if item.role is Role.ASSISTANT]
    thoughts = _thoughts(loop[0]) if loop and isinstance(loop[0], Message) else []
    is_off = taking.foreign_loop or (taking.only_thinking and not taking.thinks)
    return is_off or not taking.minds_loop or not loop or any(t.form in SEALED for t in thoughts)


def _behind_a_text(projection: Projection) -> set[int]:
    """Return the positions of assistant messages directly after one without reasoning."""
    answers = [m.role is Role.ASSISTANT for m in projection.messages]
    pairs = zip(projection.messages, projection.messages[1:], answers, answers[1:], strict=False)
    return {now.position for was, now, a, b in pairs if a and b and not _thoughts(was)}


def _after_the_user(items: Sequence[Message | Injected]) -> int:
    """Return the place of a person's newest message that does not directly follow a tool's
    result.
    """
    heard = [place for place, item in enumerate(items) if item.role is not Role.SYSTEM]
    users = [place for place in heard if items[place].role is Role.USER]
    while users:
        before = [items[place].role for place in heard if place < users[-1]]
        while before and before[-1] is Role.USER:
            before.pop()
        if not before or before[-1] is not Role.TOOL:
            return users[-1]
        users.pop()
    return 0


def _reasons_in_turn(
    message: Message, original: Message, first: int, taking: ReasoningAccepted
) -> bool:
    """Whether a message is sent with exactly the reasoning that the model accepts; with none if the
    message is from before turn `first` or lost calls.
    """
    lost = len(message.tool_calls) < len(original.tool_calls)
    thoughts = _taken(original, taking) if original.turn >= first and not lost else []
    if taking.needs_sequel and message.has_text and not message.tool_calls:
        thoughts = [t for t in thoughts if t.at < len(message.text.rstrip())]
    return thoughts == _thoughts(message)


def _taken(original: Message, taking: ReasoningAccepted) -> list[Reasoning]:
    thoughts = _thoughts(original)
    thinks = taking.thinks and not taking.foreign_loop
    is_refused = taking.withheld_by or (taking.only_thinking and not thinks)
    if is_refused or any(t.fields.get("altered") for t in thoughts):
        return []
    is_sealed = any(t.form is ReasoningForm.REDACTED for t in thoughts)
    if taking.moves_blocks and is_sealed and any(t.at for t in thoughts):
        return []
    own = [t for t in thoughts if taking.family is None or t.family == taking.family]
    if (
        (taking.needs_sequel or taking.moves_blocks)
        and not original.tool_calls
        and original.has_text
    ):
        own = [t for t in own if t.at < len(original.text.rstrip())]
    own = [t for t in own if not taking.bound_to or (t.bond and t.bond.model == taking.bound_to)]
    return [t for t in own if not taking.fields or set(taking.fields) & set(t.fields)]


def _may_stand_for(part: Part, original: Part) -> bool:
    match part, original:
        case Omitted(), Image() | File():
            return (part.of, part.name) == (original.kind, original.label)
        case Image(), Image():
            return part.digest == original.digest
        case File(), File():
            return part.digest == original.digest and is_cut_from(part.text, original.text)
    return False


def _free(projection: Projection) -> list[Message]:
    """Return the messages whose attachments no rule requires to be sent whole.

    With a stable prefix, the attachments from the place `settled` on must also be sent whole.
    """
    plan = projection.plan
    places = {place for e in history_entries(projection) if e.rule in HELD for place in e.positions}
    messages = [m for m in sent_messages(projection) if m.position not in places]
    newest = max((m.position for m in messages if m.role is not Role.TOOL), default=0)
    if plan.settings.value("prefix") == STABLE:
        newest = min(newest, plan.settled)
    return [
        m
        for m in messages
        if m.position < newest and not (m.role is Role.USER and m.turn == plan.counts.last_turn)
    ]


def _attached(messages: Sequence[Message], kind: type[Image] | type[File]) -> Iterator[Part]:
    return (part for m in messages for part in m.parts if isinstance(part, kind))


def _keeping(projection: Projection, kind: type[Image] | type[File]) -> tuple[int, int]:
    settings = projection.plan.settings
    return settings.value(f"{kind.kind}s_keep"), settings.value(f"{kind.kind}s_stride")
