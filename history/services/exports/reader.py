"""The person who reads an export, and what they may see in it: the same as on the page."""

from dataclasses import dataclass

from history.core.plan.injected import is_prompt
from history.models import ContextPlan, Conversation
from history.services.access import Actor, may_see_cost
from history.services.explain.prompts import may_read_prompt
from history.services.planning.prompts import FIRST_PROMPT

TOOLS = "tools"  # The name of the text with the tools' descriptions and parameters.


@dataclass(frozen=True, slots=True)
class ExportReader:
    """Who reads an export. `actor` is None at a terminal, where an operator may see everything."""

    actor: Actor | None = None

    def sees_cost(self, conversation: Conversation) -> bool:
        return self.actor is None or may_see_cost(self.actor, conversation)

    def sees_prompt(self, plan: ContextPlan) -> bool:
        return self.actor is None or may_read_prompt(self.actor, plan)

    def texts_of(self, plan: ContextPlan) -> dict[str, str]:
        """Return the hashes of a plan's texts by name, except those that the reader may not see."""
        texts = {name: digest for name, digest in plan.texts.items() if digest}
        if self.sees_prompt(plan):
            return texts
        return {name: digest for name, digest in texts.items() if not _is_private(name)}


def _is_private(name: str) -> bool:
    return name in {FIRST_PROMPT, TOOLS} or is_prompt(name)
