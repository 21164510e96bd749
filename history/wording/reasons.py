"""Word why an entry has its verdict: each stage that took part, in order."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from history.core.facts import Fact, Rule
from history.core.plan.plan import Entry, Verdict
from history.core.wording import messages, number, plural, turns

WHERE = {
    "start": "ahead of the transcript",
    "turn": "just before the current turn",
    "end": "after the transcript",
    "always": "with every request",
}
THEN = {"removed": "removed: ", "taken_out": "call taken out, since ", "": ""}
UNPAIRED_CALLS = {
    "no_id": "a call has no id",
    "no_name": "a call has no name",
    "repeats": "{call} ({tool}) repeats the id of an earlier call",
    "no_result": "{call} ({tool}) has no result directly after it",
}
UNPAIRED_RESULTS = {
    "second": "a second result for the same call",
    "repeats": "its call repeats the id of an earlier call",
    "no_call": "no call with this id directly before it",
}
QUOTED = {
    "no_object": "arguments that are no JSON object, sent quoted",
    "nested": "arguments that are nested too deeply, sent quoted",
    "none": "no arguments, sent as {}",
}


def reason_of(entry: Entry, span: tuple[int, int] | None = None) -> str:
    """Word the entry's reason. `span` is the part of its turns to mention, first and last."""
    said = told(entry.reasons)
    if entry.turns is not None:
        said = f"{turns(*(span or entry.turns))} of {number(entry.of_turns or 0)}; {said}"
    return said if entry.is_told else f"{said}{_sizes(entry)}"


def told(reasons: Sequence[Fact]) -> str:
    """Word the reasons alone, without the entry's own figures."""
    return "; ".join(map(_words, reasons))


def brief(entry: Entry) -> str:
    """Word the first reason without further arithmetic."""
    return _words(entry.reasons[0].without("beyond")) if entry.reasons else ""


def _words(fact: Fact) -> str:
    return REASONS[fact.rule](**fact.figures)


def _sizes(entry: Entry) -> str:
    if entry.verdict is Verdict.INJECTED:
        return f": {plural(entry.sent_tokens, 'token')}"
    if entry.sizes is None:
        return ""
    was, now = entry.sizes
    return f": {number(was)} to {number(now)} tokens"


def _policy(policy: str, kept: Sequence[int], length: int = 0, stride: int = 1) -> str:
    name = {"none": "policy none", "lastN": _last_n(length, stride)}.get(policy, policy)
    if not kept:
        return f"{name} keeps the current turn alone, and there is none"
    return f"{name} keeps {turns(*kept)}"


def _last_n(length: int, stride: int) -> str:
    name = f"lastN {number(length)}" if length else "lastN 0 (0 acts as 1)"
    return f"{name} in steps of {number(stride)}" if stride > 1 else name


def _history_window(size: int, stride: int, kept: int, brought: int) -> str:
    step = f" in steps of {number(stride)}" if stride > 1 else ""
    why = f", {number(brought)} of them for an exchange in words" if brought else ""
    return f"max_items {number(size)}{step} keeps {number(kept)} messages{why}"


def _exchange(size: int) -> str:
    return f"the newest {number(size)} messages alone hold no exchange in words"


def _budget(kept: Sequence[int], tokens: int, budget: int, **more: Any) -> str:
    """Add the arithmetic of the last turn left out."""
    beyond = more.pop("beyond", None)
    names = turns(*kept) if kept else "no turn"
    said = f"{_pruner(**more)} keeps {names}: {number(tokens)} of {number(budget)} tokens"
    if beyond is None:
        return said
    turn = beyond["turn"]
    return f"{said}; with {turns(turn, turn)} {number(beyond['tokens'])}"


def _pruner(pruner: str, token_stride: int, size: int | None = None, turn_stride: int = 1) -> str:
    """Name the pruner with its number and the steps by which its window moves."""
    name = pruner if size is None else f"{pruner} {number(size)}"
    strides = {"turn": turn_stride, "token": token_stride}
    steps = [plural(stride, unit) for unit, stride in strides.items() if stride > 1]
    return f"{name} in steps of {' and of '.join(steps)}" if steps else name


def _summarised(place: int, count: int, checkpoint: int, was: int, now: int) -> str:
    which = f"in summary {place} of {count} (checkpoint {checkpoint})"
    return f"{which}: {number(was)} tokens as {number(now)}"


def _tool_call_filter(exclude: Sequence[str] = (), include: Sequence[str] = (), **more: Any) -> str:
    if exclude:
        return _processed(f"takes out calls of {', '.join(exclude)}", **more)
    if include:
        return _processed(f"keeps only calls of {', '.join(include)}", **more)
    return _processed("takes out all tool calls", **more)


def _token_limiter(limit: int, **more: Any) -> str:
    return _processed(f"keeps the newest segments within {number(limit)} tokens", **more)


def _own_processor(**more: Any) -> str:
    return _processed("takes it out", **more)


def _processed(
    what: str,
    processor: str,
    level: str,
    stride: int = 1,
    tokens: int | None = None,
    **more: Mapping[str, Any],
) -> str:
    """Add the arithmetic of the first segment left out, for processors that keep a tail."""
    said = f"{processor} at the {level} level {what}"
    if stride > 1:
        said = f"{said} in steps of {number(stride)} tokens"
    if tokens is not None:
        said = f"{said}: {number(tokens)}"
    if beyond := more.get("beyond"):
        out = messages(*beyond["places"]) if beyond["places"] else "a note"
        said = f"{said}; {number(beyond['tokens'])} with {out}"
    return said


def _quoted(call: str, tool: str, why: str) -> str:
    return f"{call} ({tool}) has {QUOTED[why]}"


def _unpaired_call(why: str, then: str = "", **named: str) -> str:
    return THEN[then] + UNPAIRED_CALLS[why].format(**named)


REASONS: Mapping[Rule, Callable[..., str]] = {
    Rule.TOLD: lambda sentence, beyond="": f"{sentence}; {beyond}" if beyond else sentence,
    Rule.CURRENT_TURN: lambda: "current turn",
    Rule.SYSTEM_KEPT: lambda: "a system message; every policy keeps it",
    Rule.SYSTEM_NOT_KEPT: lambda: "a system message, and preserve_system_messages is false",
    Rule.PINNED: lambda: "pinned by a person",
    Rule.EXCLUDED: lambda: "excluded by a person",
    Rule.POLICY: _policy,
    Rule.HISTORY_WINDOW: _history_window,
    Rule.EXCHANGE: _exchange,
    Rule.BUDGET: _budget,
    Rule.NO_ROOM: lambda tokens: f"the context window has no room for it: {number(tokens)} tokens",
    Rule.SUMMARISED: _summarised,
    Rule.TOOL_CALL_FILTER: _tool_call_filter,
    Rule.TOKEN_LIMITER: _token_limiter,
    Rule.OWN_PROCESSOR: _own_processor,
    Rule.PLACEHOLDER: lambda text: f"an older tool result, sent as {text}",
    Rule.CLAMPED: lambda: "too large, so only its head and tail are sent",
    Rule.QUOTED: _quoted,
    Rule.EMPTY: lambda: "removed: neither text nor calls",
    Rule.UNPAIRED_CALL: _unpaired_call,
    Rule.NOTHING_ELSE: lambda: "nothing else in the message",
    Rule.UNPAIRED_RESULT: lambda why: f"removed: {UNPAIRED_RESULTS[why]}",
    Rule.INJECTED: lambda place: f"sent {WHERE[place]}",
    Rule.CALLS_NOTE: lambda: "sent in the place of the calls taken out",
    Rule.OPENING: lambda: "sent first, since what follows it is not the user's",
}
