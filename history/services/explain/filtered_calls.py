"""The calls that filters removed from a request. A plan has only the filters' rules."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import reduce
from operator import or_

from django.db.models import Q

from agents.networks.agent_tools import Transfer
from history.core.plan.plan import Entry
from history.core.plan.verdict import Verdict
from history.core.transcript.messages import Role
from history.core.words.facts import Rule
from history.models import ContextPlan, Message
from history.services.path.reading import on_path

MOST = 100  # The most runs of messages that are searched for calls.
Calls = Mapping[str, int]
NO_CALLS: Calls = {}


@dataclass(frozen=True, slots=True)
class FilteredMessages:
    """How many messages filters removed that name these `tools`; none stand for all tools.

    `calls` counts the calls that really were there, by tool; it is empty if they are not known.
    """

    count: int
    tools: tuple[str, ...]
    calls: Calls

    @property
    def are_transfers(self) -> bool:
        return all(tool.startswith(Transfer.prefix) for tool in self.calls or self.tools)


def removed_calls(record: ContextPlan) -> Calls:
    """Count the calls that were removed because a filter names their tools, by their results; empty
    if it cannot be known.
    """
    runs = [entry for entry in record.core_plan.entries if _named(entry)]
    if not 0 < len(runs) <= MOST:
        return NO_CALLS
    places = reduce(or_, (Q(position__range=(run.first, run.last)) for run in runs))
    path = on_path(record.branch, record.head)
    results = Message.objects.filter(path, places, role=Role.TOOL)
    calls = Counter(results.order_by("position").values_list("tool_name", flat=True))
    return NO_CALLS if "" in calls else dict(calls)


def filtered_by_tools(entries: Iterable[Entry], calls: Calls) -> Iterator[FilteredMessages]:
    """Count filtered messages by the tools that the filters name."""
    counts = Counter[tuple[str, ...]]()
    for entry in entries:
        if entry.verdict is Verdict.FILTERED:
            counts[_named(entry)] += entry.count
    for tools, count in counts.items():
        yield FilteredMessages(count, tools, {name: calls[name] for name in calls if name in tools})


def _named(entry: Entry) -> tuple[str, ...]:
    if entry.verdict is not Verdict.FILTERED:
        return ()
    facts = [fact for fact in entry.reasons if fact.rule is Rule.TOOL_CALL_FILTER]
    return tuple(facts[-1].figures.get("exclude", ())) if facts else ()
