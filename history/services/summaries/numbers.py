"""The numbers by which people read of summaries: from 1 in each chat. Plans store their keys."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from uuid import UUID

from history.core.plan.plan import Entry
from history.core.transcript.reasoning import ReasoningRule
from history.core.words.facts import Fact
from history.models import Checkpoint
from history.wording.names import CHECKPOINT


@dataclass(frozen=True)
class SummaryNumbers:
    """The numbers of a chat's summaries, read when the first is asked for. Without a chat, and for
    a summary that the chat doesn't have, the key is the number.
    """

    conversation: UUID | None = None

    @cached_property
    def _numbers(self) -> Mapping[int, int]:
        if self.conversation is None:
            return {}
        rows = Checkpoint.objects.filter(conversation=self.conversation)
        keys = rows.order_by("pk").values_list("pk", flat=True)
        return {key: number for number, key in enumerate(keys, 1)}

    def of(self, key: int) -> int:
        return self._numbers.get(key, key)

    def label(self, label: str) -> str:
        """Return the label with the number, for people; any other label stays as it is."""
        key = label.removeprefix(CHECKPOINT)
        return f"{CHECKPOINT}{self.of(int(key))}" if key != label and key.isdecimal() else label

    def fact(self, fact: Fact) -> Fact:
        """Return the fact with the number of the summary that it is about, if there is one."""
        if "checkpoint" in fact.figures:
            return fact.having(checkpoint=self.of(fact.figures["checkpoint"]))
        if "label" in fact.figures:
            return fact.having(label=self.label(fact.figures["label"]))
        return fact

    def entry(self, entry: Entry) -> Entry:
        """Return the entry with reasons that people can read."""
        return replace(entry, reasons=tuple(map(self.fact, entry.reasons)))

    def rule(self, rule: ReasoningRule) -> ReasoningRule:
        """Return the rule with changes that people can read."""
        changes = {place: self.fact(change) for place, change in rule.unbound.items()}
        return replace(rule, unbound=changes)


NO_NUMBERS = SummaryNumbers()
