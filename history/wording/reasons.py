"""Sentences on why an entry has its verdict, with each stage that took part, in order."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from history.core.plan.plan import Entry
from history.core.plan.verdict import Verdict
from history.core.words.facts import Fact, Rule
from history.core.words.wording import number
from history.wording.faults import fill_later
from history.wording.names import (
    message_count,
    messages,
    processor_name,
    quoted,
    tokens,
    turn_count,
    turns,
)
from history.wording.parts import images_too_large, new_prompt, no_images, omitted

WHERE = {
    "start": gettext_lazy("sent before the messages"),
    "turn": gettext_lazy("sent just before the current turn"),
    "end": gettext_lazy("sent after the messages"),
    "always": gettext_lazy("sent with every request"),
}
THEN = {
    "removed": gettext_lazy("removed because {why}"),
    "taken_out": gettext_lazy("call removed because {why}"),
}
UNPAIRED_CALLS = {
    "no_id": gettext_lazy("a call has no id"),
    "no_name": gettext_lazy("a call has no name"),
    "repeats": gettext_lazy("{call} ({tool}) repeats the id of an earlier call"),
    "no_result": gettext_lazy("{call} ({tool}) has no result right after it"),
}
UNPAIRED_RESULTS = {
    "second": gettext_lazy("removed because its call already has a result"),
    "repeats": gettext_lazy("removed because its call repeats the id of an earlier call"),
    "no_call": gettext_lazy("removed because there is no call with this id right before it"),
}
QUOTED = {
    "no_object": gettext_lazy(
        "{call} ({tool}) has arguments that are not a JSON object, so they "
        "are sent as a quoted string"
    ),
    "nested": gettext_lazy(
        "{call} ({tool}) has arguments that are nested too deeply, so they "
        "are sent as a quoted string"
    ),
    "none": gettext_lazy("{call} ({tool}) has no arguments, sent as {empty}"),
}


def reason_of(entry: Entry, span: tuple[int, int] | None = None) -> str:
    """Word the reason of an entry. `span` is the first and the last of its turns to mention."""
    reason = worded_reasons(entry.reasons)
    if entry.turns is not None:
        reason = _("{turns} of {count}; {reason}").format(
            turns=turns(*(span or entry.turns)), count=number(entry.of_turns or 0), reason=reason
        )
    return _sized(entry, reason)


def worded_reasons(reasons: Sequence[Fact]) -> str:
    """Word only the reasons, without the turns and the sizes of the entry."""
    return "; ".join(map(_words, reasons))


def brief(entry: Entry) -> str:
    """Word the entry's first reason, without the total that another turn or segment would make."""
    return _words(entry.reasons[0].without("beyond")) if entry.reasons else ""


def _words(fact: Fact) -> str:
    return REASONS[fact.rule](**fact.figures)


def _sized(entry: Entry, reason: str) -> str:
    if entry.verdict is Verdict.INJECTED:
        size = tokens(entry.sent_tokens)
        return _("{reason}: {tokens}").format(reason=reason, tokens=size)
    if entry.sizes is None:
        return reason
    was, now = entry.sizes
    return _("{reason}: {was} \N{RIGHTWARDS ARROW} {now} tokens").format(
        reason=reason, was=number(was), now=number(now)
    )


def _policy(policy: str, kept: Sequence[int], length: int = 0, stride: int = 1) -> str:
    name = _last_n(length, stride) if policy == "lastN" else policy
    if policy == "none":
        name = _("History policy none")
    if not kept:
        return _("{policy} only keeps the current turn, and there is none yet").format(policy=name)
    return _("{policy} keeps {turns}").format(policy=name, turns=turns(*kept))


def _last_n(length: int, stride: int) -> str:
    if not length:
        return _("{setting} 0 (the same as 1)").format(setting=quoted("length"))
    name = f"{quoted('length')} {number(length)}"
    if stride > 1:
        return _("{name} in steps of {steps}").format(name=name, steps=number(stride))
    return name


def _history_window(size: int, stride: int, kept: int, brought: int) -> str:
    name = f"{quoted('max_items')} {number(size)}"
    if stride > 1:
        name = _("{name} in steps of {steps}").format(name=name, steps=number(stride))
    if not kept:
        return _("{name} keeps nothing: the newest calls and their results are more").format(
            name=name
        )
    if not brought:
        return _("{name} keeps {messages}").format(name=name, messages=message_count(kept))
    return _(
        "{name} keeps {messages}, including {brought} added to keep a question and its answer"
    ).format(name=name, messages=message_count(kept), brought=number(brought))


def _budget(kept: Sequence[int], tokens: int, budget: int, **more: Any) -> str:
    """Say how many tokens of the budget the kept turns take, and the total with one more turn."""
    beyond = more.pop("beyond", None)
    text = _("{pruner} keeps {turns}: {tokens} of {budget} tokens").format(
        pruner=_pruner(**more),
        turns=turns(*kept) if kept else _("no turn"),
        tokens=number(tokens),
        budget=number(budget),
    )
    if beyond is None:
        return text
    turn = turns(beyond["turn"], beyond["turn"])
    return _over(text, turn, beyond["tokens"])


def _over(text: str, what: str, tokens: int) -> str:
    """Add the total that another turn or segment would make to a reason."""
    return _("{reason}; {tokens} with {what}").format(reason=text, what=what, tokens=number(tokens))


def _pruner(pruner: str, token_stride: int, size: int | None = None, turn_stride: int = 1) -> str:
    """Name the pruner, with its size if it has one, and the steps in which its window moves."""
    name = f"{quoted('pruner')} {pruner}" + ("" if size is None else f" {number(size)}")
    steps = [turn_count(turn_stride)] if turn_stride > 1 else []
    steps += [tokens(token_stride)] if token_stride > 1 else []
    if not steps:
        return name
    return _("{name} in steps of {steps}").format(name=name, steps=_(" and ").join(steps))


def _summarised(place: int, count: int, checkpoint: int, was: int, now: int) -> str:
    return _("in summary {checkpoint} ({place} of {count}): {was} tokens reduced to {now}").format(
        place=place, count=count, checkpoint=checkpoint, was=number(was), now=number(now)
    )


def _tool_call_filter(exclude: Sequence[str] = (), include: Sequence[str] = (), **more: Any) -> str:
    if exclude:
        what = _("{processor} ({level} level) removes calls to {tools}")
    elif include:
        what = _("{processor} ({level} level) only keeps calls to {tools}")
    else:
        what = _("{processor} ({level} level) removes all tool calls")
    return _processed(what, tools=", ".join(exclude or include), **more)


def _token_limiter(limit: int, **more: Any) -> str:
    what = _("{processor} ({level} level) keeps the newest messages within {limit} tokens")
    return _processed(what, limit=number(limit), **more)


def _own_processor(processor: str, level: str) -> str:
    text = _("removed by {processor} ({level} level)")
    return text.format(processor=processor_name(processor), level=level)


def _processed(
    what: str,
    stride: int = 1,
    tokens: int | None = None,
    beyond: Mapping[str, Any] | None = None,
    **named: str,
) -> str:
    """Word a processor's reason with the total, and the total with one more segment."""
    text = what.format(**named | {"processor": processor_name(named["processor"])})
    if stride > 1:
        text = _("{reason} in steps of {stride} tokens").format(reason=text, stride=number(stride))
    if tokens is not None:
        text = f"{text}: {number(tokens)}"
    if beyond:
        out = messages(*beyond["places"]) if beyond["places"] else _("a note")
        text = _over(text, out, beyond["tokens"])
    return text


def _quoted(call: str, tool: str, why: str) -> str:
    return QUOTED[why].format(call=call, tool=tool, empty="{}")


def _unpaired_call(why: str, then: str = "", **named: str) -> str:
    text = UNPAIRED_CALLS[why].format(**named)
    return THEN[then].format(why=text) if then else text


REASONS: Mapping[Rule, Callable[..., str]] = {
    Rule.CURRENT_TURN: fill_later(gettext_lazy("current turn")),
    Rule.SYSTEM_KEPT: fill_later(gettext_lazy("a system message, which every policy keeps")),
    Rule.SYSTEM_NOT_KEPT: fill_later(
        gettext_lazy("a system message, and “Send the chat's system messages” is off")
    ),
    Rule.PINNED: fill_later(gettext_lazy("pinned")),
    Rule.EXCLUDED: fill_later(gettext_lazy("excluded by hand")),
    Rule.WITHHELD: fill_later(
        gettext_lazy("a system message of an imported file, shown but not sent")
    ),
    Rule.POLICY: _policy,
    Rule.HISTORY_WINDOW: _history_window,
    Rule.EXCHANGE: fill_later(
        gettext_lazy("the newest {size} messages contain no question with a text answer")
    ),
    Rule.BUDGET: _budget,
    Rule.NO_ROOM: fill_later(
        gettext_lazy("the context window has no room for its {tokens} tokens")
    ),
    Rule.SUMMARISED: _summarised,
    Rule.TOOL_CALL_FILTER: _tool_call_filter,
    Rule.TOKEN_LIMITER: _token_limiter,
    Rule.OWN_PROCESSOR: _own_processor,
    Rule.PLACEHOLDER: fill_later(gettext_lazy("an older tool result, sent as {text}")),
    Rule.CLAMPED: fill_later(gettext_lazy("too large, so only its beginning and end are sent")),
    Rule.OMITTED: omitted,
    Rule.NO_IMAGES: no_images,
    Rule.IMAGES_TOO_LARGE: images_too_large,
    Rule.QUOTED: _quoted,
    Rule.EMPTY: fill_later(gettext_lazy("removed because it has neither text nor calls")),
    Rule.UNPAIRED_CALL: _unpaired_call,
    Rule.NOTHING_ELSE: fill_later(gettext_lazy("the message was otherwise empty")),
    Rule.UNPAIRED_RESULT: lambda why: str(UNPAIRED_RESULTS[why]),
    Rule.INJECTED: lambda place: str(WHERE[place]),
    Rule.NEW_PROMPT: new_prompt,
    Rule.CALLS_NOTE: fill_later(gettext_lazy("sent in place of the removed calls")),
    Rule.OPENING: fill_later(gettext_lazy("sent first because the next message isn't the user's")),
}
