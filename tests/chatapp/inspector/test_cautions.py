"""The result of a try says which values are beyond a cap, without effect, or move in steps."""

import pytest

from history.core.settings.caps import Caps
from tests.chatapp.inspector.pages import text_of
from tests.chatapp.inspector.test_whatif import tries
from tests.factories import add_turn

pytestmark = pytest.mark.words
CAPPED = "History length is at most 10 on this server, so a what-if can only try more."


def said(owner, conversation, query):
    return text_of(owner.get(tries(conversation, query)))


def test_a_length_beyond_the_cap_names_the_cap(owner, conversation, settings):
    settings.HISTORY_CAPS = Caps(length=10)

    assert CAPPED in said(owner, conversation, "set.length=50")
    assert CAPPED not in said(owner, conversation, "set.length=10")
    assert (
        "In a chat, History policy all is limited to 10 turns: the server allows no more"
        in said(owner, conversation, "set.policy=all")
    )


def test_a_length_that_the_policy_does_not_use_says_so(owner, conversation):
    unused = "History length isn't used with History policy all."

    both = said(owner, conversation, "set.policy=all&set.length=9")
    assert unused in both
    assert "History length 9" not in both
    assert unused not in said(owner, conversation, "set.length=9")


def test_a_length_in_steps_says_how_many_turns_it_means(owner, conversation, agent):
    text = said(owner, conversation, "set.length=3&set.length_stride=10")

    assert "History length 3 moves in steps of 10 here: 3 to 12 turns are sent." in text


def test_a_length_tried_without_its_steps_says_so(owner, conversation, agent):
    agent.history_settings = {"policy": "lastN", "length": 2, "length_stride": 10}
    agent.save()
    add_turn(conversation)

    text = said(owner, conversation, "set.length=3")

    assert "History length 3 is exact here, without the steps of 10." in text


def test_what_would_be_refused_is_not_offered(owner, conversation, settings):
    assert "Apply to this chat" in said(owner, conversation, "set.length=3")

    settings.HISTORY_URL_OVERRIDES = "off"

    assert "Apply to this chat" not in said(owner, conversation, "set.length=3")


def test_the_caption_of_a_replay_counts_the_turns_there_are(owner, conversation):
    page = owner.get(f"/chat/{conversation.pk}/panel/replay?turns=200")

    assert "Replay of the last 4 turns" in text_of(page)


def test_figures_for_a_model_that_no_list_knows_are_said_to_rest_on_an_assumption(
    owner, conversation
):
    assumed = "No list knows openai/gpt-99, so its context window is assumed and its price unknown."

    assert assumed in said(owner, conversation, "set.model=openai/gpt-99")
    assert "No list knows" not in said(owner, conversation, "set.model=openai/gpt-4o")
    assert "No list knows" not in said(owner, conversation, "set.length=3")
