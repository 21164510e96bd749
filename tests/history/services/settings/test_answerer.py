"""Each branch has its own answering agent."""

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from agents.models import AgentTemplate, SiteDefaults
from agents.networks.models import Network
from history.core.transcript.messages import ToolCall
from history.core.words.facts import Rule, note
from history.models import Branch, Generation, GenerationStatus
from history.services.answers.delegating import hand_over
from history.services.path.appending import append, assistant_message, result_message, user_message
from history.services.planning.planning import plan_input_at
from history.services.settings.answerer import answerer_on, answering, template_of
from tests.factories import (
    add_plan,
    add_turns,
    begin_turn,
    branch_of,
    make_agent,
    make_conversation,
)

pytestmark = pytest.mark.django_db
CALL = ToolCall("c1", "transfer_to_bob", "{}")


@pytest.fixture
def conversation():
    """Make a conversation in which Ada answers first, and may hand over to Bob."""
    ada, bob = make_agent("ada"), make_agent("bob", history_settings={"policy": "none"})
    bob.context = [{"name": "who", "text": "You are {agent}."}]
    bob.save()
    trio = Network.objects.create(slug="trio", name="Trio", entry="ada", members=["ada", "bob"])
    return make_conversation(ada, network=trio)


def handed_over(conversation):
    """Begin a turn in which Ada hands over in the first step; return its generation."""
    generation = begin_turn(conversation)
    add_plan(generation)
    append(generation.branch, [assistant_message("", [CALL], "ada")], generation)
    hand_over(generation, 1, CALL, "Ada handed over to Bob", "bob")
    return generation


def test_the_agent_that_it_began_with_answers_first(conversation):
    assert answering(conversation).slug == "ada"


def test_after_a_hand_over_the_other_answers(conversation):
    handed_over(conversation)

    assert answering(conversation).slug == "bob"


def test_a_branch_that_leaves_the_path_before_it_has_the_first_again(conversation):
    append(branch_of(conversation), [user_message("Hi"), assistant_message("Hello", agent="ada")])
    handed_over(conversation)
    lineage = branch_of(conversation).fork_lineage(1)
    fork = Branch.objects.create(conversation=conversation, lineage=lineage)

    assert answerer_on(conversation, fork).template.slug == "ada"
    assert answerer_on(conversation, conversation.branch).template.slug == "bob"


def test_a_member_no_more_gives_the_answer_back_and_the_next_plan_says_so(conversation):
    handed_over(conversation)
    conversation.network.members = ["ada"]
    conversation.network.save()

    answerer = answerer_on(conversation, conversation.branch)

    assert answerer.template.slug == "ada"
    assert answerer.note == note(Rule.ANSWERER_GONE, network="Trio", slug="bob", agent="Ada")


def test_an_agent_alone_costs_no_query(django_assert_num_queries):
    conversation = make_conversation()

    with django_assert_num_queries(0):
        assert answering(conversation).slug == "demo"


def test_each_step_has_the_agent_of_its_time(conversation):
    generation = handed_over(conversation)

    first, second = plan_input_at(generation, 1), plan_input_at(generation, 2)
    assert [turn.agent.slug for turn in (first, second)] == ["ada", "bob"]
    assert [turn.settings.value("policy") for turn in (first, second)] == ["lastN", "none"]
    assert [turn.settings["policy"].winner.source for turn in (first, second)] == [
        "built-in",
        "agent bob v2",
    ]
    assert second.context.texts[0].label == "context who"


def test_a_plan_names_the_template_that_it_was_made_with(conversation):
    generation = handed_over(conversation)
    first, second = generation.plans.get(), add_plan(generation, 2)

    assert [template_of(record).slug for record in (first, second)] == ["ada", "bob"]


def test_an_agent_that_is_gone_takes_nothing_over(conversation):
    AgentTemplate.objects.get(slug="bob").delete()

    generation = handed_over(conversation)

    result = generation.messages.get(role="tool")
    assert (result.failed, result.agent) == (True, "")
    assert result.text == "Error: not handed over: the agent bob no longer exists."
    assert generation.snapshot_at().agent.slug == "ada"


def test_a_hand_over_whose_acknowledgement_was_lost_is_not_made_twice(conversation):
    generation = handed_over(conversation)
    as_before = Generation.objects.get(pk=generation.pk)
    as_before.snapshot.pop("handed_over")
    hand_over(as_before, 1, CALL, "Ada handed over to Bob", "bob")

    assert generation.messages.filter(role="tool").count() == 1
    assert len(as_before.snapshot["handed_over"]) == 1
    assert Generation.objects.get(pk=generation.pk).snapshot == as_before.snapshot


def test_a_plan_after_a_hand_over_costs_the_same_however_long_the_talk(conversation):
    counts = []
    for turns in (1, 300):
        add_turns(conversation, turns)
        generation = handed_over(conversation)
        add_plan(generation, 2)  # Writes the new agent's texts.
        add_plan(generation, 3)  # Caches a stored text.
        with CaptureQueriesContext(connection) as queries:
            add_plan(generation, 4)
        counts.append(len(queries))
        Generation.objects.filter(pk=generation.pk).update(status=GenerationStatus.DONE)

    assert counts[0] == counts[1]


def test_every_level_takes_out_its_own_in_the_plan_of_who_took_over(conversation):
    """Site, network and agent each have a processor; each row of the plan names its level."""
    calls = {"debug_tool": "history", "report": "network", "wait": "agent"}
    SiteDefaults.objects.create(processors=[_without("debug_tool")])
    Network.objects.update(processors=[_without("report")])
    AgentTemplate.objects.filter(slug="bob").update(
        processors=[_without("wait")], history_settings={"policy": "all"}
    )
    drafts = [user_message("Go")]
    for name in calls:
        call = ToolCall(name, name, "{}")
        drafts += [assistant_message("", [call], "ada"), result_message(call, "done", failed=False)]
    append(branch_of(conversation), drafts)
    conversation.network.refresh_from_db()

    generation = handed_over(conversation)
    plans = [generation.plans.get().plan, add_plan(generation, 2).plan]

    assert [_filtered(plan) for plan in plans] == [
        [("history", 2), ("network", 2)],
        [("history", 2), ("network", 2), ("agent", 2)],
    ]


def _without(tool):
    return {"use": "tool_call_filter", "exclude": [tool]}


def _filtered(plan):
    return [(e["level"], e["count"]) for e in plan["entries"] if e["verdict"] == "F"]
