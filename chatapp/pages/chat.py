"""Everything that a chat's page shows."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from time import time
from typing import TYPE_CHECKING, ClassVar
from uuid import UUID

from django.urls import reverse
from django.utils.http import urlencode
from django.utils.translation import gettext as _

from agents.choice import chosen_model, selectable
from agents.models import AgentTemplate
from agents.networks.models import Network
from chatapp.pages.beginning import OfferedAgents
from chatapp.pages.commands import COMMANDS, ESCAPE, SlashCommand
from chatapp.transcript.branches import switchers
from chatapp.transcript.bubbles import Answer, Bubble, bubbles
from chatapp.transcript.cut_line import CutLine, Gauge, cut_of, gauge_of, newest_plan, panel_query
from history.core.settings.spec import LayerName
from history.core.stages.policies import policy_of
from history.models import Branch, Conversation, Generation, Message
from history.services.access import Actor
from history.services.answers.approval_log import approvals_in
from history.services.answers.delegating import asker_of
from history.services.path.marks import marks_on
from history.services.path.reading import newest_messages
from history.services.settings.layers import resolve_settings
from history.wording.faults import fault
from history.wording.notes import sentences

if TYPE_CHECKING:
    from django_stubs_ext import StrOrPromise

MESSAGES = 80  # About forty bubbles.


@dataclass(frozen=True, slots=True)
class TranscriptPage:
    """A stretch of the path. `before` continues it upwards; None: it starts at the beginning."""

    conversation: Conversation
    bubbles: list[Bubble] = field(default_factory=list)
    before: int | None = None
    head: int = -1
    cut: CutLine | None = None
    gauge: Gauge | None = None

    @property
    def active(self) -> UUID | None:
        """The generation that is still being written, if there is one."""
        return next((g.pk for g in self._open if g.is_active), None)

    @property
    def waiting(self) -> Generation | None:
        """The one that waits for a person, if there is one."""
        return next((g for g in self._open if g.is_waiting), None)

    @property
    def _open(self) -> Iterator[Generation]:
        for bubble in reversed(self.bubbles):
            if isinstance(bubble, Answer) and bubble.generation and bubble.is_open:
                yield bubble.generation

    @property
    def cut_at(self) -> int | None:
        """The position of the bubble below the cut line, in which the window starts; None if it
        is not in sight.
        """
        if self.cut is None or not self.bubbles or self.bubbles[0].position > self.cut.before:
            return None
        return next((b.position for b in self.bubbles if b.last >= self.cut.before), None)


@dataclass(frozen=True, slots=True)
class ChatPage:
    """`transcript` is None for a chat that has not begun. `agent` is who answers next, in a
    network or alone.
    """

    commands: ClassVar[tuple[SlashCommand, ...]] = COMMANDS
    escape: ClassVar["StrOrPromise"] = ESCAPE
    agent: AgentTemplate | None
    network: Network | None
    offered: OfferedAgents
    transcript: TranscriptPage | None
    notices: list[str]
    debug: bool
    query: str

    @property
    def conversation(self) -> Conversation | None:
        return self.transcript.conversation if self.transcript else None

    @property
    def head(self) -> int:
        """The newest position shown; -1: none."""
        return self.transcript.head if self.transcript else -1

    @property
    def now(self) -> int:
        """This server's clock in milliseconds, by which scripts tell how long a model thinks."""
        return round(time() * 1000)

    @property
    def asker(self) -> str:
        """The agent that delegated this task; empty if a person writes here."""
        return asker_of(self.conversation) if self.conversation else ""

    @property
    def title(self) -> str:
        if self.conversation:
            return self.conversation.title or _("Untitled chat")
        return _("New chat")

    @property
    def models(self) -> list[str]:
        """The models to choose from; none if there is only one."""
        found = selectable(self.agent) if self.agent else []
        return found if len(found) > 1 else []

    @property
    def model(self) -> str:
        """The model that answers the next message."""
        wanted = self.conversation.model if self.conversation else ""
        return chosen_model(self.agent, wanted).model if self.agent else ""

    @property
    def partner(self) -> AgentTemplate | Network | None:
        """Whom the user is talking to: the network, or the agent."""
        return self.network or self.agent

    @property
    def beginning(self) -> str:
        """The query of a new chat with the same partner."""
        if self.partner is None:
            return ""
        return urlencode({"network" if self.network else "agent": self.partner.slug})

    @property
    def starters(self) -> list[str]:
        lines = self.partner.starters.splitlines() if self.partner else []
        return [line.strip() for line in lines if line.strip()][:4]

    @property
    def panel_toggle(self) -> str:
        """The panel's button leads here: to the same page with the panel open, or closed."""
        return panel_query(self.query, shown=not self.debug)

    @property
    def panel(self) -> str:
        """The fragment that fills the panel: the newest plan, or the settings until then."""
        if self.conversation:
            return f"{reverse('panel', args=[self.conversation.pk])}?{self.query}"
        return f"{reverse('new_panel')}?{self.query}&{self.beginning}"


def transcript_of(
    conversation: Conversation, query: str, before: int | None = None
) -> TranscriptPage:
    """Read the newest stretch of the open branch, or the one that ends below position `before`."""
    branch = conversation.branch
    if branch is None:
        return TranscriptPage(conversation)
    messages = newest_messages(branch, before, MESSAGES)
    record = newest_plan(conversation)
    plan = record.core_plan if record else None
    url = panel_query(query)
    return TranscriptPage(
        conversation=conversation,
        bubbles=_bubbles(conversation, branch, messages),
        before=messages[0].position if messages and messages[0].position > 0 else None,
        head=messages[-1].position if messages else -1,
        cut=cut_of(plan, url) if plan else None,
        gauge=gauge_of(plan, url) if plan else None,
    )


def _bubbles(conversation: Conversation, branch: Branch, messages: list[Message]) -> list[Bubble]:
    choices = switchers(conversation, branch)
    silent = silent_in(branch, messages)
    return bubbles(messages, silent, choices, marks_on(branch), approvals_in(messages))


def address_notices(
    agent: AgentTemplate | None, actor: Actor, query: str, conversation: Conversation | None
) -> list[str]:
    """Explain settings in the address that do not apply as given, or may surprise."""
    if agent is None or not query:
        return []
    resolved = resolve_settings(agent, actor, query, conversation)
    told = _("Ignored from the address: {why}.")
    reasons = [each.reason for name, each in resolved.invalid if each.layer is LayerName.URL]
    notices = [told.format(why=fault(reason)) for reason in reasons if reason]
    if resolved["length"].winner.layer is LayerName.URL:
        notices += sentences(policy_of(resolved).notes)
    return notices


def silent_in(branch: Branch, messages: list[Message]) -> list[Generation]:
    """Find each turn's newest generation without a message: it waits, or it failed at once.

    None is older than its question: with that bound an index skips all the turns before.
    """
    if not messages:
        return []
    owners = {branch.pk, *(owner for owner, _, _ in branch.spans())}
    rows = Generation.objects.filter(
        conversation=branch.conversation_id,
        created__gte=messages[0].created,
        turn__range=(messages[0].turn, messages[-1].turn),
        messages__isnull=True,
    )
    own = [row for row in rows.order_by("created") if row.branch_id in owners]
    return list({row.turn: row for row in own}.values())
