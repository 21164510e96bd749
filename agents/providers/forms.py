"""The admin's form for a provider. A key that was typed is never shown again."""

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from agents.changes import GuardedForm
from agents.providers.models import Provider


class ProviderForm(GuardedForm):
    """The form of a provider. An empty field for the key keeps the stored key.

    If the address changes, the key must be typed again, so that it is not sent elsewhere.
    """

    key = forms.CharField(
        label=_("Key"),
        required=False,
        max_length=2_000,
        strip=True,
        widget=forms.PasswordInput({"autocomplete": "new-password", "class": "vTextField"}),
    )
    forget_key = forms.BooleanField(label=_("Delete the stored key"), required=False)

    instance: Provider

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        if "key" in self.fields:
            self.fields["key"].help_text = (
                _("A key is stored, encrypted. Leave this empty to keep it.")
                if self.instance.encrypted_key
                else _("Stored encrypted, and never shown again.")
            )
        if address := self.fields.get("address"):
            address.help_text = _("{help} A private one must be listed in PROVIDER_HOSTS.").format(
                help=address.help_text
            )
        self._address = self.instance.base_url if self.instance.pk else ""

    def clean(self) -> dict[str, Any]:
        values = super().clean()
        has_key = self.instance.encrypted_key and not values.get("forget_key")
        if has_key and not values.get("key") and self._is_moved(values):
            sentence = _("Enter the key again: the stored one belongs to the earlier address.")
            self.add_error("key", sentence)
        return values

    def ask_for_key_again(self) -> None:
        """Say beside the field that a refused form has lost its key."""
        if self.errors and self.cleaned_data.get("key"):
            self.add_error("key", _("Enter the key again: it isn't shown, and wasn't saved."))

    @property
    def forgets_key(self) -> bool:
        return bool(self.cleaned_data.get("forget_key"))

    def _is_moved(self, values: dict[str, Any]) -> bool:
        moved = Provider(protocol=self.instance.protocol, address=values.get("address", ""))
        return moved.base_url != self._address

    def save(self, commit: bool = True) -> Any:  # noqa: FBT001, FBT002 -- Django's
        if self.forgets_key:
            self.instance.set_key("")
        if key := self.cleaned_data.get("key"):
            self.instance.set_key(key)
        return super().save(commit)
