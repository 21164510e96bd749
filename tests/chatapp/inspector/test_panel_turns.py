"""The panel leads to other turns, steps and answers, for the people who may see them."""

from uuid import uuid4

import pytest

from tests.chatapp.inspector.addresses import page, panel
from tests.chatapp.inspector.pages import text_of, verdicts_of
from tests.factories import (
    add_plan,
    add_turn,
    add_turns,
    begin_turn,
    branch_of,
    end_turn,
)
from tests.told import length_acts_as_one, no_policy


def test_a_past_turn_is_a_page_of_its_own(owner, conversation):
    response = owner.get(page(conversation, 2))

    assert "Turn 2 of 4" in text_of(response)
    assert verdicts_of(response)[2:] == [("K", "0"), ("K", "1"), ("K", "2")]
    assert "<!DOCTYPE html>" in response.content.decode()


def test_the_panel_of_a_past_turn_says_which_turn_the_chat_shows(owner, conversation):
    said = "The bars in the chat show turn 4. Go to turn 4"

    assert said in text_of(owner.get(panel(conversation, "turn=2")))
    assert "The bars in the chat" not in text_of(owner.get(panel(conversation, "turn=4")))
    assert "The bars in the chat" not in text_of(owner.get(page(conversation, 2)))


def test_the_chat_shows_the_last_turn_that_has_a_record(owner, conversation):
    add_turns(conversation, 1)

    assert "show turn 4." in text_of(owner.get(panel(conversation, "turn=2")))
    assert "The bars in the chat" not in text_of(owner.get(panel(conversation, "turn=4")))


def test_the_way_leads_to_recorded_turns_only(owner, conversation):
    add_turns(conversation, 1)
    add_turn(conversation)

    html = owner.get(panel(conversation, "turn=4")).content.decode()

    assert f'href="/chat/{conversation.pk}/debug/turn/3"' in html
    assert f'href="/chat/{conversation.pk}/debug/turn/5"' not in html
    assert f'href="/chat/{conversation.pk}/debug/turn/6"' in html


def test_a_turn_without_a_record_is_not_there(owner, conversation):
    assert owner.get(page(conversation, 9)).status_code == 404
    assert owner.get(page(conversation, 10**30)).status_code == 404


def test_the_panel_says_when_a_turn_has_no_record(owner, conversation):
    address = {"HX-Current-URL": f"http://testserver/chat/{conversation.pk}?historyLength=7"}

    text = text_of(owner.get(panel(conversation, "turn=9"), headers=address))

    assert "No request is stored for turn 9 here." in text
    assert "7 ◀ historyLength in the address" in text


def test_before_the_first_turn_the_settings_are_shown(owner, agent):
    text = text_of(owner.get("/chat/panel?agent=demo&historyLength=7&historyPolicy=most"))

    assert "Nothing has been sent yet. The next message will use these settings." in text
    assert (
        "Source agent demo v1 (History policy) historyLength in the address (History length) "
        "Messages" in text
    )
    assert no_policy("historyPolicy", "most") in text


def test_before_the_first_turn_the_panel_tells_once_what_of_the_address_is_wrong(owner, agent):
    address = "agent=demo&historyPolcy=all&historyLength=lots&debug=true&agent=demo"

    text = text_of(owner.get(f"/chat/panel?{address}"))

    misspelt = "Ignored from the address: historyPolcy is not a setting. Did you mean"
    above, _, below = text.partition("Nothing has been sent yet.")
    assert misspelt in above
    assert "Ignored from the address: historyLength=lots" in above
    assert "Ignored:" not in below
    right = text_of(owner.get("/chat/panel?agent=demo&debug=true&agent=demo"))
    assert "from the address" not in right


def test_a_length_of_0_is_explained_before_the_first_turn(owner, agent):
    text = text_of(owner.get("/chat/panel?agent=demo&historyLength=0"))

    assert length_acts_as_one() in text


def test_a_change_since_is_told_beside_the_newest_turn_only(owner, conversation, agent):
    agent.history_settings = {"policy": "lastN", "length": 5, "length_stride": 10}
    agent.save()
    here = {"HX-Current-URL": f"http://testserver/chat/{conversation.pk}"}

    newest = text_of(owner.get(panel(conversation), headers=here))
    assert (
        "Next message: Remembers the last 5 to 14 turns. History length 5, from agent demo v2 "
        "(was 2)"
    ) in newest
    assert newest.count("Next message") == 1
    assert "Next message" not in text_of(owner.get(panel(conversation, "turn=3"), headers=here))
    assert "Next message" not in text_of(owner.get(page(conversation, 4)))


def test_an_unknown_agent_is_not_there(owner, agent):
    assert owner.get("/chat/panel?agent=nobody").status_code == 404


@pytest.mark.parametrize("query", ["turn=x", "generation=1", "step=0", f"turn={2**40}"])
def test_a_record_that_cannot_be_is_not_there(owner, conversation, query):
    assert owner.get(panel(conversation, query)).status_code == 404


def test_steps_and_answers_of_a_turn_lead_to_each_other(owner, conversation):
    first = begin_turn(conversation)
    add_plan(first)
    add_plan(first, step=2)
    end_turn(first)

    html = owner.get(panel(conversation)).content.decode()

    assert f"generation={first.pk}&amp;step=1" in html
    assert "step 2" in text_of(owner.get(panel(conversation)))
    assert "step 1" in text_of(owner.get(panel(conversation, f"generation={first.pk}&step=1")))


def test_another_branch_does_not_speak_for_the_open_one(owner, conversation):
    """Turn 2 was asked again on another branch; on the first branch, its own turn 2 is shown."""
    first_branch = branch_of(conversation)
    fork = conversation.branches.create(lineage=first_branch.fork_lineage(1))
    conversation.branch = fork
    conversation.save()
    add_turn(conversation, "Said anew")
    assert "Said anew" in text_of(owner.get(panel(conversation, "turn=2")))

    conversation.branch = first_branch
    conversation.save()

    assert "Question 2" in text_of(owner.get(panel(conversation, "turn=2")))
    assert "Turn 4 of 4" in text_of(owner.get(panel(conversation)))


@pytest.mark.parametrize("address", [panel, lambda c: page(c, 1)], ids=["panel", "page"])
def test_nobody_sees_the_conversation_of_another(client, conversation, address):
    assert client.get(address(conversation)).status_code == 404


def test_a_conversation_that_does_not_exist_looks_the_same(owner):
    assert owner.get(f"/chat/{uuid4()}/panel").status_code == 404
