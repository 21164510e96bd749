"""A setting has one label, the settings table's, wherever people read about it."""

from io import StringIO

import pytest
from django.core.management import call_command

from agents.models import SiteDefaults
from chatapp.inspector.whatif.form import TRIED
from history.core.settings.spec import LayerName
from history.core.settings.table import BY_NAME, SETTINGS
from tests.agents.pages import change_page
from tests.chatapp.inspector.pages import text_of
from tests.chatapp.pages.reading import memory_address
from tests.factories import add_turn, make_agent, make_conversation

pytestmark = [pytest.mark.django_db, pytest.mark.words]
SET = {"policy": "lastN", "length": 7, "length_stride": 5, "max_items": 40, "token_budget": 9_000}
CHANGED = {"length": 3, "pruner": "sliding_window"}


@pytest.fixture
def chat(admin_user):
    """Make an administrator's chat whose agent has other settings since its only turn."""
    chat = make_conversation(make_agent(history_settings=SET), admin_user)
    add_turn(chat)
    chat.agent.history_settings = SET | CHANGED
    chat.agent.save()
    return chat


def labels_of_form(page):
    return {
        field.spec.name: str(field.label)
        for field in page.context["adminform"].form.fields.values()
        if hasattr(field, "spec")
    }


def agent_form(client, chat):
    return labels_of_form(client.get(change_page(chat.agent)))


def site_form(client, chat):
    return labels_of_form(client.get(change_page(SiteDefaults.objects.create())))


def effective(client, chat):
    rows = client.get(change_page(chat.agent)).context["effective_settings"]
    return {row.name: row.label for row in rows}


@pytest.mark.parametrize(
    ("form", "layer"),
    [
        pytest.param(agent_form, LayerName.TEMPLATE, id="agent"),
        pytest.param(site_form, LayerName.SITE, id="site"),
        pytest.param(effective, LayerName.BUILT_IN, id="effective settings"),
    ],
)
def test_a_form_of_the_administration_has_the_labels_of_the_table(admin_client, chat, form, layer):
    own = {spec.name: spec.label for spec in SETTINGS if spec.allows(layer)}

    assert form(admin_client, chat) == own


def dialog(client, chat):
    return text_of(client.get(memory_address(chat)))


def inspector(client, chat):
    address = f"/chat/{chat.pk}"
    here = {"HX-Current-URL": f"http://testserver{address}"}
    return text_of(client.get(f"{address}/panel", headers=here))


def next_message(client, chat):
    return inspector(client, chat).partition("Next message:")[2][:400]


def what_if(client, chat):
    return inspector(client, chat).partition("What-if")[2]


def notice(client, chat):
    return text_of(client.get(f"/chat/{chat.pk}?historyLength=x&historyPolicy=y"))


def terminal(client, chat):
    call_command("context", "explain", str(chat.pk), stdout=(written := StringIO()))
    return " ".join(written.getvalue().split())


OF_CHATS = [spec.name for spec in SETTINGS if spec.allows(LayerName.CONVERSATION)]


@pytest.mark.parametrize(
    ("place", "names"),
    [
        pytest.param(dialog, OF_CHATS, id="the chat's dialog"),
        pytest.param(inspector, BY_NAME, id="the inspector's settings"),
        pytest.param(what_if, TRIED, id="what-if"),
        pytest.param(next_message, CHANGED, id="what the next message will have"),
        pytest.param(notice, ("policy", "length"), id="the notices on an address"),
        pytest.param(terminal, BY_NAME, id="context explain"),
    ],
)
def test_every_place_names_settings_as_the_table_does(admin_client, chat, place, names):
    text = place(admin_client, chat)

    assert [BY_NAME[name].label for name in names if BY_NAME[name].label not in text] == []
