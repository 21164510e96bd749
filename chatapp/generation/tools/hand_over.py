"""Choose the agent that a round of calls leads to: the first possible transfer wins.

The other calls of the round run as usual, with the tools of the agent that made them; another
transfer in it gets a result that says why not.
"""

from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any

from django.utils.translation import gettext_lazy as _

from agents.networks.delegates import delegates_in
from agents.networks.transfers import ARGUMENTS, Transfer, line, transfers_in
from agents.tools import ToolResult, refused
from agents.tools.arguments import ArgumentsRefused
from chatapp.generation.tools.delegation import ToolWork
from history.core.messages import ToolCall
from history.models import Generation

ENDED = _(
    "The agents handed this question around {n} times without answering, so we stopped: {path}."
    " Ask one of them directly, or raise HAND_OVERS."
)


def decided(
    calls: Sequence[ToolCall], agent: Mapping[str, Any], left: int
) -> dict[str, ToolResult]:
    """Return the results of transfers, by the call's id. `left` may still be made."""
    offered = {transfer.tool: transfer for transfer in transfers_in(agent)}
    results: dict[str, ToolResult] = {}
    won: Transfer | None = None
    for call in calls:
        if transfer := offered.get(call.name):
            result = _result(call, transfer, agent["name"], won, left)
            won = transfer if result.hands_to else won
            results[call.id] = result
    return results


def runners(results: Mapping[str, ToolResult]) -> dict[str, ToolWork]:
    """Return runners for calls whose results are known already."""

    async def known(result: ToolResult) -> ToolResult:
        return result

    return {call: partial(known, result) for call, result in results.items()}


def names(agent: Mapping[str, Any]) -> list[str]:
    """Return the tools by which the agent reaches others."""
    delegates = [delegate.tool for delegate in delegates_in(agent)]
    return delegates + [transfer.tool for transfer in transfers_in(agent)]


def is_exhausted(results: Mapping[str, ToolResult], left: int) -> bool:
    """Whether the round asked for one more hand-over than an answer may have."""
    return bool(results) and left < 1


def ended(generation: Generation) -> str:
    """Explain why an answer with too many hand-overs ended."""
    names = [part["agent"]["name"] for part in generation.parts]
    return ENDED.format(n=len(names) - 1, path=" → ".join(names))


def _result(
    call: ToolCall, transfer: Transfer, before: str, won: Transfer | None, left: int
) -> ToolResult:
    if won:
        return refused(f"not handed over: {won.name} has already taken over.")
    if left < 1:
        return refused("not handed over: too many hand-overs in this turn.")
    try:
        reason = ARGUMENTS.read(call.arguments)["reason"]
    except ArgumentsRefused as error:
        return refused(f"not handed over: {error}")
    return ToolResult(line(before, transfer.name, reason), hands_to=transfer.agent)
