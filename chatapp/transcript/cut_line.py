"""What the chat itself shows of a plan: the cut line and the gauge. The panel shows more."""

from collections.abc import Iterator
from dataclasses import dataclass
from urllib.parse import parse_qsl, urlencode

from chatapp.transcript.rail import is_changed, rail_of
from history.core.plan.plan import Plan
from history.core.plan.verdict import Verdict
from history.models import ContextPlan, Conversation
from history.services.explain.cut import cut_sentence
from history.services.explain.filtered_calls import NO_CALLS, Calls
from history.services.explain.lookup import last_sent, plans_of
from history.services.explain.window import limit_of, sides_of, window_start
from history.wording.deciding.sources import source_of, sources_of

RECENT = 50  # How many of the newest requests to search.


@dataclass(frozen=True, slots=True)
class CutLine:
    """What was left out of the transcript or changed, and why, in one or two sentences.

    The line stands above the message at position `before`: the first that was sent or, if nothing
    was cut off before it, the first that was left out or changed. `source` is the source of the
    setting that cut messages off, if one did. `takes_summaries`: if the agent used summaries, one
    could stand for what was cut off. `summary` is the number of the one that can be undone, if any.
    """

    before: int
    sentence: str
    url: str
    source: str = ""
    takes_summaries: bool = False
    summary: int | None = None


@dataclass(frozen=True, slots=True)
class Gauge:
    """Estimated tokens sent, how many there may be, and the messages left out, of which some are
    `summarised`; `changed` were sent shortened or changed. `by_budget`: a token budget sets the
    limit, and not the context window.

    `omitted` identifies the images and files that were left out of sent messages, by the message's
    position and their place in it. `rail` says what became of each message. `has_left` is false if
    the request was never sent. `turn` is the request's.
    """

    sent: int
    limit: int
    percent: float
    not_sent: int
    summarised: int
    url: str
    omitted: str = ""
    rail: str = ""
    has_left: bool = True
    changed: int = 0
    turn: int = 0
    by_budget: bool = False

    @property
    def arc(self) -> int:
        """How much of a ring of 100 is drawn; even a single token must be visible."""
        return min(100, max(2, round(self.percent)))


def panel_query(query: str, *, is_open: bool = True) -> str:
    """Return the query of the same page with the panel open or closed, keeping other parameters.

    It is relative, so it stays valid when a new chat gets an address of its own.
    """
    pairs = [(name, value) for name, value in parse_qsl(query.removeprefix("?")) if name != "debug"]
    return "?" + urlencode(pairs + ([("debug", "true")] if is_open else []))


def cut_of(
    plan: Plan, url: str, calls: Calls = NO_CALLS, summary: int | None = None
) -> CutLine | None:
    """Return the cut line; None if the model sees every message unchanged. `calls` are those that
    filters removed, `summary` is one that can be undone.
    """
    sentence = cut_sentence(plan, calls)
    start = window_start(plan)
    if not sentence:
        return None
    return CutLine(
        before=start.positions[0] if start else _first_changed(plan),
        sentence=sentence,
        url=url,
        source=", ".join(dict.fromkeys(_sources(plan))),
        takes_summaries=start is not None and plan.settings.value("policy") != "none",
        summary=summary,
    )


def _first_changed(plan: Plan) -> int:
    """Return the position of the first message that was left out or changed."""
    history = (entry for entry in plan.entries if entry.positions)
    changed = (
        e for e in history if e.verdict is not Verdict.KEPT or any(part.omitted for part in e.parts)
    )
    return next((entry.positions[0] for entry in changed), 0)


def _sources(plan: Plan) -> Iterator[str]:
    """Yield the settings that left out messages before the window's start."""
    for entry in sides_of(plan).above:
        if entry.verdict is not Verdict.TRIMMED:
            continue
        if entry.rule == "policy":
            yield from sources_of(plan.settings)
        elif entry.setting in plan.settings:
            yield source_of(plan.settings[entry.setting].winner)


def gauge_of(plan: Plan, url: str, *, has_left: bool = True) -> Gauge:
    limit, unsent = limit_of(plan), plan.not_sent()
    summarised = sum(entry.count for entry in unsent if entry.verdict is Verdict.SUMMARISED)
    not_sent = sum(entry.count for entry in unsent)
    omitted = (f"{e.first}:{p.place}" for e in plan.entries for p in e.parts if p.omitted)
    return Gauge(
        *(limit.sent, limit.tokens, limit.percent),
        *(not_sent, summarised, url),
        omitted=" ".join(omitted),
        rail=rail_of(plan, has_left=has_left),
        has_left=has_left,
        changed=sum(entry.count for entry in plan.entries if is_changed(entry)),
        turn=plan.counts.last_turn,
        by_budget=limit.budget is not None,
    )


def newest_plan(conversation: Conversation) -> ContextPlan | None:
    """Return the plan of the newest request on the open branch; of an answer whose later requests
    never left, that of the last one that did.
    """
    record = _newest(conversation)
    return record and last_sent(record)


def _newest(conversation: Conversation) -> ContextPlan | None:
    """Search the newest requests of all branches first, because to find those of one branch a
    database would have to sort all plans.
    """
    rows, branch = plans_of(conversation), conversation.branch_id
    recent = rows.values_list("pk", "branch")[:RECENT]
    newest = next((pk for pk, owner in recent if owner == branch), None)
    return rows.filter(branch=branch).first() if newest is None else rows.get(pk=newest)
