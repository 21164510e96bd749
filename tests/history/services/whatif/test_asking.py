"""An experiment asks the model on a branch of its own, keeps its variant, or is refused."""

import pytest
from django.contrib.auth.models import User

from agents.models import SiteDefaults
from agents.networks.models import Network
from history.core.settings.layers import environment_layer
from history.core.settings.resolved import Settings
from history.core.transcript.messages import ToolCall
from history.core.words.errors import SettingErrors
from history.models import Branch, Generation, GenerationStatus
from history.services.access import Actor
from history.services.answers.conversation import open_branch
from history.services.answers.delegating import hand_over
from history.services.answers.sending import retry, send
from history.services.errors import Conflict, NotFound, Refused
from history.services.explain.lookup import TurnRequest
from history.services.path.appending import append, assistant_message
from history.services.planning.planning import plan_input
from history.services.settings.layers import TriedSettings
from history.services.whatif.asking import ask
from history.services.whatif.experiments import experiment_of
from history.services.whatif.trying import Variant, recorded, varied
from tests.factories import (
    actor_for,
    add_plan,
    add_turn,
    begin_turn,
    end_turn,
    make_agent,
    make_conversation,
    store_step,
)
from tests.history.services.conftest import ADA, BOB, say

pytestmark = pytest.mark.django_db

EVERYTHING = Variant(settings={"policy": "all"})


@pytest.fixture
def conversation(db):
    """Make three turns; the newest request left out the two turns before it."""
    agent = make_agent(
        history_settings={"policy": "lastN", "length": 1},
        model="large/model",
        allowed_models=["small/model"],
    )
    conversation = make_conversation(agent, visitor=ADA.visitor)
    for number in (1, 2, 3):
        add_turn(conversation, f"Question {number}", f"Answer {number}")
    return conversation


def newest(conversation):
    return Generation.objects.filter(conversation=conversation).latest("created")


def asked(conversation, variant=EVERYTHING, actor=ADA, step=1, admit=None):
    named = TurnRequest(newest(conversation).pk, step)
    return ask(actor, conversation.pk, named, variant, *([admit] if admit else []))


def sent(generation):
    plan = store_step(generation).projection.plan
    return [position for run in plan.sent_positions() for position in run]


def test_the_turn_is_answered_on_a_branch_and_the_open_one_stays(conversation):
    opened = conversation.branch_id
    standing = newest(conversation)

    ack = asked(conversation)

    conversation.refresh_from_db()
    assert conversation.branch_id == opened
    assert ack.generation.branch_id != opened
    assert ack.generation.is_aside
    assert (ack.generation.turn, ack.generation.kind) == (standing.turn, "what_if")
    assert ack.generation.status == GenerationStatus.QUEUED
    assert ack.generation.branch.lineage == [[opened, 4]]


def test_once_its_branch_is_open_it_is_shown_there(conversation):
    generation = asked(conversation).generation
    Generation.objects.filter(pk=generation.pk).update(status=GenerationStatus.WAITING)

    open_branch(ADA, conversation.pk, generation.branch_id)

    assert not Generation.objects.get(pk=generation.pk).is_aside


def test_the_model_is_sent_what_the_settings_say(conversation):
    standing = newest(conversation)

    ack = asked(conversation)

    assert sent(ack.generation) == [0, 1, 2, 3, 4]
    assert standing.plans.get().core_plan.sent_positions is not None
    assert [list(run) for run in standing.plans.get().core_plan.sent_positions()] == [[4]]


def test_the_plan_says_that_a_what_if_set_it(conversation):
    generation = asked(conversation).generation
    winner = plan_input(generation).settings["policy"].winner

    assert (winner.layer, winner.source, winner.value) == ("what_if", "what if", "all")
    assert TriedSettings.of(generation.snapshot) == TriedSettings({"policy": "all"})


def test_the_chat_keeps_its_own_settings(conversation):
    asked(conversation, Variant(settings={"length": 3}, model="small/model"))

    conversation.refresh_from_db()
    assert (conversation.history_settings, conversation.model) == ({}, "")


def test_a_model_of_the_agents_list_can_be_asked(conversation):
    generation = asked(conversation, Variant(model="small/model")).generation
    agent = generation.snapshot["agent"]

    assert agent["model"] == "small/model"
    assert [note["rule"] for note in agent["notes"]] == ["model_tried"]


def test_the_model_of_then_is_asked_again_unless_another_is_tried(conversation):
    conversation.model = "small/model"
    conversation.save()

    generation = asked(conversation).generation

    assert generation.snapshot["agent"]["model"] == "large/model"
    assert TriedSettings.of(generation.snapshot).model == ""


def test_what_has_changed_since_is_tried_as_it_was(conversation):
    agent = conversation.agent
    agent.history_settings = {"policy": "lastN", "length": 9, "tool_results_keep": 4}
    agent.save()

    generation = asked(conversation, Variant(settings={"max_items": 30})).generation
    settings = Settings.from_dict(generation.snapshot["settings"])

    names = ("length", "tool_results_keep", "max_items")
    assert [settings.value(name) for name in names] == [1, 0, 30]


STEPS = {"policy": "lastN", "length": 2, "length_stride": 10}
TRIES = {
    "a length": {"length": 5},
    "one turn": {"length": 1},
    "a policy": {"policy": "all"},
    "a policy and a length": {"policy": "lastN", "length": 3},
    "most messages": {"max_items": 6},
    "a budget": {"token_budget": 4_000},
    "results": {"tool_results_keep": 2},
    "several": {"length": 4, "max_items": 8, "tool_results_keep": 1},
}
SINCE = {
    "nothing": {},
    "the chat's length": {"length": 5},
    "the chat's policy": {"policy": "none"},
}


@pytest.mark.parametrize("since", SINCE.values(), ids=SINCE)
@pytest.mark.parametrize("query", ["", "?historyLength=1", "?historyLength=5"])
@pytest.mark.parametrize("values", TRIES.values(), ids=TRIES)
def test_the_model_is_asked_with_the_settings_that_what_if_computes_with(values, query, since):
    agent = make_agent(history_settings=STEPS, model="large/model")
    conversation = make_conversation(agent, visitor=ADA.visitor)
    add_turn(conversation)
    record = add_turn(conversation, query=query)
    conversation.history_settings = since
    conversation.save()
    variant = Variant(settings=values)
    wanted = varied(recorded(record).turn, variant).settings

    experiment = experiment_of(ADA, record, variant)

    settings = experiment.first_request.settings
    assert {n: settings.value(n) for n in settings} == {n: wanted.value(n) for n in wanted}
    assert experiment.notes == ()


@pytest.mark.words
def test_what_has_changed_since_and_cannot_be_tried_as_it_was_is_said(conversation):
    SiteDefaults.objects.create(history_settings={"output_reserve": 900})
    conversation.history_settings = {"max_items": 9}
    conversation.save()
    record = newest(conversation).plans.get()

    experiment = experiment_of(ADA, record, Variant(settings={"length": 5}))

    assert experiment.notes == (
        "History window (items) has changed since: it is 9 now.",
        "Output reserve has changed since: it is 900 now.",
    )


@pytest.mark.words
@pytest.mark.parametrize(
    ("variant", "sentence"),
    [
        pytest.param(
            Variant(settings={"context_window": 9_000}),
            "Context window can't be set per chat.",
            id="an administrator's setting",
        ),
        pytest.param(
            Variant(model="other/model"), "Demo may not use other/model, only", id="another model"
        ),
        pytest.param(Variant(), "Change a setting first.", id="nothing"),
    ],
)
def test_what_a_chat_may_not_set_is_refused(conversation, variant, sentence):
    with pytest.raises(Refused, match=sentence):
        asked(conversation, variant)

    assert Generation.objects.count() == 3
    assert Branch.objects.count() == 1


@pytest.mark.words
def test_what_the_environment_locks_is_refused_with_the_usual_words(conversation, settings):
    settings.HISTORY_ENVIRONMENT = environment_layer({"DEFAULT_HISTORY_LENGTH": "2"})

    with pytest.raises(Refused, match=r"History length stays 2: set by the server\."):
        asked(conversation, Variant(settings={"length": 30}))


@pytest.mark.words
def test_a_value_beyond_the_cap_is_refused(conversation, settings):
    settings.HISTORY_CAPS = settings.HISTORY_CAPS.__class__(length=5)

    with pytest.raises(Refused, match="History length is 5: the server allows no more"):
        asked(conversation, Variant(settings={"length": 30}))


@pytest.mark.words
def test_where_nobody_may_override_nothing_can_be_asked(conversation, settings):
    settings.HISTORY_URL_OVERRIDES = "staff"

    with pytest.raises(Refused, match="only administrators may change"):
        asked(conversation)


@pytest.mark.parametrize("wrong", [{"length": "x"}, {"length": 10**9}, {"lenght": 3}])
def test_a_bad_value_names_itself(conversation, wrong):
    with pytest.raises(SettingErrors) as error:
        asked(conversation, Variant(settings=wrong))

    assert list(error.value.by_setting) == list(wrong)


def test_somebody_elses_turn_does_not_exist(conversation):
    staff = Actor(User.objects.create_superuser("boss"))

    for actor in (BOB, staff):
        with pytest.raises(NotFound):
            asked(conversation, actor=actor)


@pytest.mark.words
def test_one_answer_at_a_time(conversation):
    asked(conversation)

    with pytest.raises(Conflict, match="being asked under other settings"):
        asked(conversation)
    with pytest.raises(Conflict, match="being asked under other settings"):
        send(ADA, say("And?", conversation=conversation.pk))


@pytest.mark.words
def test_nothing_is_asked_while_an_answer_is_written(conversation):
    named = TurnRequest(newest(conversation).pk, 1)
    begin_turn(conversation, "Question 4")

    with pytest.raises(Conflict, match="still being written"):
        ask(ADA, conversation.pk, named, EVERYTHING)


def test_limits_hold_and_nothing_is_left(conversation):
    def refuse(size):
        raise Refused("too_many", "No more today.")

    with pytest.raises(Refused, match="No more today"):
        asked(conversation, admit=refuse)

    assert Branch.objects.count() == 1


@pytest.mark.words
def test_a_model_without_a_key_is_refused_before_anything_is_stored(conversation, catalogue):
    needs = {"LARGE_API_KEY": "LARGE_API_KEY, which is not set", "": "a key. Save it"}
    for variable, needed in needs.items():
        catalogue.key_missing = {"large/model": variable}.get
        with pytest.raises(Refused, match=f"large/model needs {needed}"):
            asked(conversation)


def test_an_older_turn_is_asked_with_what_came_before_it(conversation):
    second = Generation.objects.get(conversation=conversation, turn=2)

    ack = ask(ADA, conversation.pk, TurnRequest(second.pk, 1), EVERYTHING)

    assert sent(ack.generation) == [0, 1, 2]


def test_in_a_network_every_agent_of_the_turn_is_tried_with_it(db):
    ada, _ = make_agent("ada"), make_agent("bob", history_settings={"length": 3})
    trio = Network.objects.create(slug="trio", name="Trio", entry="ada", members=["ada", "bob"])
    conversation = make_conversation(ada, network=trio, visitor=ADA.visitor)
    generation = begin_turn(conversation)
    add_plan(generation)
    hand_to_bob(generation)
    add_plan(generation, 2)
    end_turn(generation)

    made = asked(conversation, Variant(settings={"max_items": 9}), step=2).generation
    hand_to_bob(made)

    agents = [part.agent.slug for part in made.parts]
    settings = [part.settings for part in made.parts]
    assert agents == ["ada", "bob"]
    assert [each.value("max_items") for each in settings] == [9, 9]
    assert [each.value("length") for each in settings] == [20, 3]


def hand_to_bob(generation):
    call = ToolCall("c1", "transfer_to_bob", "{}")
    Generation.objects.filter(pk=generation.pk).update(status=GenerationStatus.RUNNING)
    append(generation.branch, [assistant_message("", [call], "ada")], generation)
    hand_over(generation, 1, call, "Ada handed over to Bob", "bob")


@pytest.mark.words
def test_a_delegated_chat_is_read_only(conversation):
    asking = newest(conversation)
    conversation.asked_by = asking
    conversation.save()

    with pytest.raises(Conflict, match="read-only"):
        asked(conversation)


@pytest.mark.words
def test_what_answers_no_message_cannot_be_repeated(conversation):
    generation = newest(conversation)
    begun = Generation.objects.create(
        conversation=conversation,
        branch=generation.branch,
        turn=0,
        snapshot=generation.snapshot,
        status=GenerationStatus.DONE,
    )
    plan = generation.plans.get()
    plan.pk, plan.generation, plan._state.adding = None, begun, True
    plan.save()

    with pytest.raises(Conflict, match="answers no message"):
        ask(ADA, conversation.pk, TurnRequest(begun.pk, 1), EVERYTHING)


def test_an_agent_that_is_no_longer_offered_still_answers_as_for_a_retry(conversation):
    type(conversation.agent).objects.update(enabled=False)

    assert asked(conversation).generation.status == GenerationStatus.QUEUED


def test_a_later_retry_is_no_experiment(conversation):
    generation = asked(conversation).generation
    Generation.objects.filter(pk=generation.pk).update(status=GenerationStatus.DONE)

    again = retry(ADA, conversation.pk, generation.pk, "").generation

    assert "tried" not in again.snapshot
    assert Settings.from_dict(again.snapshot["settings"]).value("policy") == "lastN"
    assert actor_for(conversation) == ADA
