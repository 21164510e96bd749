"""Zone 5 through its addresses: tries, replays, and taking settings over."""

import re

import pytest

from agents.models import AgentTemplate
from history.core.money.cost import UNKNOWN
from history.core.settings.layers import environment_layer
from history.models import ContextPlan
from tests.chatapp.inspector.pages import text_of
from tests.factories import make_conversation, make_reader
from tests.told import no_number

DASH, MINUS = "\N{EN DASH}", "\N{MINUS SIGN}"


def tries(conversation, query=""):
    plan = ContextPlan.objects.filter(generation__conversation=conversation).latest("pk")
    named = f"generation={plan.generation_id}&step={plan.step}"
    return f"/chat/{conversation.pk}/panel/what-if?{named}&{query}"


def take(client, conversation, **values):
    address = tries(conversation).replace("/what-if?", "/what-if/take?")
    return client.post(address, {name.replace("_dot_", "."): v for name, v in values.items()})


def test_the_fields_hold_what_the_request_had(owner, conversation):
    page = owner.get(f"/chat/{conversation.pk}/panel").content.decode()

    assert '<option value="lastN" selected>' in page
    assert 'name="set.length" value="2"' in page
    assert 'name="set.model" value="demo/mirror"' in page
    assert '<span class="reason">0 (none)</span>' in page


def test_nothing_changed_is_nothing_tried(owner, conversation):
    text = text_of(owner.get(tries(conversation, "set.length=2&set.policy=lastN")))

    assert text == "Change a setting to see what would have been sent."


def test_a_try_stands_beside_what_was_sent(owner, conversation):
    text = text_of(owner.get(tries(conversation, "set.policy=all")))

    assert "policy all As sent What if Difference" in text
    assert "Messages sent 3 7 +4" in text
    assert "T trimmed \N{RIGHTWARDS ARROW} K kept Messages 1\N{EN DASH}4" in text


def test_a_refusal_is_said(owner, conversation):
    text = text_of(owner.get(tries(conversation, "set.context_window=512")))

    assert "tokens too large for the model, so it was not sent" in text


def test_a_bad_value_stands_beside_its_name(owner, conversation):
    text = text_of(owner.get(tries(conversation, "set.length=5abc")))

    assert text == f"History length : {no_number('length', '5abc')}"


@pytest.mark.parametrize(
    ("query", "name"),
    [
        pytest.param("set.length=", "length default (20)", id="built in"),
        pytest.param("set.token_budget=&set.policy=all", "policy all", id="it was empty before"),
    ],
)
def test_an_emptied_field_is_named_with_what_holds_then(owner, conversation, query, name):
    assert f"{name} As sent What if" in text_of(owner.get(tries(conversation, query)))


def test_a_model_that_no_provider_has_is_refused(owner, conversation):
    text = text_of(owner.get(tries(conversation, "set.model=nonsense")))

    assert text.startswith("Model : litellm doesn't know this provider")


def test_a_try_has_an_address(owner, conversation):
    plan = ContextPlan.objects.latest("pk")
    answer = owner.get(
        f"/chat/{conversation.pk}/debug/turn/4"
        f"?generation={plan.generation_id}&step=1&set.policy=all"
    )

    assert "Messages sent 3 7 +4" in text_of(answer)
    assert '<option value="all" selected>' in answer.content.decode()


def test_a_replay_sets_settings_side_by_side(owner, conversation):
    address = f"/chat/{conversation.pk}/panel/replay?turns=50&v=set.policy%3Dall"

    text = text_of(owner.get(address))

    assert "A current settings 4 0 " in text
    assert "B policy all 4 0 " in text
    assert "Tokens per turn (last request)" in text


def test_a_replay_counts_what_would_be_refused(owner, conversation):
    address = f"/chat/{conversation.pk}/panel/replay?turns=50&v=set.context_window%3D512"

    text = text_of(owner.get(address))

    assert "B context_window 512 4 of 4 requests would be refused as too large." in text
    assert f" 4 4 0 0 {UNKNOWN}" in text
    assert re.search(r"Turn A B 4 \d+ refused 3 \d+ refused 2", text)


@pytest.mark.parametrize(
    "query",
    [
        pytest.param("turns=7", id="turns"),
        pytest.param("v=set.length%3D-1", id="a bad value"),
        pytest.param("v=&v=&v=&v=&v=", id="five"),
    ],
)
def test_what_cannot_be_replayed_is_not_found(owner, conversation, query):
    assert owner.get(f"/chat/{conversation.pk}/panel/replay?{query}").status_code == 404


def test_settings_are_taken_over_for_this_chat(owner, conversation):
    answer = take(owner, conversation, set_dot_policy="all", set_dot_length_stride="5")
    conversation.refresh_from_db()

    assert conversation.history_settings == {"policy": "all"}
    assert text_of(answer) == (
        "Applied to this chat, starting with your next message: History policy. "
        "Length stride can't be set per chat."
    )


def test_what_the_chat_would_contradict_is_said(owner, conversation):
    text = text_of(take(owner, conversation, set_dot_summarize="true", set_dot_length="3"))

    assert "length 3 (conversation)" in text


def test_what_the_environment_locks_is_said(owner, conversation, settings):
    settings.HISTORY_ENVIRONMENT = environment_layer({"DEFAULT_HISTORY_POLICY": "none"})

    text = text_of(take(owner, conversation, set_dot_policy="all"))

    assert "History policy stays none, set by env DEFAULT_HISTORY_POLICY" in text
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

    assert "Applied to this chat, starting with your next message: History length." in answer
    assert leaves in answer
    assert ("data-leaves" in answer) is bool(leaves)


def for_everybody(client, conversation, version=None, undo="", **values):
    """Ask what a try would change for everybody; with a `version`, do it."""
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

    assert "Applies to every chat with Demo: 3 chats, 2 people" in text
    assert "History length 2 → becomes 7" in text
    assert AgentTemplate.objects.get(pk=conversation.agent_id).version == 1


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
    assert "Applied to every chat with Demo, starting with the next message. Undo" in text_of(
        answer
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
    text = text_of(for_everybody(editor, conversation, 1, set_dot_token_budget="300"))

    assert "token_budget 300 (" in text
    assert AgentTemplate.objects.get(pk=conversation.agent_id).version == 1


@pytest.mark.parametrize("version", ["", "x", "-1", "99999999999"])
def test_no_version_is_no_page(editor, conversation, version):
    assert for_everybody(editor, conversation, version, set_dot_length="7").status_code == 404


@pytest.mark.parametrize("path", ["what-if", "replay"])
def test_a_stranger_finds_nothing(client, conversation, path):
    assert client.get(f"/chat/{conversation.pk}/panel/{path}").status_code == 404


def test_a_stranger_takes_nothing_over(client, conversation):
    assert take(client, conversation, set_dot_policy="all").status_code == 404
