"""The calls of one step: which hand the turn over, which ask another agent, which run a tool."""

from collections.abc import AsyncGenerator, Mapping, Sequence
from typing import Any

from django.conf import settings

from agents.tools import ToolResult
from chatapp import delegations, hand_overs, llm, tool_runs
from chatapp.database import in_database
from history.core.messages import ToolCall
from history.models import Generation
from history.services.offers import offer_of


class ToolRound:
    """`asked` are the calls as the model made them, for the agent that answers now."""

    def __init__(
        self, generation: Generation, asked: Sequence[ToolCall], running: delegations.Running
    ) -> None:
        self.generation = generation
        self.asked = asked
        self.running = running
        self.agent: Mapping[str, Any] = generation.snapshot_at()["agent"]
        self.left = settings.HAND_OVERS + 1 - len(generation.parts)
        self.moves = hand_overs.decided(asked, self.agent, self.left)

    async def results(self, stored: Sequence[ToolCall]) -> AsyncGenerator[ToolResult, None]:
        """In the order of the calls; `stored` are the same by the ids that the transcript has."""
        context = await tool_runs.context_of(self.generation)
        offer = await in_database(offer_of, self.agent)
        allowed = [*self.agent["tools"], *hand_overs.names(self.agent)]
        others = delegations.runners(self.asked, self.generation, stored, self.running)
        others |= hand_overs.runners(self.moves)
        return tool_runs.results_of(self.asked, allowed, context, offer, others)

    def refuse_more_hand_overs(self) -> None:
        """Raises `ProviderError` where there was one more than an answer may have."""
        if hand_overs.is_exhausted(self.moves, self.left):
            raise llm.ProviderError("hand_over_limit", hand_overs.ended(self.generation))
