"""Send a message in another form: invalid arguments quoted, old tool results as placeholders."""

from collections.abc import Callable, Iterator
from dataclasses import replace

from history.core.draft.draft import PAIRS, Draft
from history.core.draft.rulings import Ruling
from history.core.plan.verdict import Verdict
from history.core.transcript.clamp import FRAME, Count
from history.core.transcript.messages import Message, Role, ToolCall
from history.core.transcript.segments import Segment, Segments, flat
from history.core.words.facts import Fact, Rule, fact
from history.core.words.json_text import as_object, fault, is_object
from history.core.words.wording import printable

PLACEHOLDER = "[Omitted]"
WHY = (fact(Rule.PLACEHOLDER, text=PLACEHOLDER),)


def quote_arguments(draft: Draft, count: Count) -> None:
    """Quote invalid arguments inside a JSON object, because providers would reject them.

    So the model still sees the arguments that it wrote, and beside them the tool's answer.
    """
    calls = [call for part in draft.live for call in part.messages[0].tool_calls]
    if all(map(is_object, {call.arguments for call in calls})):
        return

    def quoted(part: Segment) -> Segment:
        head, *results = part.messages
        if all(is_object(call.arguments) for call in head.tool_calls):
            return part
        return replace(part, messages=(_quoted(head, count), *results))

    draft.replace(tuple(map(quoted, draft.live)), _quoting_ruling)


def oldest_whole(live: Segments, keep: int, stride: int, ordinal: Callable[[Message], int]) -> int:
    """Return how many tool results, from the transcript's start on, become placeholders if sent.

    The newest round is sent whole as long as no answer follows it, because the model has not seen
    it yet. `ordinal` returns how many results the transcript contains before a given one.
    """
    results = [message for message in flat(live) if message.role is Role.TOOL]
    whole = max(keep, len(live[-1].results) if live else 0)
    plain = _first_whole(results, whole, ordinal)
    cold = last_cold(live)
    free = [message for message in results if message.position < cold]
    return max(plain // stride * stride, _first_whole(free, keep, ordinal))


def with_placeholders(
    live: Segments, whole_from: int, ordinal: Callable[[Message], int], tokens: int
) -> Segments:
    """Replace the results before `whole_from` by placeholders, each of which costs `tokens`."""

    def shortened(message: Message) -> Message:
        if message.role is not Role.TOOL or ordinal(message) >= whole_from:
            return message
        return replace(message, text=PLACEHOLDER, tokens=tokens, parts=())

    return tuple(
        [
            Segment(tuple(map(shortened, part.messages)), part.repairs)
            if len(part.messages) > 1
            else part
            for part in live
        ]
    )


def placeholder_cost(count: Count) -> int:
    """Count the tokens of a placeholder."""
    return FRAME + count(PLACEHOLDER)


def placeholder_ruling(message: Message, now: Message | None) -> Ruling:
    return Ruling(Verdict.PLACEHOLDER, "placeholders", "tool_results_keep", WHY)


def _quoted(message: Message, count: Count) -> Message:
    calls = tuple(_quoted_call(call, count) for call in message.tool_calls)
    more = sum(call.tokens for call in calls) - sum(call.tokens for call in message.tool_calls)
    return replace(message, tool_calls=calls, tokens=max(0, message.tokens + more))


def _quoted_call(call: ToolCall, count: Count) -> ToolCall:
    if is_object(call.arguments):
        return call
    arguments = as_object(call.arguments)
    tokens = FRAME - 1 + count(call.name) + count(arguments)
    return replace(call, arguments=arguments, tokens=tokens)


def _quoting_ruling(message: Message, now: Message | None) -> Ruling:
    return Ruling(Verdict.ALTERED, PAIRS, reasons=tuple(_faults(message)))


def _faults(message: Message) -> Iterator[Fact]:
    for call in message.tool_calls:
        if reason := fault(call.arguments):
            why = reason if call.arguments.strip() else "none"
            figures = {"call": printable(call.id), "tool": printable(call.name)}
            yield fact(Rule.QUOTED, why=why, **figures)


def _first_whole(results: list[Message], keep: int, ordinal: Callable[[Message], int]) -> int:
    return ordinal(results[-keep]) if len(results) > keep else 0


def last_cold(live: Segments) -> int:
    """Return the position after the last pause that was longer than the cache lives, or 0: changing
    what precedes it costs nothing.
    """
    return max((m.position for m in flat(live) if m.cold), default=0)
