"""A replay names the address from which its current settings come."""

import pytest

from tests.chatapp.inspector.pages import text_of

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize(
    ("newest", "page", "said"),
    [
        ("historyLength=2", "", "was sent from: historyLength=2."),
        ("historyLength=2", "historyLength=9", "was sent from: historyLength=2."),
        ("", "historyLength=9", "was sent from, not this page's."),
        ("", "debug=true", ""),
    ],
)
def test_a_replay_says_whose_address_counts(owner, conversation, newest, page, said):
    sent_from(conversation, newest)
    chat = f"http://testserver/chat/{conversation.pk}"

    answer = owner.get(
        f"/chat/{conversation.pk}/panel/replay", HTTP_HX_CURRENT_URL=f"{chat}?{page}"
    )

    assert said in text_of(answer)
    assert ("Counts with the address" in text_of(answer)) is bool(said)


@pytest.mark.parametrize(
    ("advised", "said"), [("3", "The amounts above end with turn 3."), ("4", ""), ("x", "")]
)
def test_beside_older_advice_it_says_that_it_is_computed_again(owner, conversation, advised, said):
    query = f"turns=200&brief=true&advised={advised}"

    text = text_of(owner.get(f"/chat/{conversation.pk}/panel/replay?{query}"))

    assert said in text
    assert ("Recalculated over the newest 4 turns." in text) is bool(said)


def sent_from(conversation, query):
    """Record the newest message as sent from an address with this query."""
    newest = conversation.generations.order_by("created").last()
    newest.snapshot["query"] = query
    newest.save()
