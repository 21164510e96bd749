"""Everything that a chat's page shows."""

from dataclasses import dataclass
from time import time
from typing import TYPE_CHECKING, ClassVar

from django.urls import reverse
from django.utils.http import urlencode
from django.utils.translation import gettext as _

from agents.choice import chosen_model, on_offer, selectable
from agents.models import AgentTemplate
from agents.networks.models import Network
from chatapp.pages.beginning import OfferedAgents
from chatapp.pages.commands import COMMANDS, ESCAPE, SlashCommand
from chatapp.pages.misnamed import misnamed
from chatapp.pages.stretches import TranscriptPage
from chatapp.transcript.cut_line import panel_query
from history.core.settings.spec import LayerName
from history.core.stages.policies import policy_of
from history.models import Conversation
from history.services.access import Actor
from history.services.answers.delegating import asker_of
from history.services.settings.layers import resolve_settings
from history.wording.faults import fault
from history.wording.notes import sentences

if TYPE_CHECKING:
    from django_stubs_ext import StrOrPromise


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
    def models(self) -> list[tuple[str, bool]]:
        """The models to choose from, with whether each can be asked; none if there is only one."""
        if not self.agent or len(selectable(self.agent)) == 1:
            return []
        return on_offer(self.agent)

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
    notices += [told.format(why=why) for why in misnamed(query)]
    if resolved["length"].winner.layer is LayerName.URL:
        notices += sentences(policy_of(resolved).notes)
    return notices
