"""Advice for an agent sums up its newest chats, except those with settings of their own."""

from decimal import Decimal
from io import StringIO

import pytest
from django.contrib.auth.models import User
from django.core.management import CommandError, call_command

from history.models import Advice
from history.services.whatif.advising import advise
from history.services.whatif.sampling import agent_advice, computed_advice
from tests.factories import add_turns, make_conversation, make_reader

pytestmark = [
    pytest.mark.django_db,
    pytest.mark.agent(
        model="large/model",
        system_prompt="Be brief. " * 40,
        history_settings={"policy": "lastN", "length": 20},
    ),
]


@pytest.fixture
def chats(agent):
    """Make two chats with the agent's settings, and one with settings of its own."""
    made = [make_conversation(agent) for _ in range(3)]
    for conversation, turns in zip(made, (60, 45, 50), strict=True):
        add_turns(conversation, turns)
    made[2].history_settings = {"length": 30}
    made[2].save()
    return made


def test_the_figures_are_the_sums_of_its_chats(agent, chats):
    advised = [advise(chat) for chat in chats]
    found = agent_advice(agent)

    same = [advice.facts for advice in advised[:2]]
    best = [next(v for v in f["variants"] if v["changes"] == {"length_stride": 10}) for f in same]
    assert (found.chats, found.turns) == (2, 105)
    assert found.variant["changes"] == {"length_stride": 10}
    assert Decimal(found.variant["money"]) == sum(Decimal(v["money"]) for v in best)
    assert Decimal(found.facts["as_it_is"]["money"]) == sum(
        Decimal(f["as_it_is"]["money"]) for f in same
    )
    assert found.variant["recency"]["turns"]["most"] == 29


def test_a_command_replays_what_is_not_stored_and_stores_nothing(agent, chats):
    assert agent_advice(agent) is None

    computed = computed_advice(agent)

    assert not Advice.objects.exists()
    for chat in chats:
        advise(chat)
    assert computed == agent_advice(agent)


def test_after_a_change_of_the_agent_there_is_none(agent, chats):
    for chat in chats:
        advise(chat)
    agent.history_settings = agent.history_settings | {"length_stride": 10}
    agent.save()

    assert agent_advice(agent) is None
    assert computed_advice(agent) is None


def told(*arguments):
    out = StringIO()
    call_command("context", "explain", *arguments, stdout=out)
    return out.getvalue().strip()


@pytest.mark.words
def test_the_terminal_and_the_admins_page_say_it(client, agent, chats):
    sentence = (
        "Moving the window in steps of 10 would have cost $95.42 instead of $239.72 over 105 turns "
        "of the newest 2 chats"
    )
    assert told("--agent", "demo").startswith(sentence)
    for chat in chats:
        advise(chat)
    page = f"/admin/agents/agenttemplate/{agent.pk}/change/"
    boss = User.objects.create_superuser("boss")
    eve = make_reader("eve", "change_agenttemplate")

    for user, is_said in ((boss, True), (eve, False)):
        client.force_login(user)
        assert (sentence in client.get(page).text) is is_said


@pytest.mark.words
@pytest.mark.parametrize(
    ("arguments", "why"),
    [
        ((), "give either a conversation's id or --agent SLUG"),
        (("a", "--agent", "demo"), "give either a conversation's id or --agent SLUG"),
        (("--agent", "none"), "no such agent"),
    ],
)
def test_what_cannot_be_explained(db, arguments, why):
    with pytest.raises(CommandError, match=why):
        told(*arguments)
