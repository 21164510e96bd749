"""The previous request, the prefix shared with it, and who or what caused the first difference."""

from datetime import timedelta

import pytest

from history.core.money.prefix import Spot
from history.core.plan.injected import TOOL_SCHEMAS
from history.core.plan.plan import Plan
from history.core.plan.verdict import Verdict
from history.core.transcript.messages import ToolCall
from history.core.words.facts import Rule, fact
from history.models import Message
from history.services.answers.delegating import hand_over
from history.services.explain.cost.previous import (
    CHOICE,
    OTHERS,
    TEMPLATE,
    TOOK_OVER,
    TRIM,
    common_with,
    request_before,
)
from history.services.explain.lookup import TurnRequest, shown_plan
from history.services.path.appending import append, assistant_message
from history.services.path.marks import mark
from history.services.path.reading import message_at
from history.services.whatif.asking import ask
from history.services.whatif.trying import Variant
from tests.factories import (
    actor_for,
    add_plan,
    add_turn,
    begin_turn,
    branch_of,
    end_turn,
    make_agent,
    make_conversation,
)
from tests.history.services.wire.test_figures import UNSENT

pytestmark = pytest.mark.django_db


def conversation_with(turns=3, **values):
    conversation = make_conversation(make_agent(history_settings=values))
    for number in range(turns):
        add_turn(conversation, f"Question {number}", f"Answer {number}")
    return conversation


def common_of(record):
    return common_with(record, Plan.from_dict(record.plan), request_before(record))


def change(conversation, **fields):
    for name, value in fields.items():
        setattr(conversation.agent, name, value)
    conversation.agent.save()
    conversation.refresh_from_db()


def tokens_of(conversation, *positions):
    path = Message.objects.filter(branch=branch_of(conversation), position__in=positions)
    return sum(path.values_list("tokens", flat=True))


def test_nothing_went_before_the_first_request():
    first = add_turn(conversation_with(turns=0))

    assert request_before(first) is None
    assert common_of(first) is None


def test_the_turn_before_went_before():
    record = add_turn(conversation_with(turns=2, policy="all"))

    common = common_of(record)

    assert (common.turn, common.step, common.cause, common.resent) == (2, 1, None, 0)
    assert common.shared == Plan.from_dict(request_before(record).plan).window.sent
    assert common.prefix.now.position == 3


def test_a_request_that_never_left_went_before_nothing():
    conversation = conversation_with(turns=1)
    generation = begin_turn(conversation)
    add_plan(generation, error=UNSENT)

    assert request_before(add_plan(generation, step=2)).generation.turn == 1


def test_an_earlier_step_went_before():
    generation = begin_turn(conversation_with())
    add_plan(generation)

    assert request_before(add_plan(generation, step=2)).step == 1


def test_a_discarded_answer_went_before():
    """Another answer to the same message gets a branch of its own."""
    conversation = conversation_with(turns=1)
    generation = begin_turn(conversation)
    thrown_away = add_plan(generation)
    end_turn(generation)
    add_turn(conversation)
    fork = conversation.branches.create(lineage=branch_of(conversation).fork_lineage(2))
    generation.pk, generation.branch = None, fork
    generation._state.adding = True
    generation.save(force_insert=True)

    again = add_plan(generation)

    assert request_before(again) == thrown_away
    assert common_of(again).prefix.now is None


def test_an_experiment_went_before_nothing_but_what_goes_on_from_it():
    conversation = conversation_with(turns=2)
    standing = shown_plan(conversation)
    asked = TurnRequest(standing.generation_id, standing.step)
    variant = Variant(settings={"policy": "all"})
    experiment = ask(actor_for(conversation), conversation.pk, asked, variant).generation
    tried = add_plan(experiment, usage={"prompt": 50, "completion": 5})
    end_turn(experiment)

    assert request_before(tried) == standing
    assert request_before(add_turn(conversation)) == standing

    conversation.refresh_from_db()
    conversation.branch = experiment.branch
    conversation.save()

    assert request_before(add_turn(conversation)) == tried


def test_a_window_that_slides_is_our_own_trim():
    conversation = conversation_with(policy="lastN", length=2)

    common = common_of(add_turn(conversation))

    assert common.prefix.first_difference == fact(Rule.WINDOW_MOVED, by="turn", was=2, now=3)
    assert (common.cause.name, common.cause.is_ours) == (TRIM, True)
    assert common.resent == tokens_of(conversation, 4)


def test_only_what_both_send_is_read_anew():
    """The window of three turns keeps two; the newest answer and question are new."""
    conversation = conversation_with(turns=5, policy="lastN", length=3)

    common = common_of(add_turn(conversation))

    assert common.resent == tokens_of(conversation, 6, 7, 8)


def test_an_exclusion_is_a_persons():
    conversation = conversation_with(policy="all")
    out = message_at(branch_of(conversation), 1)
    mark(actor_for(conversation), conversation.pk, out.pk, "exclusion")

    common = common_of(add_turn(conversation))

    assert common.prefix.first_difference == fact(Rule.MESSAGE_GONE, position=1)
    assert (common.cause.name, common.cause.is_ours) == (OTHERS[Verdict.EXCLUDED], False)
    assert common.resent == tokens_of(conversation, 2, 3, 4)


def test_a_message_that_is_sent_again_is_somebodys_choice():
    conversation = conversation_with(policy="lastN", length=1)
    change(conversation, history_settings={"policy": "all"})

    assert common_of(add_turn(conversation)).cause.name is CHOICE


def test_another_prompt_is_the_templates():
    conversation = conversation_with(policy="all")
    change(conversation, system_prompt="Be long.")

    common = common_of(add_turn(conversation))

    assert common.cause.name is TEMPLATE
    assert common.resent == tokens_of(conversation, 0, 1, 2, 3, 4)


def test_after_a_hand_over_it_is_the_other_agents():
    conversation = conversation_with(policy="all")
    make_agent("bob", system_prompt="Be long.", history_settings={"policy": "all"})
    generation = begin_turn(conversation)
    add_plan(generation)
    call = ToolCall("c1", "transfer_to_bob", "{}")
    append(generation.branch, [assistant_message("", [call])], generation)
    hand_over(generation, 1, call, "Demo handed over to Bob", "bob")

    common = common_of(add_plan(generation, step=2))

    assert common.cause.name is TOOK_OVER
    assert common.cause.is_ours is False


def test_no_model_reads_the_cache_of_another():
    conversation = conversation_with(policy="all")
    change(conversation, model="large/model")

    common = common_of(add_turn(conversation))

    assert (common.other_model, common.shared, common.resent) == ("demo/mirror", 0, 0)
    assert (common.cause, common.prefix.now) == (None, Spot(None, TOOL_SCHEMAS))
    assert common_of(add_turn(conversation)).other_model == ""


def test_a_pause_that_outlived_the_cache_is_told(monkeypatch):
    conversation = conversation_with()
    assert common_of(add_turn(conversation)).cold is False

    monkeypatch.setattr("history.services.path.appending.CACHE_LIFE", timedelta(0))

    assert common_of(add_turn(conversation)).cold is True


def test_the_queries_do_not_grow(django_assert_num_queries):
    record = add_turn(conversation_with(turns=20, policy="lastN", length=4))
    plan = Plan.from_dict(record.plan)

    with django_assert_num_queries(4):
        common_with(record, plan, request_before(record))
