"""The advice below the first screen: a sentence, and how the reader may apply it."""

from dataclasses import dataclass
from urllib.parse import urlencode

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from agents.models import AgentTemplate
from chatapp.inspector.whatif.form import as_typed, parameter
from chatapp.inspector.zone import ShownRecord, Zone
from history.core.settings.resolved import ResolvedSetting
from history.services.whatif.offering import Offer, Way, offer_for
from history.wording.deciding.sources import source_of
from history.wording.names import label_of
from history.wording.replays.advice import details_of, example_of, sentence_of
from history.wording.settings import shown_setting


@dataclass(frozen=True, slots=True)
class AdviceLine:
    """An offer of advice, and how the reader may apply it."""

    offer: Offer

    @property
    def sentence(self) -> str:
        return sentence_of(self.offer.advice.facts, self.offer.variant)

    @property
    def details(self) -> list[str]:
        return details_of(self.offer.advice.facts, self.offer.variant)

    @property
    def example(self) -> str:
        """The model whose prices are shown as an example for a free chat; empty for other chats."""
        return example_of(self.offer.advice.facts)

    @property
    def last_turn(self) -> int:
        """The newest turn that the amounts cover."""
        return int(self.offer.advice.facts["turns"][-1])

    @property
    def fields(self) -> list[tuple[str, str]]:
        """The offered changes, as names and values that the what-if form would send."""
        return [(parameter(name), as_typed(value)) for name, value in self.offer.changes.items()]

    @property
    def query(self) -> str:
        return urlencode(self.fields)

    @property
    def is_own(self) -> bool:
        return self.offer.way is Way.CHAT

    @property
    def template(self) -> AgentTemplate | None:
        return self.offer.template if self.offer.way is Way.TEMPLATE else None

    @property
    def is_locked(self) -> bool:
        return self.offer.way is Way.LOCKED

    @property
    def why_not(self) -> str:
        """Say why the reader can't apply it; empty if they can."""
        if self.offer.obstacle:
            return _locked(self.offer.obstacle)
        if self.offer.way is Way.ASK:
            name = self.offer.template.name
            return _("Only an administrator can change this, for every chat with {name}.").format(
                name=name
            )
        return ""


def advice_line(panel: ShownRecord) -> AdviceLine | None:
    """Return the advice if the newest turn is shown and the reader may see costs; else None."""
    if not (panel.with_money and panel.is_newest):
        return None
    offer = offer_for(panel.actor, panel.conversation, panel.chat_query)
    return AdviceLine(offer) if offer else None


def _locked(setting: ResolvedSetting) -> str:
    text = _(
        "The server keeps {setting} at {value} ({source}). Only whoever runs the server can change "
        "that."
    )
    return text.format(
        setting=label_of(setting.name),
        value=shown_setting(setting.name, setting.value),
        source=source_of(setting.winner),
    )


ADVICE = Zone("advice", gettext_lazy("Advice"), "", advice_line, "above", is_linked=False)
