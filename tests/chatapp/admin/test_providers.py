"""The form of a provider says all that is wrong at once, and asks for a lost key again."""

import pytest
from django.urls import reverse

from agents.providers.models import Provider

pytestmark = pytest.mark.django_db
ADD = reverse("admin:agents_provider_add")
AGAIN = "Enter the key again: it isn't shown, and wasn't saved."
GOOD = {"slug": "work", "protocol": "openai", "reasoning_back": "on", "enabled": "on"}
REQUIRED = "This field is required."


def faults(client, **typed):
    form = client.post(ADD, GOOD | typed).context["adminform"].form
    return {name: list(said) for name, said in form.errors.items()}


def test_every_field_in_which_something_is_wrong_says_so(admin_client):
    typed = {"slug": "My Work!", "address": "not a url", "key": "sk-1"}
    found = faults(admin_client, protocol="anthropic", reasoning_back="", **typed)

    assert list(found) == ["slug", "reasoning_back", "address", "key"]
    assert found["address"] == ["The address must start with http:// or https://."]
    assert found["key"] == [AGAIN]


@pytest.mark.parametrize(
    ("typed", "expected"),
    [
        ({"slug": ""}, {"slug": [REQUIRED]}),
        ({"slug": "", "key": "sk-1"}, {"slug": [REQUIRED], "key": [AGAIN]}),
    ],
)
def test_a_fault_is_said_once_and_a_key_is_not_lost_in_silence(admin_client, typed, expected):
    assert faults(admin_client, **typed) == expected


def test_a_key_is_stored_with_a_form_without_faults(admin_client):
    response = admin_client.post(ADD, GOOD | {"key": "sk-1"})

    assert response.status_code == 302
    assert Provider.objects.get().key == "sk-1"
