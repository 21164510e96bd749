"""What a stored plan says in the chat itself: the cut line and the gauge. The panel has more."""

from dataclasses import dataclass
from urllib.parse import parse_qsl, urlencode

from history.core.plan import Entry, Plan, Verdict
from history.models import ContextPlan, Conversation


@dataclass(frozen=True, slots=True)
class Cut:
    """Messages before position `before` are not sent, because of what `reason` says."""

    before: int
    count: int
    reason: str
    url: str


@dataclass(frozen=True, slots=True)
class Gauge:
    """Tokens sent, of the context window; the messages that were not sent."""

    sent: int
    window: int
    percent: float
    not_sent: int
    url: str


def panel_query(query: str, *, shown: bool = True) -> str:
    """The same page with the panel open or closed, everything else in its address kept.

    Relative, so that it still holds when a new chat gets its own address.
    """
    given = [(name, value) for name, value in parse_qsl(query.removeprefix("?")) if name != "debug"]
    return "?" + urlencode(given + ([("debug", "true")] if shown else []))


def cut_of(plan: Plan, url: str) -> Cut | None:
    """None where the policy trimmed nothing."""
    trimmed = [entry for entry in plan.entries if _is_before_window(entry)]
    if not trimmed:
        return None
    count = sum(entry.count for entry in trimmed)
    before = max(entry.positions[-1] for entry in trimmed) + 1
    return Cut(before, count, _why(plan, trimmed[-1]), url)


def _why(plan: Plan, entry: Entry) -> str:
    if plan.settings.value("policy") == "none":
        return "policy none sends only the current turn"
    return entry.reason.rpartition("; ")[2]


def _is_before_window(entry: Entry) -> bool:
    return entry.verdict is Verdict.TRIMMED and entry.rule == "policy"


def gauge_of(plan: Plan, url: str) -> Gauge:
    sums = plan.window
    not_sent = sum(entry.count for entry in plan.not_sent())
    return Gauge(sums.sent, sums.context_window, sums.percent, not_sent, url)


def newest_plan(conversation: Conversation) -> ContextPlan | None:
    """What the model was last sent on the branch that is open."""
    plans = ContextPlan.objects.filter(
        generation__conversation=conversation, branch=conversation.branch_id
    )
    return plans.order_by("-created", "-step").first()
