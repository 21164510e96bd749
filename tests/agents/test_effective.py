"""The table of settings in force on the admin's pages."""

import re

import pytest
from django.utils.html import strip_tags

from agents.models import AgentTemplate
from history.core.settings.caps import Caps
from history.core.settings.layers import environment_layer
from history.core.settings.spec import LayerName
from history.core.settings.table import SETTINGS
from tests.agents.pages import add_page, change_page, preview, submit

pytestmark = pytest.mark.django_db


def test_the_template_wins_over_the_site_and_what_is_built_in(admin_client, template, site):
    rows = preview(admin_client.get(change_page(template)))

    assert rows["History length"] == (
        "12",
        "agent helper v1",
        "",
        ["40 site: overridden", "20 built-in: overridden"],
    )
    assert rows["History policy"] == (
        "lastN",
        "agent helper v1",
        "",
        ["lastN built-in: same value, overridden"],
    )
    assert rows["Send the chat's system messages"] == ("on", "built-in", "", [])


def test_the_environment_wins_and_locks(admin_client, template, settings):
    settings.HISTORY_ENVIRONMENT = environment_layer({"DEFAULT_HISTORY_LENGTH": "5"})

    rows = preview(admin_client.get(change_page(template)))

    assert rows["History length"] == (
        "5",
        "the server's DEFAULT_HISTORY_LENGTH",
        "can't be changed here",
        ["12 agent helper v1: overridden", "20 built-in: overridden"],
    )
    assert rows["History policy"][:3] == (
        "lastN",
        "agent helper v1",
        "goes with History length, which the server sets",
    )


@pytest.mark.parametrize(
    ("model", "window", "reserve"),
    [
        ("tiny/model", ("4,096", "model catalogue"), ("2,048", "model catalogue")),
        ("small/model", ("16,000", "model catalogue"), ("1,000", "model catalogue")),
        ("large/model", ("128,000", "model catalogue"), ("4,096", "built-in")),
        ("local/model", ("8,192", "assumed"), ("4,096", "built-in")),
    ],
)
def test_the_window_is_the_models(admin_client, template, model, window, reserve):
    template.model = model
    template.save()

    rows = preview(admin_client.get(change_page(template)))

    assert (rows["Context window"][:2], rows["Output reserve"][:2]) == (window, reserve)


def test_a_stored_value_that_cannot_be_read_never_wins(admin_client, template):
    AgentTemplate.objects.update(history_settings={"length": "many"})

    rows = preview(admin_client.get(change_page(template)))

    assert rows["History length"] == (
        "20",
        "built-in",
        "",
        ["many agent helper v1: History length many: must be a whole number from 0 to 10,000"],
    )


def test_a_stored_setting_that_is_gone_is_shown_until_the_page_is_saved(admin_client, template):
    AgentTemplate.objects.update(history_settings={"length": 4, "mood": "calm"})

    before = preview(admin_client.get(change_page(template)))
    submit(admin_client, change_page(template))

    assert before["mood"] == (
        "",
        "",
        "",
        ["calm agent helper v1: unknown setting; saving this page removes it"],
    )
    assert AgentTemplate.objects.get().history_settings == {"length": 4}


def test_after_an_error_the_preview_is_still_of_what_is_saved(admin_client, template):
    response = submit(
        admin_client, change_page(template), history_policy="all", history_length="-1"
    )

    assert preview(response)["History policy"][0] == "lastN"
    assert preview(response)["History length"][0] == "12"


def test_a_new_template_shows_what_it_would_inherit(admin_client, site):
    rows = preview(admin_client.get(add_page("agenttemplate")))

    assert rows["History length"] == ("40", "site", "", ["20 built-in: overridden"])


def test_the_site_shows_what_it_decides(admin_client, site):
    rows = preview(admin_client.get(change_page(site)))

    assert [*rows] == [spec.label for spec in SETTINGS if LayerName.SITE in spec.layers]
    assert rows["History length"] == ("40", "site", "", ["20 built-in: overridden"])


def test_the_page_itself_shows_the_table(admin_client, template, settings):
    settings.HISTORY_ENVIRONMENT = environment_layer({"DEFAULT_HISTORY_LENGTH": "5"})

    page = admin_client.get(change_page(template)).content.decode()

    assert "Effective settings" in page
    assert "the server&#x27;s DEFAULT_HISTORY_LENGTH" in page
    assert "<del>12</del> agent helper v1: overridden" in page


def test_what_is_unset_is_said_in_words(admin_client, template):
    rows = preview(admin_client.get(change_page(template)))

    assert {label: rows[label][0] for label in UNSET} == UNSET


UNSET = {
    "History window (items)": "off",
    "Token budget": "the context window",
    "Largest message": "half of the history budget",
    "Summary model": "the agent's own",
}


def test_a_capped_value_is_struck_through_with_the_reason(admin_client, template, settings):
    settings.HISTORY_CAPS = Caps(length=8, token_budget=6_000)

    rows = preview(admin_client.get(change_page(template)))

    assert rows["History length"] == (
        "8",
        "the server's HISTORY_LENGTH_MAX",
        "",
        [
            "12 agent helper v1: 12 requested; the server allows 8 (HISTORY_LENGTH_MAX)",
            "20 built-in: overridden",
        ],
    )
    assert rows["Token budget"] == (
        "6,000",
        "the server's HISTORY_TOKEN_BUDGET_MAX",
        "",
        [
            "the context window built-in: not set; the server allows 6,000 "
            "(HISTORY_TOKEN_BUDGET_MAX)"
        ],
    )


def test_a_length_that_the_policy_ignores_is_marked(admin_client, template):
    assert "(not used)" not in admin_client.get(change_page(template)).text
    template.history_settings = {"policy": "all"}
    template.save()

    text = " ".join(strip_tags(admin_client.get(change_page(template)).text).split())

    assert re.search(r"History length \d+ \(not used\)", text)
