"""All data that the page of a chat shows."""

from collections.abc import Sequence
from dataclasses import dataclass
from time import time
from typing import TYPE_CHECKING, ClassVar

from django.urls import reverse
from django.utils.translation import gettext as _

from agents.choice import chosen_model, on_offer, selectable
from agents.effective import can_search
from agents.models import AgentTemplate
from agents.networks.models import Network
from chatapp.pages.address.overruled import Notice
from chatapp.pages.commands import COMMANDS, ESCAPE, SlashCommand
from chatapp.pages.stretches import TranscriptPage
from chatapp.pages.welcome.model_state import ModelState, state_of
from chatapp.pages.welcome.offers import Offer, partner_query
from chatapp.transcript.cut_line import panel_query
from history.core.settings.resolved import Settings
from history.models import Conversation
from history.services.answers.delegating import asker_of
from history.services.summaries.actions import has_summary
from history.wording.remembering import besides, set_by, window

if TYPE_CHECKING:
    from django_stubs_ext import StrOrPromise


@dataclass(frozen=True, slots=True)
class ChatPage:
    """The page of a chat. `transcript` is None for a chat that has not begun. `agent` answers next,
    in a network or alone; `settings` are those for the next message, None without an agent.
    """

    commands: ClassVar[tuple[SlashCommand, ...]] = COMMANDS
    escape: ClassVar["StrOrPromise"] = ESCAPE
    agent: AgentTemplate | None
    network: Network | None
    offers: Sequence[Offer]
    transcript: TranscriptPage | None
    settings: Settings | None
    notices: list[Notice]
    debug: bool
    query: str

    @property
    def conversation(self) -> Conversation | None:
        return self.transcript.conversation if self.transcript else None

    @property
    def has_summary(self) -> bool:
        """Whether there may be a summary to undo; the menu's script asks whether it is in use."""
        return self.conversation is not None and has_summary(self.conversation)

    @property
    def head(self) -> int:
        """The newest position shown, or -1 if there is none."""
        return self.transcript.head if self.transcript else -1

    @property
    def now(self) -> int:
        """This server's time in milliseconds, by which scripts measure how long a model thinks."""
        return round(time() * 1000)

    @property
    def asker(self) -> str:
        """The agent that delegated this task, or empty if a person writes in this chat."""
        return asker_of(self.conversation) if self.conversation else ""

    @property
    def title(self) -> str:
        if self.conversation:
            return self.conversation.title or _("Untitled chat")
        return _("New chat")

    @property
    def models(self) -> list[tuple[str, bool]]:
        """The models to choose from, with whether each can be asked; empty if there is only one."""
        if not self.agent or len(selectable(self.agent)) == 1:
            return []
        return on_offer(self.agent)

    @property
    def model(self) -> str:
        """The model that answers the next message."""
        own = self.conversation.model if self.conversation else ""
        return chosen_model(self.agent, own).model if self.agent else ""

    @property
    def model_state(self) -> ModelState:
        return state_of(self.model)

    @property
    def partner(self) -> AgentTemplate | Network | None:
        """The network or agent that the user is talking to."""
        return self.network or self.agent

    @property
    def beginning(self) -> str:
        """The query that begins a new chat with the same agent or network."""
        return partner_query(self.partner)

    @property
    def turns(self) -> str:
        """A sentence on how many turns the agent that answers next remembers, as things are set."""
        return window(self.settings) if self.settings else ""

    @property
    def set_by(self) -> str:
        return set_by(self.settings) if self.settings else ""

    @property
    def besides(self) -> str:
        """A phrase on what else limits or extends this agent's memory."""
        if not self.agent or not self.settings:
            return ""
        return besides(self.settings, can_search=can_search(self.agent))

    @property
    def starters(self) -> list[str]:
        lines = self.partner.starters.splitlines() if self.partner else []
        return [line.strip() for line in lines if line.strip()][:4]

    @property
    def panel_toggle(self) -> str:
        """The address of the panel's button: this page, with the panel open or closed."""
        return panel_query(self.query, is_open=not self.debug)

    @property
    def panel(self) -> str:
        """The address of the panel's content: the newest plan or, if there is none, settings."""
        if self.conversation:
            return f"{reverse('panel', args=[self.conversation.pk])}?{self.query}"
        return f"{reverse('new_panel')}?{self.query}&{self.beginning}"
