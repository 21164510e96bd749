"""`manage.py context explain --set`: plan one request, or every one, under other settings."""

import json
import sys
from argparse import ArgumentParser
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

from django.core.management.base import CommandError

from history.core.money.cost import dollars
from history.core.projection.invariants import InvariantBroken
from history.core.words.json_text import read_json
from history.core.words.wording import messages, number
from history.models import Conversation
from history.services.explain.explanation import Explanation
from history.services.explain.lines import lines_of
from history.services.whatif.replaying import TURNS, ReplayedAs, replay_records, replayed
from history.services.whatif.tried_records import tried_record
from history.services.whatif.trying import (
    PlannedRequest,
    TriedVariant,
    Variant,
    present,
    try_variants,
)
from history.wording.reasons import reason_of
from history.wording.replays.address import whose_address

SOURCE = "command line --set"
NOT_STORED = "What-if: planned now. Nothing was sent or saved."


def add_options(explain: ArgumentParser) -> None:
    explain.add_argument(
        "--set",
        action="append",
        default=[],
        metavar="NAME=VALUE",
        dest="values",
        help="plan again with this setting overriding all others; NAME= unsets it (repeatable)",
    )
    explain.add_argument("--model", default="", help="plan again for another model")
    explain.add_argument(
        "--processors", metavar="FILE", help="plan again with these levels of processors (JSON)"
    )
    explain.add_argument(
        "--replay", action="store_true", help="plan every turn again and add up tokens and cost"
    )
    explain.add_argument(
        "--turns", type=int, help=f"with --replay: only the latest turns, up to {TURNS:,}"
    )


def refuse_idle(options: dict[str, Any]) -> None:
    """Raise CommandError for an option that would have no effect in combination with the others."""
    if options["turns"] is not None and not options["replay"]:
        raise CommandError("--turns needs --replay; for a single turn use --turn 3")
    if options["turn"] is not None and options["replay"]:
        raise CommandError("--turn: a replay plans every turn; use --turns 3 for the latest three")


def variant_of(options: dict[str, Any]) -> Variant | None:
    """Return the variant that the options describe; None if they only ask for the stored plan."""
    values, model, file = pairs(options["values"]), options["model"], options["processors"]
    if not (values or model or file):
        return None
    processors = json_of(file) if file else None
    return Variant("what-if", values, processors, model, SOURCE)


def pairs(texts: Sequence[str]) -> dict[str, str | None]:
    """Read NAME=VALUE pairs. An empty value becomes None, as if nobody had set it. Raise
    CommandError for anything else, or a name given twice.
    """
    values: dict[str, str | None] = {}
    for text in texts:
        name, is_pair, value = text.partition("=")
        if not is_pair:
            raise CommandError(f"--set {text}: must be NAME=VALUE, such as length=8")
        if name in values:
            raise CommandError(f"--set {name}: given twice")
        values[name] = value or None
    return values


def json_of(file: str) -> Any:
    """Read JSON from a file, or with `-` from standard input. A CommandError names the file."""
    name = "standard input" if file == "-" else file
    try:
        return read_json(sys.stdin.read() if file == "-" else Path(file).read_bytes())
    except (OSError, ValueError) as error:
        raise CommandError(f"{name}: {error}") from error


def refused(why: str, conflicts: Iterable[str]) -> str:
    """Return a sentence that there is no plan, followed by the contradictions in its settings."""
    return "\n".join([why, *(f"conflict: {sentence}" for sentence in conflicts)])


def our_fault(what: str, error: InvariantBroken) -> str:
    """Return a sentence that asks to report a bug: the plan `what` breaks these invariants."""
    names = ", ".join(error.names)
    return f"{what}: the resulting plan breaks {names}. This is a bug in Vitrine; please report it."


def try_one(
    request: PlannedRequest, variant: Variant, turns: tuple[int, int], *, as_json: bool
) -> Iterator[str]:
    """Plan a request again under a variant. `turns` are the request's own turn and the newest
    turn.
    """
    as_it_is, other = try_variants(request, [variant])
    if as_json:
        yield json.dumps({"stored": False, **tried_record(other)}, indent=2)
        return
    address = "" if request.step else whose_address(request.turn.settings)
    yield from filter(None, (NOT_STORED, address))
    if other.plan is None:
        raise CommandError(refused(other.refused, other.conflicts))
    yield from lines_of(Explanation(other.plan, other.agent, *turns, request.step))
    yield from _compared(as_it_is, other)


def _compared(as_it_is: TriedVariant, other: TriedVariant) -> Iterator[str]:
    yield ""
    for name, variant in (("as it is", as_it_is), ("what-if", other)):
        if variant.plan and (expected := variant.prediction):
            yield (
                f"{name:<9} sent {number(variant.plan.window.sent)} tokens, "
                f"{number(expected.cache_read)} expected from cache: {dollars(expected.money)}"
            )
    for change in other.changes:
        where = messages(change.first, change.last)
        yield f"  {where}: {change.was} to {change.now}  {reason_of(change.entry)}"


def replay(
    conversation: Conversation, variant: Variant | None, turns: int | None, *, as_json: bool
) -> Iterator[str]:
    turns = TURNS if turns is None else turns
    if not 1 <= turns <= TURNS:
        raise CommandError(f"--turns {turns}: must be 1 to {TURNS:,}")
    replays = replayed(conversation, [variant] if variant else [], turns)
    address = whose_address(present(conversation).turn.settings)
    if as_json:
        yield json.dumps({"stored": False, "replays": replay_records(replays)}, indent=2)
        return
    yield from filter(None, (NOT_STORED, address))
    yield (
        f"{'':<9} {'requests':>9} {'refused':>8} {'tokens sent':>13} "
        f"{'from cache':>15} {'cost':>10}"
    )
    yield from map(_total, replays)
    for each in replays:
        if each.shortfall:
            yield f"  refused, {each.variant.name}: {each.shortfall}"
        prefix = f"  conflict, {each.variant.name}: "
        yield from (prefix + sentence for sentence in each.conflicts)


def _total(replayed: ReplayedAs) -> str:
    sums = replayed.replay
    if sums is None:
        return f"{replayed.variant.name:<9} {replayed.refused}"
    return (
        f"{replayed.variant.name:<9} {len(sums.steps):>9,} {len(sums.refusals):>8,} "
        f"{sums.sent:>13,} "
        f"{sums.cache_read:>15,} {dollars(sums.money):>10}"
    )
