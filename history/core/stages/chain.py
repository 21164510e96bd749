"""Run the chain of processors over a draft, and give each removal its reason."""

from collections.abc import Iterable
from dataclasses import replace
from typing import Any

from history.core.draft.draft import Draft
from history.core.draft.rulings import Ruling
from history.core.draft.turn_sizes import tail_sums
from history.core.plan.verdict import Verdict
from history.core.settings.resolved import Settings
from history.core.settings.steps import follows
from history.core.stages.processor import ProcessorContext, TokenLimiter
from history.core.stages.processors import Chain, ChainLink
from history.core.transcript.clamp import Count
from history.core.transcript.messages import Message
from history.core.transcript.segments import Segment, Segments


def run_chain(draft: Draft, links: Chain, count: Count, settings: Settings) -> None:
    """Apply each link to the result of the link before it. Raise NeedsMore if a link must see all
    messages and some are unread, and `ExtensionFailed` if an extension's processor fails.

    The current turn is not changed.
    """
    judged = False  # Whether an earlier link judged messages.
    for link in links:
        stride = _stride(link, settings)
        flow = ProcessorContext(count, draft.first_current, draft.tokens_before, stride)
        if link.processor.scope == "newest":
            _cut(draft, link, flow, judged=judged)
        else:
            _edit(draft, link, flow)
            judged = True


def _cut(draft: Draft, link: ChainLink, flow: ProcessorContext, *, judged: bool) -> None:
    """Leave out everything before the newest segments, because the link keeps only these."""
    settled = draft.past
    after = link.processor.apply(settled, flow)
    rest = _past(draft, after)
    is_cut = len(rest) < len(_past(draft, settled))
    draft.require(reaches=is_cut)
    if not is_cut:
        return
    # Earlier links judged each message that was read, so they must judge unread messages, too.
    draft.require(reaches=not judged)
    start = rest[0].position if rest else draft.first_current
    sums = tail_sums(settled, len(after))
    ruling = _filtered(link, stride=flow.token_stride, **sums)
    draft.cut(start, ruling, spared=Verdict.FILTERED)


def _stride(link: ChainLink, settings: Settings) -> int:
    """Return the token stride. If it follows from the prefix, it is a quarter of the budget; for a
    token limiter, it is at most a quarter of the limiter's limit.
    """
    stride: int = settings.value("token_stride")
    if isinstance(link.processor, TokenLimiter) and follows(settings["token_stride"]):
        return max(1, min(stride, link.processor.limit // 4))
    return stride


def _edit(draft: Draft, link: ChainLink, flow: ProcessorContext) -> None:
    """Apply a link that judges each message by itself, or needs all of them."""
    draft.require(reaches=link.processor.scope != "all")
    rest = _past(draft, link.processor.apply(draft.past, flow))
    draft.replace((*draft.islands, *rest, *draft.current), lambda message, now: _removed(link, now))


def _past(draft: Draft, parts: Iterable[Segment]) -> Segments:
    return tuple(part for part in parts if not draft.is_current(part))


def _filtered(link: ChainLink, **sums: Any) -> Ruling:
    reason = link.processor.reason.having(processor=link.name, level=link.level, **sums)
    return Ruling(Verdict.FILTERED, link.name, "processors", (reason,), link.level)


def _removed(link: ChainLink, now: Message | None) -> Ruling:
    """Return the ruling on a message that a processor removed, or removed calls from."""
    filtered = _filtered(link)
    return replace(filtered, verdict=Verdict.ALTERED) if now else filtered
