"""The admin's pages of agent templates and site defaults, over HTTP."""

import re

import pytest
from django.urls import reverse

from agents.models import AgentTemplate, SiteDefaults
from agents.networks.models import Network
from history.core.settings.layers import environment_layer
from history.core.settings.spec import LayerName
from history.core.settings.table import SETTINGS
from tests.agents.pages import add_page, change_page, errors, submit
from tests.told import beside, no_boolean, no_number

pytestmark = pytest.mark.django_db


def test_a_template_is_made_with_settings_and_tools(admin_client):
    submit(
        admin_client,
        add_page("agenttemplate"),
        name="Planner",
        slug="planner",
        history_policy="all",
        history_length="5",
        history_preserve_system_messages="false",
        tools=["calculator"],
    )

    made = AgentTemplate.objects.get(slug="planner")
    assert made.history_settings == {
        "policy": "all",
        "length": 5,
        "preserve_system_messages": False,
    }
    assert (made.tools, made.version) == (["calculator"], 1)


def test_saving_a_page_as_it_is_changes_no_setting(admin_client, template):
    template.history_settings |= {"preserve_system_messages": True, "output_reserve": 900}
    template.save()

    submit(admin_client, change_page(template))

    assert AgentTemplate.objects.get().history_settings == template.history_settings


def test_an_emptied_field_unsets_the_setting(admin_client, template):
    submit(admin_client, change_page(template), history_length="")

    assert AgentTemplate.objects.get().history_settings == {"policy": "lastN"}


def test_zero_is_a_value(admin_client, template):
    submit(admin_client, change_page(template), history_length="0")

    assert AgentTemplate.objects.get().history_settings == {"policy": "lastN", "length": 0}


@pytest.mark.parametrize(
    ("field", "value", "complaint"),
    [
        pytest.param(
            "history_length",
            "10001",
            beside(no_number("length", 10_001)),
            id="range",
        ),
        pytest.param(
            "history_length",
            "5abc",
            beside(no_number("length", "5abc")),
            id="text",
        ),
        pytest.param("history_policy", "ALL", "Must be none, lastN or all.", id="choice"),
        pytest.param(
            "history_preserve_system_messages",
            "maybe",
            beside(no_boolean("preserve_system_messages", "maybe")),
            id="boolean",
        ),
        pytest.param(
            "tools",
            ["gone"],
            "Select a valid choice. gone is not one of the available choices.",
            id="tool",
        ),
        pytest.param(
            "temperature", "3", "Ensure this value is less than or equal to 2.", id="temperature"
        ),
    ],
)
def test_a_bad_value_is_an_error_at_its_field(admin_client, template, field, value, complaint):
    response = submit(admin_client, change_page(template), **{field: value})

    assert errors(response) == {field: [complaint]}
    assert AgentTemplate.objects.get().version == 1


def test_a_browsers_line_ends_are_not_stored(admin_client, template):
    """Browsers post CR LF. If that were stored, saving an unchanged page would count as an edit."""
    changes = {"starters": "One.\r\nTwo.", "system_prompt": "Be kind.\r\n\r\nBe brief."}

    submit(admin_client, change_page(template), **changes)

    now = AgentTemplate.objects.get()
    assert (now.starters, now.system_prompt) == ("One.\nTwo.", "Be kind.\n\nBe brief.")


def test_a_tool_that_is_gone_stays_on_the_page_until_it_is_unticked(admin_client, template):
    AgentTemplate.objects.update(tools=["gone", "calculator"])

    refused = submit(admin_client, change_page(template))
    submit(admin_client, change_page(template), tools=["calculator"])

    assert errors(refused) == {"tools": ["Unknown tools: gone."]}
    assert AgentTemplate.objects.get().tools == ["calculator"]


@pytest.mark.parametrize("fixture", ["template", "site"])
def test_a_field_says_that_the_environment_decides(admin_client, request, fixture, settings):
    settings.HISTORY_ENVIRONMENT = environment_layer({"DEFAULT_HISTORY_LENGTH": "5"})

    page = change_page(request.getfixturevalue(fixture))
    form = admin_client.get(page).context["adminform"].form

    told = {name for name, field in form.fields.items() if "Set to 5" in str(field.help_text)}
    assert told == {"history_length"}
    assert form.fields["history_length"].help_text.endswith(
        "Set to 5 by the server&#x27;s DEFAULT_HISTORY_LENGTH.</strong>"
    )
    assert [name for name, field in form.fields.items() if field.disabled] == ["history_length"]
    assert form["history_length"].value() == 5


def test_what_is_stored_outlasts_the_environments_lock(admin_client, template, settings):
    settings.HISTORY_ENVIRONMENT = environment_layer({"DEFAULT_HISTORY_LENGTH": "5"})

    submit(admin_client, change_page(template), name="Renamed", history_length="7")

    template.refresh_from_db()
    assert (template.name, template.history_settings["length"]) == ("Renamed", 12)


def test_the_list_shows_what_each_template_comes_to(
    admin_client, template, site, django_assert_max_num_queries
):
    AgentTemplate.objects.create(slug="plain", name="Plain", model="small/model")
    AgentTemplate.objects.create(slug="quiet", name="Quiet", history_settings={"policy": "none"})

    Network.objects.create(slug="team", name="Team", members=["helper", "quiet"], entry="helper")
    AgentTemplate.objects.filter(slug="quiet").update(enabled=False)

    with django_assert_max_num_queries(7):
        rows = admin_client.get(reverse("admin:agents_agenttemplate_changelist")).context["cl"]

    page = rows.model_admin
    assert [(t.slug, page.asked_model(t), page.memory(t)) for t in rows.result_list] == [
        ("helper", "large/model (default)", "Remembers the last 12 turns."),
        ("plain", "small/model", "Remembers the last 40 turns."),
        ("quiet", "large/model (default)", "Remembers nothing: every message stands alone."),
    ]
    assert [page.offered(t) for t in rows.result_list] == ["For new chats"] * 2 + ["Only in Team"]
    assert [re.findall(r'href="([^"]+)"', page.chat(t)) for t in rows.result_list] == [
        ["/chat?agent=helper"],
        ["/chat?agent=plain"],
        ["/chat?network=team"],
    ]
    assert [page.conversation_count(t) for t in rows.result_list] == [0, 0, 0]


def test_site_defaults_are_made_once_then_changed(admin_client):
    entrance = reverse("admin:agents_sitedefaults_changelist")
    assert admin_client.get(entrance).url == add_page("sitedefaults")

    submit(admin_client, add_page("sitedefaults"), history_length="7")
    site = SiteDefaults.objects.get()

    assert site.history_settings == {"length": 7}
    assert admin_client.get(entrance).url == change_page(site)
    assert admin_client.get(add_page("sitedefaults")).status_code == 403
    assert admin_client.post(add_page("sitedefaults")).status_code == 403


def test_site_defaults_are_never_deleted(admin_client, site):
    url = reverse("admin:agents_sitedefaults_delete", args=[site.pk])

    assert admin_client.post(url, {"post": "yes"}).status_code == 403
    assert SiteDefaults.objects.exists()


def test_the_site_is_offered_only_what_it_may_set(admin_client):
    form = admin_client.get(add_page("sitedefaults")).context["adminform"].form

    assert {*form.fields} == {
        "processors",
        "seen",
        *(f"history_{spec.name}" for spec in SETTINGS if LayerName.SITE in spec.layers),
    }
    assert "history_context_window" not in form.fields


@pytest.mark.parametrize("fixture", ["template", "site"])
def test_pages_hold_no_inline_style_or_script(admin_client, request, fixture):
    obj = request.getfixturevalue(fixture)
    versions = reverse(f"admin:agents_{obj._meta.model_name}_history", args=[obj.pk])

    pages = [admin_client.get(url).content.decode() for url in (change_page(obj), versions)]

    assert [page.count("style=") + page.count("<style") for page in pages] == [0, 0]
    assert [page.count("<script>") for page in pages] == [0, 0]
