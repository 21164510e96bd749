"""A try can be applied to a chat or to every chat with the agent; both can be undone."""

import re
from html import unescape

import pytest

from agents.models import AgentTemplate
from history.core.settings.caps import Caps
from history.core.settings.layers import environment_layer
from history.services.whatif.trying import Variant, recorded, varied
from tests.chatapp.inspector.pages import text_of
from tests.chatapp.inspector.test_whatif import tries
from tests.factories import add_turn, make_conversation, make_reader


def take(client, conversation, **values):
    address = tries(conversation).replace("/what-if?", "/what-if/take?")
    return client.post(address, {name.replace("_dot_", "."): v for name, v in values.items()})


def test_settings_are_taken_over_for_this_chat(owner, conversation):
    answer = take(owner, conversation, set_dot_policy="all", set_dot_length_stride="5")
    conversation.refresh_from_db()

    assert conversation.history_settings == {"policy": "all"}
    assert text_of(answer) == (
        "Applied to this chat, starting with your next message: History policy all. Undo "
        "Length step can't be set per chat."
    )


def test_what_was_taken_over_is_taken_back(owner, conversation):
    conversation.history_settings = {"max_items": 8}
    conversation.save()
    taken = take(owner, conversation, set_dot_policy="all", set_dot_max_items="6").text
    before = unescape(re.search(r'name="before" value="([^"]*)"', taken)[1])

    answer = take(owner, conversation, before=before)

    conversation.refresh_from_db()
    assert conversation.history_settings == {"max_items": 8}
    assert text_of(answer) == "Undone: this chat has its previous settings again."


def panel_text(client, conversation, **asked):
    return text_of(client.get(f"/chat/{conversation.pk}/panel", asked))


@pytest.mark.words
def test_what_was_applied_can_be_undone_after_a_reload_while_it_stands(owner, conversation):
    take(owner, conversation, set_dot_policy="all")
    reloaded = owner.get(f"/chat/{conversation.pk}/panel").text
    assert "Applied to this chat: History policy all." in reloaded
    before = unescape(re.search(r'name="before" value="([^"]*)"', reloaded)[1])

    take(owner, conversation, before=before)

    conversation.refresh_from_db()
    assert conversation.history_settings == {}
    assert "Applied to this chat:" not in panel_text(owner, conversation)


def test_undo_stays_offered_for_as_many_messages_as_the_setting_stands(owner, conversation):
    take(owner, conversation, set_dot_policy="all")

    for _number in range(2):
        add_turn(conversation)
        page = owner.get(f"/chat/{conversation.pk}/panel").text
        above = page.partition('class="zones"')[0]
        assert "Applied to this chat: History policy all." in above
        assert 'name="before"' in above
        conversation.refresh_from_db()

    conversation.agent.system_prompt = "Changed."
    conversation.agent.save()
    assert owner.get(f"/chat/{conversation.pk}/panel").text.count('name="before"') == 1


def test_what_was_set_otherwise_since_is_not_undone(owner, conversation):
    take(owner, conversation, set_dot_policy="all")
    conversation.refresh_from_db()
    conversation.history_settings = {"policy": "none"}
    conversation.save()

    assert 'name="before"' not in owner.get(f"/chat/{conversation.pk}/panel").text


def test_the_agents_own_value_removes_the_chats(owner, conversation):
    take(owner, conversation, set_dot_policy="all")

    returning = owner.get(tries(conversation, "set.policy=lastN"))
    assert "This chat's settings have changed since this request, which had: History policy" in (
        text_of(returning)
    )
    said = text_of(take(owner, conversation, set_dot_policy="lastN"))

    conversation.refresh_from_db()
    assert conversation.history_settings == {}
    assert "History policy lastN, inherited from agent demo v1." in said


def test_a_try_is_applied_whole_though_the_chat_was_set_otherwise_since(owner, conversation):
    take(owner, conversation, set_dot_policy="all", set_dot_max_items="6")

    take(owner, conversation, set_dot_length="3")

    conversation.refresh_from_db()
    assert conversation.history_settings == {"length": 3}


@pytest.mark.parametrize("before", ["{", "[" * 5_000, "7", '{"length": "x"}', '{"lenght": 3}'])
def test_what_is_no_setting_is_not_taken_back(owner, conversation, before):
    assert take(owner, conversation, before=before).status_code == 404


def test_what_the_chat_would_contradict_is_said(owner, conversation):
    text = text_of(take(owner, conversation, set_dot_summarize="true", set_dot_length="3"))

    assert "“History length” 3 (this chat)" in text


def test_what_the_environment_locks_is_said(owner, conversation, settings):
    settings.HISTORY_ENVIRONMENT = environment_layer({"DEFAULT_HISTORY_POLICY": "none"})

    text = text_of(take(owner, conversation, set_dot_policy="all"))

    assert "History policy stays none: set by the server." in text
    assert "Applied to this chat" not in text


def test_what_the_environment_locks_is_marked_and_not_offered(owner, conversation, settings):
    settings.HISTORY_ENVIRONMENT = environment_layer({"DEFAULT_HISTORY_POLICY": "none"})
    locked = text_of(owner.get(tries(conversation, "set.policy=all")))
    free = text_of(owner.get(tries(conversation, "set.policy=all&set.max_items=4")))

    assert "so it can only be tried: History policy" in locked
    assert "Apply to this chat" not in locked
    assert "Apply to this chat" in free


@pytest.mark.parametrize(
    ("query", "leaves"),
    [
        pytest.param("?debug=true&historyLength=2", 'data-leaves="historyLength"', id="outranks"),
        pytest.param("?debug=true&historyPolicy=all", "", id="of another setting"),
    ],
)
def test_what_would_outrank_it_leaves_the_address(owner, conversation, query, leaves):
    address = tries(conversation).replace("/what-if?", "/what-if/take?")
    page = {"HX-Current-URL": f"http://testserver/chat/{conversation.pk}{query}"}

    answer = owner.post(address, {"set.length": "4"}, headers=page).content.decode()

    assert "Applied to this chat, starting with your next message: History length 4." in answer
    assert leaves in answer
    assert ("data-leaves" in answer) is bool(leaves)


def for_everybody(client, conversation, version=None, undo="", **values):
    """Show what a try would change for everybody; with a `version`, apply it."""
    address = tries(conversation).replace("/what-if?", f"/what-if/everybody{undo}?")
    given = {name.replace("_dot_", "."): value for name, value in values.items()}
    if version is None:
        return client.get(address, given)
    return client.post(f"{address}&version={version}", given)


def test_only_people_who_may_edit_templates_write_to_one(owner, conversation):
    assert "Apply to every chat" not in text_of(owner.get(tries(conversation, "set.policy=all")))
    assert for_everybody(owner, conversation, set_dot_policy="all").status_code == 403
    assert for_everybody(owner, conversation, 1, set_dot_policy="all").status_code == 403
    assert for_everybody(owner, conversation, 1, undo="/undo").status_code == 403


@pytest.fixture
def editor(client, conversation):
    client.force_login(make_reader("ed", "change_agenttemplate"))
    return client


def test_who_is_affected_is_named_first(editor, conversation):
    make_conversation(conversation.agent, visitor=conversation.visitor)
    make_conversation(conversation.agent)

    text = text_of(for_everybody(editor, conversation, set_dot_length="7"))

    assert "Applies to chats with Demo: 3 chats, 2 people History length" in text
    assert "History length 2 → becomes 7" in text
    assert AgentTemplate.objects.get(pk=conversation.agent_id).version == 1


def test_chats_with_a_setting_of_their_own_are_told_apart(editor, conversation):
    for length in (5, 7):
        other = make_conversation(conversation.agent)
        other.history_settings = {"length": length}
        other.save()

    some = text_of(for_everybody(editor, conversation, set_dot_length="7"))
    conversation.history_settings = {"length": 2}
    conversation.save()
    none = text_of(for_everybody(editor, conversation, set_dot_length="7"))

    assert "Applies to chats with Demo: 1 chat, 1 person 2 chats keep a setting of" in some
    assert "No existing chat with Demo is affected. 3 chats keep a setting of their own." in none


def test_what_the_template_says_already_is_no_change(editor, conversation):
    template = AgentTemplate.objects.get(pk=conversation.agent_id)
    template.history_settings = {"policy": "lastN", "length": 7}
    template.save()

    text = text_of(for_everybody(editor, conversation, set_dot_length="7"))

    assert "Demo already has these settings." in text


def test_a_try_is_written_to_the_template_and_undone(editor, conversation):
    answer = for_everybody(editor, conversation, 1, set_dot_length="7")
    template = AgentTemplate.objects.get(pk=conversation.agent_id)
    assert template.history_settings == {"policy": "lastN", "length": 7}
    assert template.versions.first().history_user.username == "ed"
    assert (
        "Applied to Demo, starting with the next message in each chat: History length 7. Undo"
        in text_of(answer)
    )

    answer = for_everybody(editor, conversation, 2, undo="/undo")
    template.refresh_from_db()
    assert template.history_settings == {"policy": "lastN", "length": 2}
    assert "Undone. Demo is back to its previous settings." in text_of(answer)


@pytest.mark.parametrize("undo", ["", "/undo"])
def test_a_template_that_changed_meanwhile_is_left_as_it_is(editor, conversation, undo):
    for _ in range(2):
        AgentTemplate.objects.get(pk=conversation.agent_id).save()

    text = text_of(for_everybody(editor, conversation, 2, undo=undo, set_dot_length="7"))

    assert "Demo was changed in the meantime. Nothing was saved." in text
    assert AgentTemplate.objects.get(pk=conversation.agent_id).version == 3


def test_a_template_refuses_what_its_page_refuses(editor, conversation):
    steps = {"set_dot_token_budget": "4200", "set_dot_token_stride": "1000"}
    text = text_of(for_everybody(editor, conversation, 1, **steps))

    assert "“Token budget” 4,200 (" in text
    assert AgentTemplate.objects.get(pk=conversation.agent_id).version == 1


@pytest.mark.parametrize("version", ["", "x", "-1", "99999999999"])
def test_no_version_is_no_page(editor, conversation, version):
    assert for_everybody(editor, conversation, version, set_dot_length="7").status_code == 404


STEPS = {"policy": "lastN", "length": 2, "length_stride": 10}


def in_steps(conversation):
    conversation.agent.history_settings = STEPS
    conversation.agent.save()
    return add_turn(conversation)


def test_a_changed_length_is_tried_as_exact_as_it_is_applied(owner, conversation):
    record = in_steps(conversation)
    variant = Variant(settings={"length": 3})
    computed = varied(recorded(record).turn, variant).settings

    text = text_of(take(owner, conversation, set_dot_length="3"))
    conversation.refresh_from_db()
    applied = add_turn(conversation).core_plan.settings

    assert [each.value("length") for each in (computed, applied)] == [3, 3]
    assert [each.value("length_stride") for each in (computed, applied)] == [1, 1]
    assert text.startswith("Applied to this chat, starting with your next message: History length")
    assert "Length step" not in text


def test_a_length_for_everybody_loses_the_steps_it_was_tried_without(editor, conversation):
    in_steps(conversation)

    shown = text_of(for_everybody(editor, conversation, set_dot_length="3"))
    for_everybody(editor, conversation, conversation.agent.version, set_dot_length="3")

    conversation.agent.refresh_from_db()
    assert "Length step 10" in shown
    assert conversation.agent.history_settings == STEPS | {"length": 3, "length_stride": 1}


def test_the_question_for_everybody_knows_the_cap(editor, conversation, settings):
    settings.HISTORY_CAPS = Caps(length=10)
    capped = (
        "History length is at most 10 on this server (HISTORY_LENGTH_MAX), so a what-if can "
        "only try more."
    )

    assert capped in text_of(for_everybody(editor, conversation, set_dot_length="15"))
    assert "capped" not in text_of(for_everybody(editor, conversation, set_dot_length="9"))


def test_what_the_environment_locks_is_not_written_to_the_template(editor, conversation, settings):
    settings.HISTORY_ENVIRONMENT = environment_layer({"DEFAULT_HISTORY_POLICY": "none"})
    tried = {"set_dot_policy": "all", "set_dot_length": "7"}

    asked = text_of(for_everybody(editor, conversation, **tried))
    for_everybody(editor, conversation, conversation.agent.version, **tried)

    conversation.agent.refresh_from_db()
    assert "Not applied, because the server sets it: History policy" in asked
    assert "History length 2 → becomes 7" in asked
    assert conversation.agent.history_settings == {"policy": "lastN", "length": 7}


def test_of_locked_settings_alone_nothing_is_offered_to_everybody(editor, conversation, settings):
    settings.HISTORY_ENVIRONMENT = environment_layer({"DEFAULT_HISTORY_POLICY": "none"})

    shown = text_of(editor.get(tries(conversation, "set.policy=all")))

    assert "it can only be tried: History policy" in shown
    assert "Apply to every chat" not in shown
    assert for_everybody(editor, conversation, set_dot_policy="all").status_code == 404


def test_a_stranger_takes_nothing_over(client, conversation):
    assert take(client, conversation, set_dot_policy="all").status_code == 404
