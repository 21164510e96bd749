"""A new token budget must leave room for messages beside the reserve that applies with it."""

import pytest

from history.core.settings.layers import Layer
from history.core.settings.spec import LayerName
from history.models import ContextPlan
from tests.factories import add_turn

pytestmark = [
    pytest.mark.django_db,
    pytest.mark.agent(model="anthropic/claude-opus-4-6"),  # Effort high reserves up to 20,480.
    pytest.mark.turns(1),
]
NEW_CHAT = "/chat/memory?agent=demo"
TAKEN = "uses up all of “Token budget”"
BUDGETS = ["4097", "10000", "20000", "20480", "50000"]
HIGH = {"reasoning_effort": "high"}


def address(conversation):
    return f"/chat/{conversation.pk}/memory"


def save(owner, conversation, **values):
    """Save the dialog, in which every other field has the chat's present value."""
    fields = {name: str(value) for name, value in conversation.history_settings.items()}
    text = owner.post(address(conversation), fields | values).text
    conversation.refresh_from_db()
    return text


def own(conversation, **values):
    conversation.history_settings = values
    conversation.save()


def reserve(conversation, value):
    conversation.agent.history_settings = {"output_reserve": value}
    conversation.agent.save()


def tried(owner, conversation, query):
    plan = ContextPlan.objects.filter(generation__conversation=conversation).latest("pk")
    named = f"generation={plan.generation_id}&step={plan.step}"
    return owner.get(f"/chat/{conversation.pk}/panel/what-if?{named}&{query}").text


def is_refused(text):
    return 'data-fault-of="set.token_budget"' in text


@pytest.mark.parametrize("budget", BUDGETS)
def test_a_chat_may_have_a_budget_that_lowers_its_own_reserve(owner, conversation, budget):
    own(conversation, **HIGH)

    text = save(owner, conversation, token_budget=budget)

    assert TAKEN not in text
    assert conversation.history_settings == HIGH | {"token_budget": int(budget)}


@pytest.mark.parametrize("budget", BUDGETS)
def test_so_may_a_chat_that_has_not_begun(owner, agent, budget):
    page = f"{NEW_CHAT}&own.reasoning_effort=high"

    text = owner.post(page, HIGH | {"token_budget": budget}).text

    assert "Saved." in text
    assert f"own.token_budget={budget}" in text


@pytest.mark.parametrize("budget", ["256", "4096"])
def test_neither_may_have_one_that_the_answer_takes_up(owner, conversation, budget):
    own(conversation, **HIGH)

    assert TAKEN in save(owner, conversation, token_budget=budget)
    assert conversation.history_settings == HIGH
    assert TAKEN in owner.post(NEW_CHAT, HIGH | {"token_budget": budget}).text


def test_a_budget_that_stays_keeps_nobody_from_saving_other_settings(owner, conversation):
    own(conversation, token_budget=5_000)
    reserve(conversation, 6_000)

    save(owner, conversation, max_items="40")

    assert conversation.history_settings == {"token_budget": 5_000, "max_items": 40}
    carried = {"token_budget": "5000", "max_items": "40"}
    assert "Saved." in owner.post(f"{NEW_CHAT}&own.token_budget=5000", carried).text


def test_a_budget_without_room_may_be_removed(owner, conversation):
    own(conversation, token_budget=5_000)
    reserve(conversation, 6_000)

    save(owner, conversation, token_budget="")

    assert conversation.history_settings == {}


@pytest.mark.parametrize(
    ("query", "refused"),
    [
        *((f"set.token_budget={budget}", False) for budget in BUDGETS),
        ("set.token_budget=4096", True),
        ("set.token_budget=3000&set.reasoning_effort=low", True),
        ("set.token_budget=3000&set.context_window=8000", True),
        ("set.token_budget=5000&set.model=anthropic/claude-sonnet-4-5", False),
    ],
)
def test_a_tried_budget_counts_with_the_reserve_of_all_that_is_tried(
    owner, conversation, query, refused
):
    own(conversation, **HIGH)
    add_turn(conversation)

    assert is_refused(tried(owner, conversation, query)) is refused


@pytest.mark.parametrize(("limit", "refused"), [(None, False), (9_000, True)])
def test_a_tried_budget_counts_with_the_limit_of_the_agents_answers(
    owner, conversation, limit, refused
):
    conversation.agent.output_limit = limit
    conversation.agent.save()
    add_turn(conversation)

    assert is_refused(tried(owner, conversation, "set.token_budget=8000")) is refused


def test_only_the_server_decides_on_a_reserve_that_it_sets(owner, conversation, settings):
    values = {"output_reserve": "20480"}
    settings.HISTORY_ENVIRONMENT = Layer(LayerName.ENVIRONMENT, "environment", values)
    own(conversation, **HIGH)

    assert TAKEN in save(owner, conversation, token_budget="20000")
    assert conversation.history_settings == HIGH
