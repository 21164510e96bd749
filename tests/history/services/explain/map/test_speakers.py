"""Who wrote an answer of a network, and whom it reached."""

import pytest

from history.services.explain.map.speakers import ALONE, Speakers

TWO = Speakers(
    {"greeter": "Greeter"}, {"transfer_to_accountant": "Accountant"}, {"ask_clerk": "Clerk"}
)


@pytest.mark.words
@pytest.mark.parametrize(
    ("speakers", "calls", "said"),
    [
        (TWO, [], "Greeter"),
        (TWO, ["calculator"], "Greeter"),
        (TWO, ["transfer_to_accountant"], "Greeter hands over to Accountant"),
        (TWO, ["ask_clerk", "ask_clerk"], "Greeter asks Clerk"),
        (ALONE, ["calculator"], "agent"),
    ],
)
def test_an_answer_names_its_agent_and_whom_it_reached(speakers, calls, said):
    assert speakers.who("greeter", [{"name": name} for name in calls]) == said
