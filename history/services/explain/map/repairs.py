"""List the messages of a projection that could not be sent as they are."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from history.core.plan.plan import Plan
from history.core.plan.verdict import SENT, Verdict
from history.core.transcript.messages import Message, Role
from history.core.transcript.segments import segment
from history.core.words.wording import printable
from history.wording.reasons import reason_of, worded_reasons

PAIRS = "pairs"  # The rule of entries that were repaired.


@dataclass(frozen=True, slots=True)
class RepairedMessage:
    """A message that was removed, or sent without what a provider would reject; `verdict` says
    which. `what` names the message.
    """

    position: int
    verdict: Verdict
    what: str
    reason: str


def repairs_of(plan: Plan, messages: Iterable[Message]) -> Iterator[RepairedMessage]:
    """Yield the repaired messages in path order; `messages` must be the whole transcript.

    If a later stage decided about a repaired message, that stage is named, too.
    """
    by_position = {message.position: message for message in messages}
    parts = segment(by_position.values())
    own = {r.message.position: worded_reasons(r.reasons) for part in parts for r in part.repairs}
    for entry in plan.entries:
        for position in entry.positions:
            reason = reason_of(entry) if entry.rule == PAIRS else own.get(position, "")
            if reason and (entry.rule == PAIRS or entry.verdict in SENT):
                yield RepairedMessage(position, entry.verdict, _what(by_position[position]), reason)


def _what(message: Message) -> str:
    if message.role is Role.TOOL:
        return f"tool result {printable(message.tool_call_id or '')}".rstrip()
    return f"{message.role} message"
