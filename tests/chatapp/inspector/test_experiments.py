"""Experiments in the panel: a line before the model is asked, and the answers side by side."""

from dataclasses import replace
from decimal import Decimal

import pytest

from chatapp.inspector.whatif.asking import cost_sentence
from chatapp.inspector.whatif.experiments import ExperimentBeside
from history.core.money.cost import Prices
from history.core.settings.layers import environment_layer
from history.models import Generation, GenerationStatus
from history.services.explain.lookup import TurnRequest, shown_plan
from history.services.whatif.answered import answer_of
from history.services.whatif.asking import ask
from history.services.whatif.estimating import Estimate
from history.services.whatif.trying import Variant
from tests.chatapp.inspector.pages import text_of
from tests.chatapp.inspector.test_whatif import tries
from tests.factories import actor_for, add_plan, end_turn, make_reader

GPT = Estimate("openai/gpt-4o", 1_240, 4_096, Decimal("0.0131"), is_priced=True, has_tools=False)
ADDRESS = "/chat/{}/panel/what-if/experiments?generation={}&step={}"


def changed(**fields):
    named = {name: getattr(GPT, name) for name in GPT.__slots__}
    return Estimate(**{**named, **fields})


@pytest.mark.words
@pytest.mark.parametrize(
    ("found", "sentence"),
    [
        (GPT, "About 1,240 tokens in, up to 4,096 out: at most $0.0131 with openai/gpt-4o."),
        (
            changed(money=None, is_priced=False),
            "About 1,240 tokens in, up to 4,096 out: the price of openai/gpt-4o is not known.",
        ),
        (
            changed(money=None, answer=None),
            "About 1,240 tokens in: the length of openai/gpt-4o's answer isn't limited, so its "
            "cost can't be estimated.",
        ),
        (
            changed(money=Decimal(0), model="demo/mirror"),
            "About 1,240 tokens in, up to 4,096 out: free, with the built-in demo model.",
        ),
        (
            changed(money=Decimal(0)),
            "About 1,240 tokens in, up to 4,096 out: free with openai/gpt-4o.",
        ),
    ],
)
def test_the_cost_is_said_as_far_as_it_is_known(found, sentence):
    assert cost_sentence(found, with_money=True) == sentence


@pytest.mark.words
def test_who_may_not_see_costs_reads_of_tokens():
    said = cost_sentence(GPT, with_money=False)

    assert said == "About 1,240 tokens in, up to 4,096 out, with openai/gpt-4o."


def test_the_button_says_what_it_asks(owner, conversation):
    page = owner.get(tries(conversation, "set.policy=all")).content.decode()

    assert f'data-ask="/api/conversations/{conversation.pk}/experiments"' in page
    assert "&quot;settings&quot;: {&quot;policy&quot;: &quot;all&quot;}" in page
    assert "free, with the built-in demo model." in page


def test_what_is_locked_can_only_be_tried(owner, conversation, settings):
    settings.HISTORY_ENVIRONMENT = environment_layer({"DEFAULT_HISTORY_POLICY": "none"})

    text = text_of(owner.get(tries(conversation, "set.policy=all")))

    assert "The model can't be asked: History policy stays none: set by the server." in text
    assert "Ask the model" not in text


def test_only_who_runs_the_server_learns_which_variable_a_model_needs(
    owner, admin_user, conversation, catalogue, settings
):
    settings.LAN = True
    catalogue.key_missing = lambda model: "DEMO_KEY"
    said = text_of(owner.get(tries(conversation, "set.policy=all")))
    conversation.owner, conversation.visitor = admin_user, ""
    conversation.save()
    owner.force_login(admin_user)
    to_staff = text_of(owner.get(tries(conversation, "set.policy=all")))

    assert "The model can't be asked: demo/mirror needs a key. Ask the administrator." in said
    assert "DEMO_KEY" not in said
    assert "demo/mirror needs DEMO_KEY, which is not set." in to_staff


def test_a_model_without_a_key_is_named_once(owner, conversation, catalogue):
    catalogue.key_missing = lambda model: "DEMO_KEY"

    text = text_of(owner.get(tries(conversation, "set.policy=all")))

    assert "The model can't be asked: demo/mirror needs DEMO_KEY, which is not set." in text
    assert text.count("can't be asked") == 1


def test_a_setting_of_the_agents_can_only_be_tried(owner, conversation):
    text = text_of(owner.get(tries(conversation, "set.length_stride=4")))

    assert "The model can't be asked: Length step can't be set per chat." in text


def test_a_reader_is_offered_no_question(client, conversation):
    client.force_login(make_reader("rita"))

    text = text_of(client.get(tries(conversation, "set.policy=all")))

    assert "Messages sent" in text
    assert "Ask the model" not in text


@pytest.fixture
def record(conversation):
    return shown_plan(conversation)


@pytest.fixture
def experiment(conversation, record):
    named = TurnRequest(record.generation_id, record.step)
    variant = Variant(settings={"policy": "all"})
    return ask(actor_for(conversation), conversation.pk, named, variant).generation


def shown(client, record):
    conversation = record.generation.conversation_id
    return client.get(ADDRESS.format(conversation, record.generation_id, record.step))


def test_an_answer_that_is_being_written_can_be_stopped(owner, record, experiment):
    page = shown(owner, record)

    assert "Waiting for its turn" in text_of(page)
    assert f"/generations/{experiment.pk}/stop" in page.content.decode()
    assert "data-asking" in page.content.decode()


@pytest.mark.words
@pytest.mark.parametrize(
    ("money", "expected"),
    [
        (0, ("Cost, as gpt-4o", "$0.250", "$0.500", "+$0.250")),
        (None, ("Cost", "\N{EM DASH}", "\N{EM DASH}", "\N{EM DASH}")),
    ],
)
def test_free_answers_have_an_example_cost_as_their_forecast_had(
    record, catalogue, money, expected
):
    catalogue.priced_as = lambda model: "gpt-4o"
    catalogue.prices = lambda model: Prices(Decimal("2.5e-6"), Decimal("1e-5"))
    stored = answer_of(record.generation, record.branch)
    free = Decimal(money) if money is not None else None
    was, now = (replace(stored, sent=n, output=0, money=free) for n in (100_000, 200_000))

    assert list(ExperimentBeside(record, was, now, with_money=True).figures)[-1] == expected


def test_both_answers_stand_side_by_side(owner, conversation, record, experiment):
    add_plan(experiment, usage={"prompt": 90, "completion": 7}, cost={"total": "0.002"})
    end_turn(experiment, "Answer four")

    text = text_of(shown(owner, record))

    assert "History policy all (what-if) instead of lastN" in text
    assert "As sent Answer 4 What-if Answer four" in text
    assert "Tokens in 50 90 +40 Tokens out 5 7 +2 Cost \N{EM DASH} $0.002" in text
    assert "Open this branch" in text
    panel = text_of(owner.get(f"/chat/{conversation.pk}/panel"))
    assert "Answers under other settings" in panel


def test_how_it_ended_is_said_as_for_any_answer(owner, record, experiment):
    error = {"kind": "auth", "message": "The key was refused."}
    rows = Generation.objects.filter(pk=experiment.pk)
    rows.update(status=GenerationStatus.FAILED, error=error)

    assert "The key was refused." in text_of(shown(owner, record))


def test_a_reader_sees_the_record_and_no_buttons(client, record, experiment):
    client.force_login(make_reader("rita"))

    page = shown(client, record).content.decode()

    assert "Answers under other settings" in page
    assert "data-stop-experiment" not in page


def test_the_api_lists_what_was_asked(owner, record, experiment):
    address = f"/api/conversations/{record.generation.conversation_id}/experiments"
    end_turn(experiment, "Answer four")

    found = owner.get(address, {"generation": record.generation_id}).json()

    assert found["original"]["text"] == "Answer 4"
    (listed,) = found["experiments"]
    assert (listed["generation"], listed["text"]) == (str(experiment.pk), "Answer four")
    assert listed["tried"] == {"settings": {"policy": "all"}, "model": None}
