"""The changes that a library made to a request's body: each changed leaf is in one fact."""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from history.core.wire.leaves import Leaf, Path, path_text
from history.core.wire.matching import matched
from history.core.words.facts import Fact, Rule

EFFORT: Path = ("reasoning_effort",)
THINKING: Path = ("thinking",)
# Fields whose values are never secret.
PUBLIC = frozenset({"model", "type", "role", "ttl", "reasoning_effort"})
LONGEST = 60


@dataclass(frozen=True, slots=True)
class WireDifference:
    """A difference between two bodies, with the leaves of both that it explains."""

    fact: Fact
    ours: tuple[Leaf, ...] = ()
    theirs: tuple[Leaf, ...] = ()


def differences(
    handed_body: Mapping[str, Any], sent_body: Mapping[str, Any], address: str = ""
) -> tuple[WireDifference, ...]:
    """Compare the body that was handed to a library with the body that it sent to `address`."""
    match = matched(handed_body, sent_body)
    leaves = [leaf for leaf in match.dropped if _is_named(leaf, address)]
    efforts, thinking = _effort(match.dropped, match.added)
    dropped = [leaf for leaf in match.dropped if leaf not in (*leaves, *efforts)]
    added = [leaf for leaf in match.added if leaf not in thinking]
    model = str(handed_body.get("model", ""))
    rows = [
        *_each(Rule.WIRE_DROPPED, [_Found((leaf,)) for leaf in dropped], model=model),
        *_each(Rule.WIRE_IN_ADDRESS, [_Found((leaf,)) for leaf in leaves]),
        *_each(Rule.WIRE_CHANGED, [_Found((a,), (b,)) for a, b in match.changed]),
        *_each(Rule.WIRE_MOVED, [_Found((a,), (b,)) for a, b in match.moved]),
        *_each(Rule.WIRE_MOVED, [_Found(efforts, thinking, THINKING)] if efforts else []),
        *_each(Rule.WIRE_SPELLED, [_Found((a,), parts, b.path) for a, b, parts in match.spelled]),
        *_each(Rule.WIRE_ADDED, [_Found((), (leaf,)) for leaf in added]),
    ]
    return tuple(sorted(rows, key=_is_inner))


def facts_of(handed_body: Mapping[str, Any], sent_body: Any, address: str = "") -> tuple[Fact, ...]:
    """Return the differences as facts that anybody may see; none if the body is no JSON object."""
    rows = differences(handed_body, sent_body, address) if isinstance(sent_body, Mapping) else ()
    return tuple(row.fact for row in rows)


def _is_named(leaf: Leaf, address: str) -> bool:
    """Return whether the address contains the value, as Gemini's address contains the model."""
    is_model = leaf.path == ("model",) and isinstance(leaf.value, str)
    return is_model and leaf.value.rpartition("/")[2] in address


def _effort(
    dropped: Sequence[Leaf], added: Sequence[Leaf]
) -> tuple[tuple[Leaf, ...], tuple[Leaf, ...]]:
    """Find a reasoning effort that the library sent in another form."""
    efforts = tuple(leaf for leaf in dropped if leaf.path == EFFORT)
    thinking = tuple(
        leaf for leaf in added if "think" in path_text(leaf.path).lower().split("[]")[0]
    )
    return (efforts, thinking) if efforts and thinking else ((), ())


@dataclass(frozen=True, slots=True)
class _Found:
    """Leaves of both bodies that belong together. The object at the path `whole` contains all of
    `theirs`.
    """

    ours: tuple[Leaf, ...] = ()
    theirs: tuple[Leaf, ...] = ()
    whole: Path | None = None

    @property
    def route(self) -> tuple[str, str]:
        """The paths of the leaves in both bodies, without the end that the paths have in common."""
        here = self.ours[0].path if self.ours else ()
        there = self.theirs[0].path if self.theirs else ()
        if self.whole is not None:
            return path_text(here), path_text(self.whole)
        if here and there and self.ours[0].key != self.theirs[0].key:
            return path_text(here), path_text(there)
        while len(here) > 1 and len(there) > 1 and _alike(here[-1], there[-1]):
            here, there = here[:-1], there[:-1]
        return path_text(here), path_text(there)


def _each(rule: Rule, matches: Sequence[_Found], **more: str) -> Iterator[WireDifference]:
    """Merge leaves into one difference if their paths differ only in list indexes."""
    rows: dict[tuple[str, str], list[_Found]] = defaultdict(list)
    for each in matches:
        rows[each.route].append(each)
    for (path, to), members in rows.items():
        ours = tuple(leaf for each in members for leaf in each.ours)
        theirs = tuple(leaf for each in members for leaf in each.theirs)
        figures = {"path": path, "to": to, "was": _values(ours), "now": _values(theirs)}
        fact = Fact(rule, {**figures, "count": len(members), **more})
        yield WireDifference(fact, ours, theirs)


def _alike(here: str | int, there: str | int) -> bool:
    return here == there or (isinstance(here, int) and isinstance(there, int))


def _values(leaves: Sequence[Leaf]) -> list[Any]:
    """Return the distinct values that anybody may see, if there are only a few."""
    values = list({leaf.key: leaf.value for leaf in leaves if _is_public(leaf)}.values())
    return values if len(values) <= 3 else []


def _is_public(leaf: Leaf) -> bool:
    names = [part for part in leaf.path if isinstance(part, str)]
    if isinstance(leaf.value, str):
        return bool(names) and names[-1] in PUBLIC and len(leaf.value) <= LONGEST
    return not leaf.value or leaf.value is True or len(names) == len(leaf.path)


def _is_inner(row: WireDifference) -> bool:
    """Whether the difference is inside a list; other differences are shown before it."""
    return any("[]" in row.fact.figures[name] for name in ("path", "to"))
