"""A template's versions: the list, the revert, and the people who may revert."""

import pytest
from django.contrib.auth.models import Permission
from django.urls import reverse

from agents.models import AgentTemplate, SiteDefaults
from tests.agents.pages import change_page, preview, submit
from tests.chatapp.inspector.pages import text_of

pytestmark = pytest.mark.django_db
STEP = " \N{SINGLE RIGHT-POINTING ANGLE QUOTATION MARK} "


def version_page(obj, *, newest_but):
    record = obj.versions.order_by("-history_id")[newest_but]
    name = f"admin:agents_{obj._meta.model_name}_simple_history"
    return reverse(name, args=[obj.pk, record.pk])


@pytest.fixture
def onlooker(client, django_user_model):
    """Return a client of a staff user who may view templates and site defaults, but change
    neither.
    """
    user = django_user_model.objects.create_user("onlooker", is_staff=True)
    user.user_permissions.set(
        Permission.objects.filter(codename__in=["view_agenttemplate", "view_sitedefaults"])
    )
    client.force_login(user)
    return client


def test_revert_brings_the_old_values_back_as_a_new_version(admin_client, template):
    submit(admin_client, change_page(template), history_length="3", name="Short")

    submit(admin_client, version_page(template, newest_but=1))

    now = AgentTemplate.objects.get()
    assert (now.name, now.history_settings) == ("Helper", {"policy": "lastN", "length": 12})
    assert now.source == "agent helper v3"


def test_the_list_says_what_changed_and_who_did_it(admin_client, template):
    submit(admin_client, change_page(template), history_length="3")

    page = admin_client.get(reverse("admin:agents_agenttemplate_history", args=[template.pk]))

    newest, first = page.context["page_obj"]
    assert (newest.version, str(newest.history_user)) == (2, "admin")
    assert (first.version, first.history_user) == (1, None)
    assert newest.history_delta_changes == [
        {"field": "History length", "old": "12", "new": "3"},
    ]
    assert "the system" in page.content.decode()
    assert "History length: 12 → 3" in text_of(page)


def test_an_earlier_version_says_which_it_is_and_what_its_button_does(admin_client, template):
    submit(admin_client, change_page(template), history_length="3", name="Short")

    text = text_of(admin_client.get(version_page(template, newest_but=1)))

    assert STEP.join(("Agent templates", "Helper", "Versions", "Version 1")) in text
    assert "Helper, version 1" in text
    assert "Restoring it saves it as a new version; none is lost." in text
    assert [word for word in ("istorical", "Revert", "object", "History\n") if word in text] == []


def test_a_setting_that_was_set_or_emptied_is_shown_beside_the_default(admin_client, template):
    submit(admin_client, change_page(template), history_length="", history_token_budget="6000")

    page = admin_client.get(reverse("admin:agents_agenttemplate_history", args=[template.pk]))

    assert page.context["page_obj"][0].history_delta_changes == [
        {"field": "History length", "old": "12", "new": "default"},
        {"field": "Token budget", "old": "default", "new": "6,000"},
    ]


def test_the_sites_defaults_have_versions_too(admin_client, site):
    submit(admin_client, change_page(site), history_length="9")

    submit(admin_client, version_page(site, newest_but=1))

    assert SiteDefaults.objects.get().history_settings == {"length": 40}
    assert site.versions.count() == 3


@pytest.mark.parametrize("fixture", ["template", "site"])
def test_who_may_only_look_sees_the_preview_and_cannot_revert(onlooker, request, fixture):
    obj = request.getfixturevalue(fixture)

    page = onlooker.get(change_page(obj))
    reverted = onlooker.post(version_page(obj, newest_but=0), {"name": "Mine", "slug": "mine"})

    assert preview(page)["History length"][1] in {"agent helper v1", "site"}
    assert "history_length" not in page.content.decode()
    assert reverted.status_code == 403
    assert obj.versions.count() == 1


def test_the_list_says_what_restoring_a_version_does(admin_client, template):
    page = admin_client.get(reverse("admin:agents_agenttemplate_history", args=[template.pk]))
    text = text_of(page)

    assert "Restoring it saves it as a new version; none is lost." in text
    assert "Choose a date" not in text
