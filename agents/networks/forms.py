"""The admin's form: agents to tick and to choose from, where the model keeps their slugs."""

from typing import Any, ClassVar, cast

from django import forms

from agents.fields import processors_field
from agents.models import Network
from agents.networks.choices import agent_choices
from agents.overwriting import GuardedForm


class NetworkForm(GuardedForm):
    """An agent that is gone stays on the page, for the administrator to take out."""

    entry = forms.ChoiceField(label="Entry agent", help_text="The member that answers first.")
    members = forms.MultipleChoiceField(
        widget=forms.CheckboxSelectMultiple,
        help_text="Each may hand the conversation over to each other.",
    )
    processors = processors_field("They run after the site's and before the agent's own.")

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
