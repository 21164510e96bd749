"""The admin's form for a network: agents to choose, whose slugs the model stores."""

from collections.abc import Iterable
from typing import Any, ClassVar, cast

from django import forms
from django.utils.translation import gettext_lazy as _

from agents.changes import GuardedForm
from agents.fields import processors_field
from agents.models import AgentTemplate
from agents.networks.models import Network

GONE = _("this agent no longer exists")


def agent_choices(stored: Iterable[str], without: str = "") -> list[tuple[str, str]]:
    """List all agents, stored ones first. A deleted one stays, so that it can be removed."""
    named = dict(AgentTemplate.objects.values_list("slug", "name"))
    choices = dict.fromkeys(filter(None, stored), GONE) | named
    return [(slug, f"{words} ({slug})") for slug, words in choices.items() if slug != without]


class NetworkForm(GuardedForm):
    """A deleted agent stays on the page, so that the administrator can remove it."""

    entry = forms.ChoiceField(label=_("Entry agent"), help_text=_("The member that answers first."))
    members = forms.MultipleChoiceField(
        label=_("Members"),
        widget=forms.CheckboxSelectMultiple,
        help_text=_("Agents that can hand over to each other."),
    )
    processors = processors_field(_("They run after the site's and before the agent's."))

    class Meta:
        model = Network
        fields: ClassVar = [
            "name",
            "slug",
            "description",
            "enabled",
            "entry",
            "members",
            "processors",
            "starters",
        ]

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        choices = agent_choices([*self.instance.members, self.instance.entry])
        for name in ("entry", "members"):
            cast(forms.ChoiceField, self.fields[name]).choices = choices

    def clean_starters(self) -> str:
        """Undo the CR LF that browsers send for every line end."""
        return str(self.cleaned_data["starters"]).replace("\r\n", "\n")
