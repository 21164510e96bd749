"""Sentences on what became of a message's images, files and reasoning, and of an edited prompt."""

from collections.abc import Sequence
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext, ngettext_lazy

from history.core.settings.resolved import Settings
from history.core.settings.spec import shown_value
from history.core.transcript.parts import Part
from history.core.transcript.reasoning import UNBOUND, ReasoningRule
from history.core.transcript.reasoning_accepted import NotTaken
from history.core.words.wording import number
from history.wording.deciding.sources import source_name
from history.wording.differences import unbound
from history.wording.names import quoted

OMITTED: dict[str, Any] = {
    "image": ngettext_lazy("{count} image of {held} omitted", "{count} images of {held} omitted"),
    "file": ngettext_lazy("{count} file of {held} omitted", "{count} files of {held} omitted"),
}


def part_name(part: Part) -> str:
    """Name an image or a file as people see it: `scan.pdf, page 3`."""
    name, page = getattr(part, "name", ""), getattr(part, "page", 0)
    return _("{name}, page {page}").format(name=name, page=page) if page else name


def omitted(kind: str, count: int, held: int, **limit: Any) -> str:
    form: str = OMITTED[kind] % count
    sentence = form.format(count=number(count), held=number(held))
    return _("{omitted}, because {why}").format(omitted=sentence, why=_limit(kind, **limit))


def _limit(kind: str, keep: int, stride: int, besides: Sequence[str] = ()) -> str:
    name = f"{quoted(f'{kind}s_keep')} {number(keep)}"
    if stride > 1:
        name = _("{name} in steps of {steps}").format(name=name, steps=number(stride))
    return _("{setting} only sends the newest {keep}{besides}").format(
        setting=name, keep=number(keep), besides=_besides(besides)
    )


BESIDES = {
    "current": gettext_lazy("those of the current message"),
    "newest_round": gettext_lazy("those of the newest tool results"),
    "pinned": gettext_lazy("those of pinned messages"),
}


def _besides(names: Sequence[str]) -> str:
    """Name the images or files that are sent whatever the setting is."""
    others = _(" and ").join(str(BESIDES[name]) for name in names)
    return _(", besides {others}").format(others=others) if names else ""


def no_images(count: int) -> str:
    return ngettext(
        "{count} image omitted, because the model takes none",
        "{count} images omitted, because the model takes none",
        count,
    ).format(count=number(count))


def images_too_large(count: int) -> str:
    return ngettext(
        "{count} image omitted, because it is too large for the limit of a message",
        "{count} images omitted, because they are too large for the limit of a message",
        count,
    ).format(count=number(count))


KINDS = {
    "reasoning": gettext_lazy("Reasoning"),
    "image": gettext_lazy("Image"),
    "file": gettext_lazy("File"),
}
SENDING = {
    "sent": gettext_lazy("sent"),
    "with_message": gettext_lazy("not sent, like its message"),
    "with_result": gettext_lazy("not sent, like the tool result that it belongs to"),
    "calls": gettext_lazy("not sent, because calls that it led to are left out"),
    "late": gettext_lazy(
        "not sent, because the provider accepts no reasoning here: right after a text without "
        "any, or at the end of an answer"
    ),
    "no_taker": gettext_lazy("not sent, because this provider doesn't accept earlier reasoning"),
    "other_family": gettext_lazy("not sent, because this provider accepts only its own"),
    "foreign_loop": gettext_lazy(
        "not sent, because thinking is off in a tool loop that doesn't begin with the model's own"
    ),
    "altered": gettext_lazy(
        "not sent, because storing it altered it, so its signature is no longer valid"
    ),
    "other_form": gettext_lazy("not sent, because the provider doesn't accept it in this form"),
    "other_model": gettext_lazy("not sent, because the model accepts only its own"),
}


def sending(how: str) -> str:
    return str(SENDING[how])


def kind_of(kind: str) -> str:
    return str(KINDS[kind])


def pages(count: int) -> str:
    return ngettext("{count} page", "{count} pages", count).format(count=number(count))


def counted_by(rule: str) -> str:
    return _("sent; counted by {rule}").format(rule=rule)


OLDER: dict[str, Any] = {
    "image": ngettext_lazy(
        "not sent: {setting} is {keep} ({source}), so only the newest image is{besides}. "
        "The model reads {placeholder}",
        "not sent: {setting} is {keep} ({source}), so only the newest {keep} images are{besides}. "
        "The model reads {placeholder}",
    ),
    "file": ngettext_lazy(
        "not sent: {setting} is {keep} ({source}), so only the newest file is{besides}. "
        "The model reads {placeholder}",
        "not sent: {setting} is {keep} ({source}), so only the newest {keep} files are{besides}. "
        "The model reads {placeholder}",
    ),
}


def older(kind: str, keep: int, source: str, placeholder: str, besides: Sequence[str] = ()) -> str:
    """Say that only the newest images or files are sent, and what stands for the others."""
    sentence: str = OLDER[kind] % keep
    return sentence.format(
        setting=quoted(f"{kind}s_keep"),
        keep=number(keep),
        source=source,
        placeholder=placeholder,
        besides=_besides(besides),
    )


def replaced(why: str, placeholder: str) -> str:
    return _("not sent: {why}. The model reads {placeholder}").format(
        why=why, placeholder=placeholder
    )


def reasoning_sent(keep: object, source: str, *, is_current: bool) -> str:
    if is_current:
        return _("sent: reasoning of the current turn always is")
    return _("sent again: {setting} is {keep} ({source})").format(
        setting=quoted(REASONING_KEEP), keep=shown_value(keep), source=source
    )


REASONING_KEEP = "reasoning_keep"
BY_SETTING = {
    "earlier": (
        REASONING_KEEP,
        gettext_lazy("not sent again: {setting} is {value} ({source})"),
    ),
    "no_effort": (
        "reasoning_effort",
        gettext_lazy("not sent: thinking is off, because {setting} is {value} ({source})"),
    ),
}


def reasoning_left_out(
    why: str, settings: Settings, rule: ReasoningRule, place: int | None = None
) -> str:
    """Say why reasoning is not sent: that of the message at `place`, or else that of all messages.
    For all, it names only the last change before bound reasoning.
    """
    if why == UNBOUND:
        changes = [*rule.unbound.values()] if place is None else [rule.unbound[place]]
        return unbound(changes[-1], settings)
    if why == NotTaken.WITHHELD:
        withheld = _("not sent: “{setting}” is off for the provider {provider}")
        provider = rule.taking.withheld_by
        return withheld.format(setting=_("Send reasoning back"), provider=provider)
    if why not in BY_SETTING:
        return sending(why)
    name, sentence = BY_SETTING[why]
    winner = settings[name].winner
    return str(sentence).format(
        setting=quoted(name), value=shown_value(winner.value), source=source_name(winner)
    )


def all_left_out(count: int, why: str) -> str:
    """Say how many tokens of reasoning the sent messages lack; `why` is the reason in words."""
    return ngettext(
        "Reasoning: {count} token {why}", "Reasoning: {count} tokens {why}", count
    ).format(count=number(count), why=why)


def new_prompt(turn: int) -> str:
    sentence = _("sent where turn {turn} begins, because it replaced the system prompt then")
    return sentence.format(turn=number(turn))


def prompt_waits() -> str:
    return _(
        "The edited system prompt is not sent yet: “Prefix” is stable, and this model takes no "
        "later system message. It is sent as soon as the window moves."
    )
