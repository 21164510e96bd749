"""What the administration's page on a known model refuses."""

import pytest
from django.urls import reverse

from agents.providers.models import KnownModel

pytestmark = pytest.mark.django_db
ADD = reverse("admin:agents_knownmodel_add")


@pytest.mark.parametrize(
    ("typed", "field", "said"),
    [
        ({"name": "gpt"}, "name", "gpt: no such provider is known"),
        ({"name": "openai/"}, "name", "openai/: "),
        ({"context_window": "10"}, "context_window", "Must be at least 512 tokens."),
        (
            {"context_window": "1000", "max_output": "1001"},
            "max_output",
            "Can't be larger than the context window, 1,000 tokens.",
        ),
    ],
)
def test_what_no_agent_could_use_is_refused_beside_its_field(admin_client, typed, field, said):
    form = {"name": "openai/our-own", **typed}
    errors = admin_client.post(ADD, form).context["adminform"].form.errors

    assert list(errors) == [field]
    assert errors[field][0].startswith(said)
    assert not KnownModel.objects.exists()


def test_what_can_be_used_is_stored(admin_client):
    form = {"name": "openai/our-own", "context_window": "8192", "max_output": "8192"}

    assert admin_client.post(ADD, form).status_code == 302
    assert KnownModel.objects.get().max_output == 8192


def test_a_stored_name_stays_when_its_provider_is_gone(admin_client):
    known = KnownModel.objects.create(name="gone/model")
    page = reverse("admin:agents_knownmodel_change", args=[known.pk])
    form = {"name": "gone/model", "context_window": "4096"}

    assert admin_client.post(page, form).status_code == 302
    known.refresh_from_db()
    assert known.context_window == 4096
