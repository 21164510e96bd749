"""Decide which reasoning is sent again, in one place, before anything is counted.

The current turn's reasoning is sent, because providers need it while tools run; so is that of the
newest `reasoning_keep` turns before it, as far as the model accepts it. Left-out reasoning has no
verdict of its own: its message is sent without it.
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from history.core.transcript.messages import Message, Role
from history.core.transcript.parts import SEALED, Part, Reasoning, reasoning_in
from history.core.transcript.reasoning_accepted import ReasoningAccepted
from history.core.transcript.segments import Segment, Segments
from history.core.words.facts import Fact

# The reasons why reasoning that the model accepts is left out.
EARLIER, CALLS, LATE = "earlier", "calls", "late"
UNBOUND = "unbound"  # The reason that something before the reasoning has changed.


@dataclass(frozen=True, slots=True)
class ReasoningRule:
    """The rule for sending reasoning: all that the model accepts back, from turn `first` on.

    `unbound` has the positions of messages whose reasoning is left out only because something
    before it has changed, each with the first change.
    """

    first: int = 0
    taking: ReasoningAccepted = field(default_factory=ReasoningAccepted)
    unbound: Mapping[int, Fact] = field(default_factory=dict, hash=False)

    def why_left_out(self, part: Reasoning, beside: Iterable[Part], turn: int, place: int) -> str:
        """Say why a part is left out; the text is empty if this rule does not leave it out.

        `beside` are all parts of the part's message, which is at position `place` in turn `turn`.
        """
        if turn < self.first:
            return EARLIER
        if place in self.unbound:
            return UNBOUND
        return str(self.taking.refusal(part, reasoning_in(beside)) or "")

    def as_dict(self) -> dict[str, Any]:
        unbound = [[place, change.as_dict()] for place, change in self.unbound.items()]
        return {"first": self.first, "taking": self.taking.as_dict(), "unbound": unbound}

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> "ReasoningRule":
        return cls(
            data.get("first", 0),
            ReasoningAccepted.from_dict(data.get("taking", {})),
            {place: Fact.from_dict(change) for place, change in data.get("unbound", ())},
        )


def rule_of(taking: ReasoningAccepted, keep: int, last_turn: int, loop: Segments) -> ReasoningRule:
    """Return the rule for a request; before any user message, no turn is the current one.

    `loop` are the segments after a person's last message.
    """
    first = last_turn - keep if last_turn or keep else 1
    rule = ReasoningRule(first, taking)
    if not taking.minds_loop or _is_own(loop, rule):
        return rule
    return replace(rule, taking=replace(taking, foreign_loop=True))


def loop_start(roles: Iterable[Role]) -> int:
    """Return the start of the newest tool loop: a person's last message that does not follow a
    tool's result. Claude gets a message after a tool's result together with that result, as one
    message.
    """
    start, before = 0, Role.SYSTEM
    for place, role in enumerate(roles):
        if role is Role.SYSTEM or (role is Role.USER and before is Role.TOOL):
            continue
        start, before = place if role is Role.USER else start, role
    return start


def with_reasoning(parts: Segments, rule: ReasoningRule) -> Segments:
    """Add the tokens of the sent reasoning to its messages, and remove all other reasoning.

    A message that lost calls is sent without reasoning, which belongs to all its calls together.
    """
    return tuple([_judged(part, rule) if _thinks(part) else part for part in parts])


def without_reasoning(message: Message) -> Message:
    """Return a message without its reasoning. Its tokens must include the reasoning's."""
    return _counted_with(message, ())


def without_odd_reasoning(part: Segment) -> Segment:
    """Remove the counted reasoning of a segment that lost calls, because it belongs to all its
    calls together.
    """
    if not (part.repairs and part.messages):
        return part
    head, *results = part.messages
    return replace(part, messages=(without_reasoning(head), *results))


def without_late_reasoning(parts: Segments) -> Segments:
    """Remove counted reasoning that directly follows an assistant's text without reasoning.

    Claude gets these two messages as one, and accepts no thinking after a text.
    """
    segments: list[Segment] = []
    for part in parts:
        is_late = bool(segments) and _is_bare(segments[-1].messages[-1]) and _thinks(part)
        head, *results = part.messages
        segments.append(
            replace(part, messages=(without_reasoning(head), *results)) if is_late else part
        )
    return tuple(segments)


def without_last_reasoning(parts: Segments) -> Segments:
    """Remove counted reasoning that nothing in its message follows since texts were shortened."""
    return tuple([_followed(part) if _thinks(part) else part for part in parts])


def reasoning_tokens(message: Message) -> int:
    return sum(part.tokens for part in reasoning_in(message.parts))


def left_out(
    rule: ReasoningRule, originals: Iterable[Message], messages: Mapping[int, Message]
) -> dict[str, int]:
    """Count the tokens of reasoning that is left out of sent messages, by the reason."""
    tokens: Counter[str] = Counter()
    for message in originals:
        if not message.parts or message.position not in messages:
            continue
        now = messages[message.position].parts
        for part in reasoning_in(message.parts):
            if part not in now:
                has_calls = len(messages[message.position].tool_calls) == len(message.tool_calls)
                late = LATE if has_calls else CALLS
                why = rule.why_left_out(part, message.parts, message.turn, message.position) or late
                tokens[why] += part.tokens
    return dict(tokens)


def _is_own(loop: Segments, rule: ReasoningRule) -> bool:
    """Whether no tool loop has begun, or the model began it with reasoning that it signed."""
    heads = (part for part in loop if part.messages[0].role is Role.ASSISTANT)
    head = next(heads, None)
    return head is None or (head.turn > 0 and any(t.form in SEALED for t in _sent_of(head, rule)))


def _is_bare(message: Message) -> bool:
    return message.role is Role.ASSISTANT and not reasoning_in(message.parts)


def _sent_of(part: Segment, rule: ReasoningRule) -> tuple[Reasoning, ...]:
    head = part.messages[0]
    thoughts = () if part.repairs else reasoning_in(head.parts)
    if rule.taking.needs_sequel or rule.taking.moves_blocks:
        thoughts = tuple(t for t in thoughts if not _is_last(t, head))
    return tuple(
        t for t in thoughts if not rule.why_left_out(t, head.parts, part.turn, part.position)
    )


def _is_last(thought: Reasoning, message: Message) -> bool:
    """Whether a message ends with thinking after its text. litellm would send Claude's first."""
    return 0 < len(message.text.rstrip()) <= thought.at and not message.tool_calls


def _followed(part: Segment) -> Segment:
    head, *results = part.messages
    thoughts = tuple(t for t in reasoning_in(head.parts) if not _is_last(t, head))
    return replace(part, messages=(_counted_with(head, thoughts), *results))


def _thinks(part: Segment) -> bool:
    """Whether a segment has reasoning, which only its first message can have."""
    return bool(part.messages and part.messages[0].parts and reasoning_in(part.messages[0].parts))


def _judged(part: Segment, rule: ReasoningRule) -> Segment:
    head, *results = part.messages
    now = _with_only(head, _sent_of(part, rule))
    counted = replace(now, tokens=now.tokens + reasoning_tokens(now))
    return replace(part, messages=(counted, *results))


def _counted_with(message: Message, thoughts: Sequence[Reasoning]) -> Message:
    """Return a message with these of its thoughts; its tokens must include those of all."""
    gone = reasoning_tokens(message) - sum(thought.tokens for thought in thoughts)
    return _with_only(replace(message, tokens=max(0, message.tokens - gone)), thoughts)


def _with_only(message: Message, thoughts: Sequence[Reasoning]) -> Message:
    left = tuple(p for p in message.parts if not isinstance(p, Reasoning) or p in thoughts)
    return message if left == message.parts else replace(message, parts=left)
