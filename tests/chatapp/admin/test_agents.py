"""An agent's form has a preview: a plan with the typed values, for a chat that one may see."""

import re

import pytest
from django.contrib.auth.models import Permission, User
from django.urls import reverse
from django.utils.html import strip_tags

from agents.models import AgentTemplate, SiteDefaults
from history.core.settings.caps import NO_CAPS, Caps
from history.core.settings.layers import environment_layer
from history.models import Viewing
from tests.agents.pages import add_page, change_page, submit
from tests.factories import (
    add_turn,
    begin_turn,
    end_turn,
    make_agent,
    make_conversation,
    make_reader,
)

pytestmark = pytest.mark.django_db

SUMMARY = re.compile(r"data-summary=.*?>(.*?)</span>\n", re.DOTALL)
PREVIEW, CHATS = "admin:agents_agenttemplate_preview", "admin:agents_agenttemplate_chats"


@pytest.fixture
def agent():
    return make_agent(history_settings={"policy": "lastN", "length": 3})


@pytest.fixture
def chat(agent, admin_user):
    return talk(agent, admin_user)


def talk(agent, owner, **fields):
    chat = make_conversation(agent, owner, **fields)
    for _turn in range(4):
        add_turn(chat)
    return chat


def preview(client, agent, chat=None, **changes):
    """Post the form with `changes` as its preview does; return the text of the answer."""
    form = client.get(change_page(agent)).context["adminform"].form
    shown = {field.html_name: field.value() for field in form} | changes
    data = {k: v for k, v in shown.items() if v not in (None, False)}
    if chat:
        data["preview_chat"] = str(chat.pk)
    answer = client.post(reverse(PREVIEW, args=[agent.pk]), data)
    assert answer.status_code == 200
    return re.sub(r"\s+", " ", strip_tags(answer.content.decode()))


def without_figures(text):
    return re.sub(r"\d+ tokens( · \S+ without a cache)?", "N tokens", text)


def test_an_address_that_a_chat_was_once_opened_with_is_not_its_setting(admin_client, agent, chat):
    end_turn(begin_turn(chat, query="historyLength=1"))
    by_template = preview(admin_client, agent, chat)
    chat.history_settings = {"length": 2}
    chat.save()

    assert "Would send 6 of 10 messages, " in by_template
    assert "Would send 4 of 10 messages, " in preview(admin_client, agent, chat)


def test_it_says_what_the_newest_turn_would_send(admin_client, agent, chat):
    as_saved = preview(admin_client, agent, chat)
    typed = preview(admin_client, agent, chat, history_length="1", history_pruner="summarize")
    all_of_it = preview(admin_client, agent, chat, history_policy="all", model="openai/gpt-4o")

    assert "Would send 6 of 8 messages, " in as_saved
    assert re.search(r"^ As saved Would send 6 .*agent demo v1", as_saved)
    assert typed.startswith(" As typed, not saved yet Would send 2 of 8 messages")
    assert re.search(r"As saved: 6 of 8 messages, \d+ tokens\. Remembers the last 3 turns\.", typed)
    assert "Would send 2 of 8 messages, " in typed
    assert "Remembers nothing" in typed
    assert "what a summary replaces agent demo v2" in typed
    assert re.search(r"Would send 8 of 8 messages, \d+ tokens · \$0\.0\d+", all_of_it)
    assert "openai/gpt-4o: " in all_of_it
    assert AgentTemplate.objects.get().version == 1


def test_what_cannot_be_saved_is_said_and_counts_as_it_was_stored(admin_client, agent, chat):
    text = preview(admin_client, agent, chat, history_length="-3", model="nonsense/x", context="[")

    assert "Would send 6 of 8 messages" in text
    assert "History length: Must be a whole number from 0 to 10,000." in text
    assert "Model: nonsense/x" in text
    assert "demo/mirror: " in preview(admin_client, agent)
    assert "demo/mirror: " not in text
    assert "Context: This text is not JSON" in text
    assert text.startswith(" Can't be saved yet: Model: nonsense/x")
    assert "Until then what is marked counts as it was saved: Would send 6" in text


def test_a_model_without_a_key_is_saved_with_a_warning_that_says_the_way_out(
    admin_client, agent, catalogue
):
    catalogue.know_their_providers()
    catalogue.key_missing = {"large/model": "LARGE_API_KEY"}.get
    warning = (
        "large/model needs a key. Set LARGE_API_KEY in the environment and restart, or save the "
        "key in the administration."
    )

    typed = preview(admin_client, agent, model="large/model")
    submit(admin_client, change_page(agent), model="large/model")
    listed = admin_client.get(reverse("admin:agents_agenttemplate_changelist"))

    assert f"{warning} Providers and their keys" in typed
    assert f">{warning}</li>" in listed.content.decode()
    assert AgentTemplate.objects.get().model == "large/model"
    assert "needs a key" not in preview(admin_client, agent, model="small/model")


def test_locks_and_a_chats_own_settings_are_told(admin_client, agent, chat, settings):
    chat.history_settings = {"length": 1}
    chat.save()

    own = preview(admin_client, agent, chat, history_length="4")
    settings.HISTORY_ENVIRONMENT = environment_layer({"DEFAULT_HISTORY_LENGTH": "2"})
    locked = preview(admin_client, agent, chat, history_length="4")

    assert "Would send 2 of 8" in own
    assert "History length is 1 in this chat because the chat's own setting overrides" in own
    assert "Would send 4 of 8" in locked
    assert (
        "History length is 2 because the server&#x27;s DEFAULT_HISTORY_LENGTH overrides this form."
    ) in locked


EVERYTHING = "Remembers everything that fits in the context window."


def test_the_figures_and_what_is_remembered_are_of_the_same_chat(admin_client, agent, chat):
    chat.history_settings = {"policy": "all"}
    chat.save()

    left_empty = preview(admin_client, agent, chat, history_policy="")
    typed = preview(admin_client, agent, chat, history_policy="none")

    for text, usual in (
        (left_empty, "Remembers the last 3 turns."),
        (typed, "Remembers nothing: every message stands alone."),
    ):
        assert (
            f"Would send 8 of 8 messages, N tokens In this chat: {EVERYTHING} "
            f"Set for this chat. In a new chat: {usual} "
        ) in without_figures(text)
        assert "History policy is everything in this chat because the chat's own setting" in text
    as_saved = (
        r"As saved: 8 of 8 messages, \d+ tokens\. In a new chat: Remembers the last 3 turns\."
    )
    assert re.search(as_saved, typed)


@pytest.mark.parametrize(
    ("variables", "caps", "sentence"),
    [
        (
            {"DEFAULT_HISTORY_POLICY": "all"},
            NO_CAPS,
            f"Would send 8 of 8 messages, N tokens {EVERYTHING} Set by the server. ",
        ),
        (
            {},
            Caps(length=2),
            "Would send 4 of 8 messages, N tokens Remembers the last 2 turns. "
            "Limited by the server. ",
        ),
    ],
    ids=["environment", "cap"],
)
def test_the_server_is_named_if_it_decides_what_is_remembered(
    admin_client, agent, chat, settings, variables, caps, sentence
):
    settings.HISTORY_ENVIRONMENT, settings.HISTORY_CAPS = environment_layer(variables), caps

    text = preview(admin_client, agent, chat)

    assert sentence in without_figures(text)
    assert "In a new chat" not in text


def test_the_sites_defaults_follow_what_is_typed(admin_client):
    data = {"history_policy": "lastN", "history_length": "9", "history_max_items": "1"}

    answer = admin_client.post(reverse("admin:agents_sitedefaults_preview"), data)

    text = re.sub(r"\s+", " ", strip_tags(answer.content.decode()))
    assert "Remembers the last 9 turns." in text
    assert "History window (items): Must be a whole number from 2 to 10,000." in text
    assert not SiteDefaults.objects.exists()


def test_a_look_at_somebody_elses_chat_needs_the_right_and_is_recorded(client, agent, admin_user):
    theirs = talk(agent, admin_user)
    own_rights = ["view_agenttemplate", "change_agenttemplate"]
    for name, rights, may in (("reader", ["read_all"], True), ("editor", [], False)):
        user = make_reader(name)
        user.user_permissions.set(Permission.objects.filter(codename__in=[*own_rights, *rights]))
        client.force_login(user)
        assert ("Would send" in preview(client, agent, theirs)) is may
        options = client.get(reverse(CHATS), {"q": admin_user.username})
        assert (str(theirs.pk) in options.content.decode()) is may

    assert [(v.viewer, v.page) for v in Viewing.objects.all()] == [("reader", "admin")]


def test_who_may_read_all_chats_is_led_to_the_agents_requests(client, agent):
    link = f"{reverse('overview')}?agent={agent.slug}"
    for name, rights, may in (("reader", ["read_all"], True), ("editor", [], False)):
        user = make_reader(name)
        own_rights = ["view_agenttemplate", "change_agenttemplate", *rights]
        user.user_permissions.set(Permission.objects.filter(codename__in=own_rights))
        client.force_login(user)

        page = client.get(change_page(agent)).content.decode()
        assert (link in page) is may
        assert client.get(link).status_code == (200 if may else 404)


def test_nobody_without_the_right_to_change_gets_a_preview(client, agent, django_user_model):
    user = django_user_model.objects.create_user("onlooker", is_staff=True)
    user.user_permissions.set(Permission.objects.filter(codename="view_agenttemplate"))
    client.force_login(user)

    assert client.post(reverse(PREVIEW, args=[agent.pk])).status_code == 403
    assert client.post(reverse(PREVIEW)).status_code == 403
    assert 'data-preview="' not in client.get(change_page(agent)).content.decode()


def test_the_form_chooses_ones_own_newest_chat_with_the_agent(admin_client, agent, chat):
    other = talk(make_agent("other"), chat.owner, title="Elsewhere")

    page = admin_client.get(change_page(agent))
    wrong = submit(admin_client, change_page(agent), name="", preview_chat=str(other.pk))
    found = admin_client.get(reverse(CHATS), {"q": "elsew"}).content.decode()

    assert page.context["chosen"] == chat.pk
    assert wrong.context["chosen"] == other.pk  # An error keeps the choice.
    assert "/chat?agent=demo" in page.content.decode()
    assert "Elsewhere" in found
    assert str(chat.pk) not in found


def test_the_preview_says_that_it_counts_no_new_message(admin_client, agent, chat):
    page = admin_client.get(change_page(agent))

    assert "Shows the next request, without its message." in page.content.decode()
    assert "Would send 8 of 8 messages" in preview(
        admin_client, agent, chat, history_policy="all"
    )  # All four turns with their answers, and no fifth question.


def test_a_new_agent_has_a_preview_and_gets_its_slug_from_its_name(admin_client, chat):
    data = {"name": "Trip planner", "history_policy": "none", "preview_chat": str(chat.pk)}
    text = admin_client.post(reverse(PREVIEW), data).content.decode()

    submit(admin_client, add_page("agenttemplate"), name="Trip planner")

    assert "Would send 2 of 8 messages" in re.sub(r"\s+", " ", text)
    assert AgentTemplate.objects.get(name="Trip planner").slug == "trip-planner"


def test_errors_are_listed_first_each_with_a_link(admin_client, agent):
    wrong = {"slug": "no slug", "history_length": "x", "history_max_items": "1"}
    page = submit(
        admin_client, change_page(agent), name="", processors="[{}]", **wrong
    ).content.decode()

    assert re.findall(r'<a href="#(id_\w+)">', page) == [
        "id_name",
        "id_history_length",
        "id_slug",
        "id_history_max_items",
        "id_processors_1",
    ]
    assert "Not saved: 5 things to correct" in page
    assert page.count('<details class="fold" open>') == 3


def test_folds_say_what_is_typed_in_them_and_a_field_still_empty_is_no_fault(admin_client, agent):
    form = {"name": "", "history_token_budget": "5000", "context-rows": "1", "processors-rows": "1"}
    answer = admin_client.post(reverse(PREVIEW), form)

    found = SUMMARY.findall(answer.content.decode())
    said = [" ".join(strip_tags(part).split()) for part in found]
    assert "Set: Token budget" in said
    assert said.count("defaults") == len(said) - 2  # Two folds have changes.
    assert "required" not in answer.content.decode()


def test_a_form_that_nobody_changed_counts_as_saved_in_a_browsers_own_words(admin_client, agent):
    agent.tools, agent.system_prompt = ["send_note", "calculator"], "One.\nTwo."
    agent.save()
    boxes = {"tools": ["calculator", "send_note"], "system_prompt": "One.\r\nTwo."}

    as_saved = preview(admin_client, agent, **boxes)
    typed = preview(admin_client, agent, **boxes | {"tools": ["calculator", "recall"]})

    assert "As saved" in as_saved
    assert "As typed" in typed
    submit(admin_client, change_page(agent), **boxes)
    agent.refresh_from_db()
    assert agent.tools == ["send_note", "calculator"]


def test_a_search_for_a_chat_keeps_the_one_that_was_chosen(admin_client, agent, chat):
    other = talk(agent, chat.owner, title="Elsewhere")
    elsewhere = talk(make_agent("other"), chat.owner, title="Elsewhere too")

    def found(pk, query):
        return admin_client.get(reverse(CHATS, args=[agent.pk]), query).context

    both = found(agent.pk, {"q": "else", "chosen": str(other.pk)})
    its_own = found(agent.pk, {"q": "", "chosen": str(elsewhere.pk)})

    assert {c.pk for c in both["chats"]} == {other.pk, elsewhere.pk}
    assert both["chosen"] == other.pk
    assert {c.pk for c in its_own["chats"]} == {other.pk, chat.pk}
    assert its_own["chosen"] == other.pk


def test_an_agent_without_chats_is_offered_all_others(admin_client, agent, chat):
    theirs = talk(agent, User.objects.create_user("bob"), title="Elsewhere")
    page = admin_client.get(change_page(make_agent("fresh")))

    assert {each.pk for each in page.context["chats"]} == {chat.pk, theirs.pk}
    assert page.context["chosen"] == chat.pk


def test_the_list_says_that_it_counts_the_chats_that_an_agent_began(admin_client, agent, chat):
    html = admin_client.get(reverse("admin:agents_agenttemplate_changelist")).content.decode()

    assert re.search(r"Chats begun\s*</a>", html)
    assert '<td class="field-conversation_count">1</td>' in html
