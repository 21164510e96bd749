"""Which part of a request a provider has seen before: predicted from plans, no model called.

Providers charge a fraction for a prefix that they keep. A request shares with the one before it all
up to the first thing that differs; what follows is paid in full.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from history.core.cost import Cost, Prices, Usage, cost_of
from history.core.plan import SENT, Entry, Plan, Verdict
from history.core.wording import number

NOTHING_BEFORE = "the first request"


@dataclass(frozen=True, slots=True)
class Prefix:
    """Tokens that two requests share from their start, and what ends it."""

    tokens: int
    first_difference: str


@dataclass(frozen=True, slots=True)
class Planned:
    """A request: its plan, the tokens of its answer, and whether the cache was gone before it."""

    plan: Plan
    output: int = 0
    cold: bool = False


@dataclass(frozen=True, slots=True)
class Prediction:
    cost: Cost
    prefix: Prefix


def shared_prefix(before: Plan, after: Plan) -> Prefix:
    """In the tokens of our counter. A part of a run counts where its tokens are recorded."""
    tokens = 0
    ours, theirs = list(_sent(before)), list(_sent(after))
    for old, new in zip(ours, theirs, strict=False):
        if not _alike(old, new):
            return Prefix(tokens, _difference(old, new))
        shorter, longer = sorted((old, new), key=lambda entry: len(entry.positions))
        tokens += shorter.sent_tokens
        if len(shorter.positions) < len(longer.positions):
            return Prefix(tokens, _after(theirs, old, new))
    return Prefix(tokens, "only what is new follows")


def predict(requests: Sequence[Planned], prices: Prices) -> list[Prediction]:
    """Each request against the one before it, with one mark riding the tail.

    Ideal hits: what a provider promises, not what it always keeps.
    """
    predictions: list[Prediction] = []
    before: Plan | None = None
    for request in requests:
        prefix = shared_prefix(before, request.plan) if before else Prefix(0, NOTHING_BEFORE)
        if request.cold and before:
            prefix = Prefix(0, "the cache had expired")
        predictions.append(Prediction(_cost(request, prefix, prices), prefix))
        before = request.plan
    return predictions


def _cost(request: Planned, prefix: Prefix, prices: Prices) -> Cost:
    prompt = request.plan.window.sent
    counted = max(1, request.plan.window.counted)
    shared = prefix.tokens * prompt // counted
    read = shared if shared >= prices.minimum else 0
    written = prompt - read if prices.writes_cost_more and prompt >= prices.minimum else 0
    return cost_of(Usage(prompt, request.output, read, written), prices)


def _sent(plan: Plan) -> Iterator[Entry]:
    """What goes out, with neighbouring runs that are sent alike joined into one."""
    joined: Entry | None = None
    for entry in plan.entries:
        if entry.verdict is not Verdict.INJECTED and entry.verdict not in SENT:
            continue
        if joined and _continues(joined, entry):
            joined = _join(joined, entry)
            continue
        if joined:
            yield joined
        joined = entry
    if joined:
        yield joined


def _continues(entry: Entry, following: Entry) -> bool:
    plain = entry.verdict is following.verdict is Verdict.KEPT
    return plain and entry.last is not None and following.first == entry.last + 1


def _join(entry: Entry, following: Entry) -> Entry:
    return Entry(
        Verdict.KEPT,
        first=entry.first,
        last=following.last,
        first_turn=entry.first_turn,
        last_turn=following.last_turn,
        count=entry.count + following.count,
        tokens=entry.tokens + following.tokens,
        sent_tokens=entry.sent_tokens + following.sent_tokens,
    )


def _alike(old: Entry, new: Entry) -> bool:
    """Sent from the same place on in the same form."""
    if Verdict.INJECTED in {old.verdict, new.verdict} or Verdict.ALTERED in {
        old.verdict,
        new.verdict,
    }:
        return _form(old) == _form(new)
    return (old.verdict, old.first) == (new.verdict, new.first)


def _form(entry: Entry) -> tuple[object, ...]:
    """Of a text that is sent as one piece."""
    return (
        entry.verdict,
        entry.first,
        entry.last,
        entry.label,
        entry.digest,
        entry.sent_tokens,
    )


def _difference(old: Entry, new: Entry) -> str:
    """What stands at the place where two requests part."""
    if old.label and old.label == new.label:
        return f"the {new.label} changed"
    if new.label:
        return f"{new.label} was added"
    if old.label:
        return f"{old.label} is gone"
    if old.first == new.first:
        return f"{_message(new.first)} {_became(new)}"
    if (old.first or 0) < (new.first or 0):
        return f"the window now starts at turn {new.first_turn} instead of turn {old.first_turn}"
    return f"{_message(new.first)} is sent again"


def _after(new: Sequence[Entry], old_run: Entry, new_run: Entry) -> str:
    """What follows the last run that is shared, one of which is longer."""
    if len(new_run.positions) > len(old_run.positions):
        return "only what is new follows"
    place = new.index(new_run) + 1
    following = new[place] if place < len(new) else None
    if following and following.first == (new_run.last or 0) + 1:
        return f"{_message(following.first)} {_became(following)}"
    return f"{_message((new_run.last or 0) + 1)} is no longer sent"


def _became(entry: Entry) -> str:
    if entry.verdict is Verdict.PLACEHOLDER:
        return "became a placeholder"
    return "was shortened" if entry.verdict is Verdict.ALTERED else "is sent in another form"


def _message(position: int | None) -> str:
    """By its number as people count, from 1."""
    return f"message {number((position or 0) + 1)}"
