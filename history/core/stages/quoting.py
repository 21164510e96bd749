"""Quote arguments that providers would reject, because they are no JSON object, in one."""

from collections.abc import Iterator
from dataclasses import replace

from history.core.clamp import FRAME, Count
from history.core.draft.draft import PAIRS, Draft
from history.core.draft.rulings import Ruling
from history.core.facts import Fact, Rule, fact
from history.core.json_text import as_object, fault, is_object
from history.core.messages import Message, ToolCall
from history.core.plan.plan import Verdict
from history.core.segments import Segment
from history.core.wording import printable


def quote_arguments(draft: Draft, count: Count) -> None:
    """Quote them, so that the model sees what it wrote and the tool's answer to it."""

    calls = [call for part in draft.live for call in part.messages[0].tool_calls]
    if all(map(is_object, {call.arguments for call in calls})):
        return

    def quoted(part: Segment) -> Segment:
        head, *results = part.messages
        if all(is_object(call.arguments) for call in head.tool_calls):
            return part
        return replace(part, messages=(_quoted(head, count), *results))

    draft.become(tuple(map(quoted, draft.live)), _ruling)


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


def _ruling(message: Message, now: Message | None) -> Ruling:
    return Ruling(Verdict.ALTERED, PAIRS, reasons=tuple(_faults(message)))


def _faults(message: Message) -> Iterator[Fact]:
    for call in message.tool_calls:
        if found := fault(call.arguments):
            why = found if call.arguments.strip() else "none"
            named = {"call": printable(call.id), "tool": printable(call.name)}
            yield fact(Rule.QUOTED, why=why, **named)
