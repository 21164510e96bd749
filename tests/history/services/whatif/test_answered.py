"""The experiments listed beside an answer also answer its message; each has its own figures."""

from decimal import Decimal

import pytest

from history.models import Generation, GenerationEvent, GenerationStatus
from history.services.answers.editing import edit
from history.services.answers.sending import retry
from history.services.explain.lookup import TurnRequest
from history.services.whatif.answered import answer_of, experiments_beside
from history.services.whatif.asking import ask
from history.services.whatif.trying import Variant
from tests.factories import add_plan, add_turn, begin_turn, end_turn, make_agent, make_conversation
from tests.history.services.conftest import ADA, reword
from tests.history.services.wire.test_figures import UNSENT

pytestmark = pytest.mark.django_db
USAGE = {"prompt": 70, "completion": 6}


@pytest.fixture
def record(db):
    agent = make_agent(history_settings={"policy": "lastN", "length": 1})
    conversation = make_conversation(agent, visitor=ADA.visitor)
    add_turn(conversation, "One?", "First answer")
    return add_turn(conversation, "Two?", "Second answer")


def experiment(record, text="Another answer", cost=None):
    """Make an experiment, and answer it."""
    conversation = record.generation.conversation_id
    named = TurnRequest(record.generation_id, record.step)
    generation = ask(ADA, conversation, named, Variant(settings={"policy": "all"})).generation
    add_plan(generation, usage=USAGE, cost=cost)
    end_turn(generation, text)
    return Generation.objects.get(pk=generation.pk)


def beside(record):
    return [each.pk for each in experiments_beside(record)]


def test_what_was_asked_is_listed_the_newest_first(record):
    first, second = experiment(record), experiment(record)

    assert beside(record) == [second.pk, first.pk]


def test_an_experiment_has_the_others_beside_it_but_not_itself(record):
    first, second = experiment(record), experiment(record)

    assert beside(second.plans.get()) == [first.pk]


def test_a_retry_of_the_message_has_them_too_and_other_words_have_none(record):
    made = experiment(record)
    conversation = record.generation.conversation
    again = retry(ADA, conversation.pk, record.generation_id, "").generation
    plan = add_plan(again, usage=USAGE)
    end_turn(again)
    assert beside(plan) == [made.pk]

    asked = conversation.messages.get(text="Two?")
    other = edit(ADA, reword(asked.pk, "Three?", conversation=conversation.pk)).generation
    assert beside(add_plan(other, usage=USAGE)) == []


def test_the_answer_that_stands_stays_what_it_was(record):
    made = experiment(record)

    stands, tried = answer_of(record.generation, record.branch), answer_of(made, made.branch)

    assert (stands.text, stands.sent, stands.output, stands.requests) == ("Second answer", 50, 5, 1)
    assert (tried.text, tried.sent, tried.output, tried.requests) == ("Another answer", 70, 6, 1)


def test_without_a_report_the_tokens_are_the_plans(record):
    named = TurnRequest(record.generation_id, record.step)
    variant = Variant(settings={"policy": "all"})
    made = ask(ADA, record.generation.conversation_id, named, variant).generation
    plan = add_plan(made, usage=None, finish_reason="stop")

    tried = answer_of(made, made.branch)

    assert (tried.sent, tried.is_estimated) == (plan.core_plan.window.sent, True)
    assert not answer_of(record.generation, record.branch).is_estimated


def test_what_was_never_sent_has_no_tokens_and_cost_nothing(record):
    made = begin_turn(record.generation.conversation, "Three?")
    add_plan(made, error=UNSENT)

    answer = answer_of(made, made.branch)

    assert (answer.has_left, answer.sent, answer.money) == (False, 0, 0)
    assert answer_of(record.generation, record.branch).has_left


def test_money_is_what_was_stored_and_unknown_is_not_nothing(record):
    priced = experiment(record, cost={"total": "0.0123"})

    assert answer_of(priced, priced.branch).money == Decimal("0.0123")
    assert answer_of(record.generation, record.branch).money is None


def test_what_is_being_written_is_shown_as_far_as_it_is(record):
    named = TurnRequest(record.generation_id, 1)
    conversation = record.generation.conversation_id
    made = ask(ADA, conversation, named, Variant(settings={"policy": "all"})).generation
    add_plan(made)
    events = [("plan", {"step": 1}), ("delta", {"text": "Half "}), ("delta", {"text": "of it"})]
    for seq, (kind, payload) in enumerate(events, 1):
        GenerationEvent.objects.create(generation=made, seq=seq, kind=kind, payload=payload)

    made.status = GenerationStatus.RUNNING
    assert answer_of(made, made.branch).text == "Half of it"
