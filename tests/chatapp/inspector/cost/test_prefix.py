"""What a request shares with the one before it, in a sentence."""

import pytest

from chatapp.inspector.cost.prefix import prefix_sentence
from history.core.money.prefix import Spot
from tests.chatapp.inspector.test_map import MOVED, common

pytestmark = pytest.mark.words
SHARED = "The first 100 tokens match turn 8, step 1."


@pytest.mark.parametrize(
    ("found", "sentence"),
    [
        (common(None), f"{SHARED} The rest is new."),
        (
            common(Spot(10), MOVED, resent=90),
            f"{SHARED} 90 tokens had to be re-read because the window's start moved from turn 4 to "
            "turn 5 (our own trimming).",
        ),
        (
            common(Spot(10), MOVED),
            f"{SHARED} The rest is new, because the window's start moved from turn 4 to turn 5 "
            "(our own trimming).",
        ),
    ],
    ids=["it goes on", "some is sent again", "nothing is sent again"],
)
def test_only_what_is_sent_again_is_said_to_be_re_read(found, sentence):
    assert prefix_sentence(found) == sentence
