"""What a row of the map shows of a message's reasoning, images and files: tokens and reasons."""

from collections.abc import Iterator
from dataclasses import dataclass

from history.core.draft.rulings import SHORTENED
from history.core.plan.plan import Entry, Plan
from history.core.plan.sent_parts import SentPart
from history.core.plan.verdict import SENT, Verdict
from history.core.transcript.parts import File, Image, Omitted, Part, Reasoning
from history.core.transcript.reasoning import CALLS, LATE
from history.core.words.facts import Rule
from history.services.explain.map.lines import MessageLine
from history.tokens.images import image_rule, own_tokens
from history.wording import parts as words
from history.wording.deciding.sources import source_name
from history.wording.reasons import worded_reasons


@dataclass(frozen=True, slots=True)
class PartRow:
    """One part of a message. A part without a verdict is not sent, though its message is.

    `place` is the part's place in the message, `digest` an image's digest, and `tokens` what the
    part costs in full, of which `sent` are sent; `own` is an image's price in the model's own
    tokens. `cost` is filled in by code that knows the prices.
    """

    verdict: Verdict | None
    place: int
    label: str
    name: str
    size: str
    tokens: int
    sent: int
    reason: str
    digest: str = ""
    own: int = 0
    cost: str = ""

    @property
    def shown(self) -> int:
        """The tokens to show: those of an image are the model's own, to which no factor applies."""
        return self.own or self.tokens

    @property
    def is_whole(self) -> bool:
        return self.verdict is Verdict.KEPT


def part_rows(plan: Plan, entry: Entry, line: MessageLine, model: str) -> Iterator[PartRow]:
    """Yield a row for each part of the stored message."""
    pieces = {part.place: part for part in entry.parts}
    for place, part in enumerate(line.parts):
        piece = pieces.get(place)
        yield PartRow(
            verdict=_verdict(entry, piece),
            place=place,
            label=words.kind_of(part.kind),
            name="" if isinstance(part, Reasoning) else words.part_name(part),
            size=_size(part),
            tokens=(piece.whole or piece.tokens) if piece else part.tokens,
            sent=piece.tokens if piece else 0,
            digest=part.digest if isinstance(part, Image) else "",
            own=own_tokens(part, image_rule(model)) if isinstance(part, Image) else 0,
            reason=_reason(plan, entry, part, piece, line),
        )


def _verdict(entry: Entry, piece: SentPart | None) -> Verdict | None:
    if piece:
        return Verdict.PLACEHOLDER if piece.omitted else Verdict.KEPT
    return None if entry.verdict in SENT else entry.verdict


def _reason(plan: Plan, entry: Entry, part: Part, piece: SentPart | None, line: MessageLine) -> str:
    if isinstance(part, Reasoning):
        return _about_reasoning(plan, entry, part, piece, line)
    if piece is None:
        return words.sending("with_result" if entry.verdict in SENT else "with_message")
    if piece.omitted:
        return _why_omitted(plan, entry, part)
    is_counted = isinstance(part, Image) and bool(plan.image_rule)
    return words.counted_by(plan.image_rule) if is_counted else words.sending("sent")


def _why_omitted(plan: Plan, entry: Entry, part: Part) -> str:
    """Say whose setting omits the part, if one does, and what the model reads instead."""
    omitted = (fact.figures for fact in entry.reasons if fact.rule is Rule.OMITTED)
    why = next((figures for figures in omitted if figures["kind"] == part.kind), None)
    read = Omitted(part.kind, getattr(part, "label", "")).text
    if why is None:
        return words.replaced(worded_reasons(entry.reasons), read)
    keep = plan.settings[f"{part.kind}s_keep"].winner
    besides = why.get("besides", ())
    return words.older(part.kind, int(keep.value or 0), source_name(keep), read, besides)


def _about_reasoning(
    plan: Plan, entry: Entry, part: Reasoning, piece: SentPart | None, line: MessageLine
) -> str:
    if piece:
        keep = plan.settings["reasoning_keep"].winner
        return words.reasoning_sent(
            keep.value, source_name(keep), is_current=line.turn == plan.counts.last_turn
        )
    if entry.verdict not in SENT:
        return words.sending("with_message")
    keeps_calls = entry.verdict is Verdict.KEPT or {r.rule for r in entry.reasons} <= SHORTENED
    late = LATE if keeps_calls else CALLS
    rule, place = plan.reasoning, line.position
    why = rule.why_left_out(part, line.parts, line.turn, place) or late
    return words.reasoning_left_out(why, plan.settings, rule, place)


def _size(part: Part) -> str:
    """Return `640 x 480`, `12 pages`, or an empty text."""
    if isinstance(part, Image) and part.width:
        return f"{part.width} \N{MULTIPLICATION SIGN} {part.height}"
    return words.pages(part.pages) if isinstance(part, File) and part.pages else ""
