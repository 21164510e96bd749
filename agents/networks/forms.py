"""The admin's form of a network: agents to choose, of which the model keeps the slugs."""

from collections.abc import Iterable
from typing import Any, ClassVar, cast

from django import forms
from django.utils.translation import gettext_lazy as _

from agents.changes import GuardedForm
from agents.fields import processors_field
from agents.models import AgentTemplate, Network

GONE = _("this agent no longer exists")


def agent_choices(stored: Iterable[str], without: str = "") -> list[tuple[str, str]]:
    """All agents, those that are stored first. One that is gone stays, to be taken out."""
    named = dict(AgentTemplate.objects.values_list("slug", "name"))
    choices = dict.fromkeys(filter(None, stored), GONE) | named
    return [(slug, f"{words} ({slug})") for slug, words in choices.items() if slug != without]


class NetworkForm(GuardedForm):
    """An agent that is gone stays on the page, for the administrator to take out."""

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
        """A browser posts CR LF for every line end."""
        return str(self.cleaned_data["starters"]).replace("\r\n", "\n")
