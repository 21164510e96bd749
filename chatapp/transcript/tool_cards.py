"""Cards that show tool calls."""

import json
from collections.abc import Mapping, Set
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Any
from urllib.parse import urlencode

from django.urls import reverse
from django.utils.translation import gettext, ngettext
from django.utils.translation import gettext_lazy as _

from agents.networks.agent_tools import Delegate
from chatapp.transcript.attached import AttachedFiles, attached_to
from chatapp.transcript.marks import MarkedSegments
from history.core.words.json_text import read_json
from history.core.words.storable import storable
from history.core.words.wording import number
from history.models import OPEN, ApprovalKind, CallStage, Generation, GenerationStatus, Message
from history.services.answers.approval_log import Approval
from history.services.answers.approvals import VISITOR
from history.services.explain.timeline import duration

DIGEST_LENGTH = 120
NOTHING_ATTACHED = AttachedFiles()


class CallState(StrEnum):
    RUNNING = "running"
    ASKING = "asking"
    APPROVED = "approved"
    DONE = "done"
    HINDERED = "hindered"  # A delegated agent was refused a tool that nobody could approve.
    FAILED = "failed"
    REFUSED = "refused"
    WITHDRAWN = "withdrawn"
    UNANSWERED = "unanswered"

    @property
    def label(self) -> str:
        return str(LABELS[self])


LABELS = {
    CallState.RUNNING: _("Running"),
    CallState.ASKING: _("Needs approval"),
    CallState.APPROVED: _("Approved"),
    CallState.DONE: _("Done"),
    CallState.HINDERED: _("Partly done"),
    CallState.FAILED: _("Failed"),
    CallState.REFUSED: _("Refused"),
    CallState.WITHDRAWN: _("Not approved"),
    CallState.UNANSWERED: _("No result"),
}
ICONS = {
    CallState.ASKING: "help",
    CallState.APPROVED: "check",
    CallState.DONE: "check",
    CallState.HINDERED: "alert",
    CallState.FAILED: "alert",
    CallState.REFUSED: "exclude",
    CallState.WITHDRAWN: "exclude",
}


@dataclass(frozen=True, slots=True)
class CallPlace:
    """Which stored call a card shows: the position of its result, or of the message with the call,
    and a person's marks on both.
    """

    position: int
    marked: MarkedSegments


@dataclass(frozen=True, slots=True)
class ToolCard:
    """One call. `arguments` is its JSON as the model wrote it, `result` the text that the tool
    returned.

    `place` is None while the answer is being written, `approval` is None for a call that needs
    none. `can_decide`: the answer waits for a decision on this call. `delegated` links to what
    another agent did, if the call delegated a task. `attached` are the images that the tool
    returned.
    """

    id: str
    name: str
    arguments: str
    state: CallState
    result: str = ""
    took: str = ""
    place: CallPlace | None = None
    approval: Approval | None = None
    can_decide: bool = False
    delegated: str = ""
    attached: AttachedFiles = NOTHING_ATTACHED

    @property
    def decision(self) -> CallStage | None:
        """The stage in which a person decided about the call; None if nobody did."""
        decision = self.approval.decision if self.approval else None
        return decision if decision and decision.person else None

    @property
    def decided_by(self) -> str:
        """The name of the person who decided, or that it was a visitor."""
        person = self.decision.person if self.decision else ""
        return gettext(VISITOR) if person == VISITOR else person

    @property
    def icon(self) -> str:
        return ICONS.get(self.state, "")

    @property
    def is_hindered(self) -> bool:
        return self.state is CallState.HINDERED

    @property
    def size(self) -> str:
        count = len(self.result)
        return ngettext("{n} character", "{n} characters", count).format(n=number(count))

    @property
    def pretty(self) -> str:
        """The arguments, indented if they are valid JSON."""
        values = self._parsed
        if values is None:
            return self.arguments
        return storable(json.dumps(values, indent=2, ensure_ascii=False))

    @property
    def digest(self) -> str:
        """The arguments on one line, for the card while it is folded."""
        values = self._parsed
        if not isinstance(values, dict):
            return self.arguments[:DIGEST_LENGTH]
        return storable(", ".join(map(str, values.values())))[:DIGEST_LENGTH]

    @property
    def _parsed(self) -> Any:
        """Parse the arguments; None if they are not JSON. Escapes in them may stand for characters
        that no database stores.
        """
        try:
            return read_json(self.arguments)
        except ValueError:
            return None


def card_of(
    call: dict[str, Any],
    result: Message | None,
    approval: Approval | None,
    status: str,
    place: CallPlace | None = None,
) -> ToolCard:
    """Make the card of a call. `status` is that of its generation."""
    is_open = status in OPEN
    ms = result.took_ms if result else None
    return ToolCard(
        id=call["id"],
        name=call["name"],
        arguments=call["arguments"],
        state=_answered(result, approval) if result else _unanswered(approval, is_open=is_open),
        result=result.text if result else "",
        attached=attached_to(result) if result else NOTHING_ATTACHED,
        took="" if ms is None else duration(ms),
        place=place,
        approval=approval,
        can_decide=bool(approval and approval.is_undecided) and status == GenerationStatus.WAITING,
    )


def _answered(result: Message, approval: Approval | None) -> CallState:
    for kind, state in NOT_RUN.items():
        if approval and approval.was(kind):
            return state
    return CallState.FAILED if result.failed else CallState.DONE


def _unanswered(approval: Approval | None, *, is_open: bool) -> CallState:
    if not is_open:
        return CallState.UNANSWERED
    if approval is None or approval.begun:
        return CallState.RUNNING
    if approval.is_undecided:
        return CallState.ASKING
    return CallState.REFUSED if approval.was(ApprovalKind.REFUSED) else CallState.APPROVED


NOT_RUN = {ApprovalKind.REFUSED: CallState.REFUSED, ApprovalKind.WITHDRAWN: CallState.WITHDRAWN}


def with_delegation(
    card: ToolCard,
    generation: Generation | None,
    call: Mapping[str, Any],
    hindered: Set[str] = frozenset(),
) -> ToolCard:
    """Add to a card the link to what the other agent did; `hindered` are the calls that
    `hindered_in` finds.
    """
    is_hindered = card.state is CallState.DONE and call["id"] in hindered
    state = CallState.HINDERED if is_hindered else card.state
    return replace(card, delegated=_delegation_url(generation, call), state=state)


def _delegation_url(generation: Generation | None, call: Mapping[str, Any]) -> str:
    """Return the link to a delegated conversation; empty if the call delegated nothing."""
    if generation is None or not call["name"].startswith(Delegate.prefix):
        return ""
    where = reverse("delegation", args=[generation.conversation_id, generation.pk])
    return f"{where}?{urlencode({'call': call['id']})}"
