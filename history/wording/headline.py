"""The panel's headline: what the model saw and what it did not, in one sentence."""

from collections.abc import Mapping, Sequence
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext, ngettext_lazy

from history.core.plan.verdict import Verdict
from history.core.words.wording import number

CLAUSES: Mapping[Verdict, Any] = {
    Verdict.TRIMMED: ngettext_lazy(
        "{count} earlier message was left out", "{count} earlier messages were left out"
    ),
    Verdict.FILTERED: ngettext_lazy(
        "{count} message was left out by a processor",
        "{count} messages were left out by a processor",
    ),
    Verdict.EXCLUDED: ngettext_lazy(
        "{count} message was left out by hand", "{count} messages were left out by hand"
    ),
    Verdict.REPAIRED: ngettext_lazy(
        "{count} broken message was left out", "{count} broken messages were left out"
    ),
    Verdict.PLACEHOLDER: ngettext_lazy(
        "{count} older tool result was replaced by a placeholder",
        "{count} older tool results were replaced by placeholders",
    ),
    Verdict.ALTERED: ngettext_lazy(
        "{count} message was shortened or changed", "{count} messages were shortened or changed"
    ),
}
PARTS: Mapping[str, Any] = {
    "image": ngettext_lazy("{count} image was left out", "{count} images were left out"),
    "file": ngettext_lazy("{count} file was left out", "{count} files were left out"),
}
UNSENT: Mapping[str, Any] = {
    "missing_key": gettext_lazy("{model} needs a key."),
    "not_found": gettext_lazy("{model} was not found."),
}


def whole(count: int) -> str:
    return ngettext(
        "the whole chat: {count} message",
        "the whole chat: {count} messages",
        count,
    ).format(count=number(count))


def all_of(count: int) -> str:
    return ngettext("{count} message", "all {count} messages", count).format(count=number(count))


def some_of(sent_count: int, count: int) -> str:
    return ngettext("{sent} of {count} message", "{sent} of {count} messages", count).format(
        sent=number(sent_count), count=number(count)
    )


def current_turn() -> str:
    return _("only the current turn")


def last_turns(count: int) -> str:
    return ngettext("only the last turn", "the last {count} turns", count).format(
        count=number(count)
    )


def pinned(count: int) -> str:
    return ngettext(
        "{count} pinned message from before", "{count} pinned messages from before", count
    ).format(count=number(count))


def system(count: int) -> str:
    return ngettext(
        "{count} system message from before", "{count} system messages from before", count
    ).format(count=number(count))


def summary(count: int) -> str:
    return ngettext("a summary of {count} message", "a summary of {count} messages", count).format(
        count=number(count)
    )


def summary_of_left_out(count: int) -> str:
    """Name the summaries that stand for all messages that were left out."""
    return ngettext(
        "a summary of the one left out", "a summary of the {count} left out", count
    ).format(count=number(count))


def clause(verdict: Verdict, count: int) -> str:
    return _counted(CLAUSES[verdict], count)


def filtered(count: int, what: str, *, are_transfers: bool) -> str:
    """Say what a filter removed; `what` are the calls, each with its result, if they are known."""
    if are_transfers:
        return ngettext(
            "{count} hand-over message between agents was left out of this agent's view",
            "{count} hand-over messages between agents were left out of this agent's view",
            count,
        ).format(count=number(count))
    text = ngettext(
        "{count} message was left out of this agent's view",
        "{count} messages were left out of this agent's view",
        count,
    ).format(count=number(count))
    return _("{text} ({calls})").format(text=text, calls=what) if what else text


def calls_in_words(tools: Sequence[str], calls: Mapping[str, int]) -> str:
    """Name the removed calls; empty if only the filter's `tools` are known, and these are several:
    nobody knows which of them were there.
    """
    if not calls:
        return _("calls to {tools}").format(tools=tools[0]) if len(tools) == 1 else ""
    return ngettext(
        "a call to {tools} and its result",
        "calls to {tools} and their results",
        sum(calls.values()),
    ).format(tools=joined(list(calls)))


def parts_left_out(kind: str, count: int) -> str:
    return _counted(PARTS[kind], count)


def joined(things: Sequence[str]) -> str:
    """Join words, as in `a`, `a and b`, `a, b and c`."""
    *others, last = things
    return _("{others} and {last}").format(others=", ".join(others), last=last) if others else last


def sentence(seen: Sequence[str], rest: Sequence[str]) -> str:
    return _("The model saw {content}.").format(content=_content(seen, rest))


def request(seen: Sequence[str], rest: Sequence[str], *, is_pending: bool) -> str:
    """Word the headline while it is not known that the model got the request."""
    content = _content(seen, rest)
    if is_pending:
        return _("The request in progress has {content}.").format(content=content)
    return _("The request had {content}.").format(content=content)


def unanswered(why: str, seen: Sequence[str], rest: Sequence[str]) -> str:
    """Word the headline for a request without an answer. It must not say that the model saw the
    request.

    `why` is one or more sentences.
    """
    return _("No answer came: {why} The request had {content}.").format(
        why=why, content=_content(seen, rest)
    )


def unsent(why: str, sent_count: int, count: int, tokens: int) -> str:
    messages = some_of(sent_count, count) if sent_count < count else all_of(count)
    return _("Nothing was sent: {why} It would have got {messages}, {tokens}.").format(
        why=why, messages=messages, tokens=_tokens(tokens)
    )


def unsent_step(step: int, why: str) -> str:
    return _("Nothing was sent in step {step}: {why}").format(step=number(step), why=why)


def why_unsent(kind: str, model: str) -> str:
    """Say briefly why no request was sent; empty if only the error's own sentence can say that."""
    return str(UNSENT.get(kind, "")).format(model=model)


def _content(seen: Sequence[str], rest: Sequence[str]) -> str:
    if not rest:
        return joined(seen)
    return _("{seen}; {rest}").format(seen=joined(seen), rest=joined(rest))


def _tokens(count: int) -> str:
    return ngettext("{count} token", "{count} tokens", count).format(count=number(count))


def _counted(forms: Any, count: int) -> str:
    form: str = forms % count
    return form.format(count=number(count))
