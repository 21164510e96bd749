"""An id of another person's, used beside one's own conversation, gives access to nothing."""

import json

import pytest

from tests.people import Person
from tests.provider import Reply


@pytest.fixture
def eve(served):
    """Return a person who uses another person's ids."""
    return Person(served)


@pytest.mark.daily
def test_a_running_answer_is_not_shown_beside_a_conversation_of_ones_own(ada, eve, provider):
    provider.script(Reply(text=["mine"]), Reply(text=["a", " secret"], hang_after=2))
    with eve.tab() as tab, ada.tab() as hers:
        own, _ = tab.ask("Hello", agent="demo")
        hidden = hers.send("My secret question", agent="demo")
        hers.until("delta", generation=hidden["generation"])

        tab.seen.clear()
        tab.say(
            type="subscribe",
            conversation=own["conversation"],
            generation=hidden["generation"],
            after_seq=0,
        )
        tab.say(type="ping")
        tab.until("pong")
        provider.release()
        hers.until("end", generation=hidden["generation"])
        tab.say(type="ping")
        tab.until("pong")

    assert {"type": "reload", "conversation": own["conversation"]} in tab.seen
    said = json.dumps(tab.seen)
    assert "secret" not in said
    assert hidden["conversation"] not in said
