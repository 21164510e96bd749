"""What an agent's template injects into each turn: its place, and how it is stored."""

from dataclasses import replace

import pytest
from django.contrib.auth.models import User

from agents.context import NOTHING, gathering, parts
from agents.models import AgentTemplate
from chatapp.llm.media import llm_request
from history.core.plan.plan import Plan, digest
from history.core.plan.verdict import Verdict
from history.core.words.facts import Rule
from history.models import ContextPlan, Generation, StoredText
from history.services.access import Actor
from history.services.answers.sending import send
from history.services.explain.raw.request import rebuilt
from history.services.planning.context_texts import context_of
from history.services.planning.planning import plan_input, plan_step, store_plan
from history.services.planning.projecting import project_turn
from tests.history.services.conftest import ADA, answer, converse, say

pytestmark = pytest.mark.django_db

WHO = {"name": "who", "text": "{person} asks {agent} in turn {turn}."}


@pytest.fixture
def providers(monkeypatch):
    own = {}
    for module in (parts, gathering):
        monkeypatch.setattr(module, "PROVIDERS", own)
    return own


@pytest.fixture
def counted(providers):
    """Register a provider that says how often it was asked; return the turns that asked it."""
    asked = []

    def count(facts):
        asked.append(facts.turn)
        return f"Asked {len(asked)} times."

    providers["count"] = count
    return asked


def give(*context):
    """Give the only template these context texts."""
    agent = AgentTemplate.objects.get()
    agent.context = list(context)
    agent.save()


def planned(generation, step=1):
    step = plan_step(Generation.objects.get(pk=generation.pk), step)
    store_plan(step, llm_request(step.parts).body())
    return step


def sent(step):
    return [(m["role"], m["content"]) for m in step.parts.messages]


def notes(step):
    """Return which texts were left out, and by which rule."""
    facts = [note.fact for note in step.projection.plan.notes]
    return [(fact.rule, fact.figures["label"]) for fact in facts if "label" in fact.figures]


def framed(name, text):
    return f'<context name="{name}" from="the application, not the user">\n{text}\n</context>'


def injected(plan):
    return [
        (entry.label, *(why.figures["place"] for why in entry.reasons))
        for entry in plan.entries
        if entry.verdict is Verdict.INJECTED and entry.label.startswith("context ")
    ]


def test_texts_stand_ahead_of_everything_or_just_before_the_turn(demo):
    give(WHO, {"name": "rules", "text": "Be exact.", "place": "start"})
    ack = converse(ADA, "one")
    second = send(ADA, say("two", conversation=ack.conversation.pk))

    step = planned(second.generation)

    assert sent(step) == [
        ("system", "Be kind."),
        ("user", framed("rules", "Be exact.")),
        ("user", "one"),
        ("assistant", "eno"),
        ("user", framed("who", "a visitor asks Demo in turn 2.")),
        ("user", "two"),
    ]
    assert injected(step.projection.plan) == [
        ("context rules", "start"),
        ("context who", "turn"),
    ]


def test_a_person_who_signed_in_is_named(demo, providers):
    seen = []
    providers["profile"] = lambda facts: seen.append(facts) or facts.person
    give({"use": "profile"})
    ada = User.objects.create_user("ada", first_name="Ada", last_name="Lovelace")

    ack = send(Actor(ada), say("one", agent="demo"))

    assert sent(planned(ack.generation))[1] == ("user", framed("profile", "Ada Lovelace"))
    ((facts),) = seen
    assert (facts.user, facts.conversation, facts.turn) == (ada.pk, ack.conversation.pk, 1)


def test_each_text_is_stored_for_its_conversation_as_it_was_sent(demo):
    give(WHO)
    record = planned(send(ADA, say("one", agent="demo")).generation).record

    stored = StoredText.objects.get(pk=record.texts["context who"])
    entry = next(e for e in Plan.from_dict(record.plan).entries if e.label == "context who")
    assert stored.text == framed("who", "a visitor asks Demo in turn 1.")
    assert stored.conversation_id == record.generation.conversation_id
    assert digest(stored.text) == entry.digest
    assert Plan.from_dict(record.plan).window.injected == entry.sent_tokens


def test_every_step_of_a_generation_has_the_same_texts(demo, counted):
    give({"use": "count"})
    generation = send(ADA, say("one", agent="demo")).generation

    first = planned(generation)
    answer(generation, "so far")
    second = planned(generation, 2)

    assert sent(second)[: len(sent(first))] == sent(first)
    assert second.record.texts["context count"] == first.record.texts["context count"]
    assert counted == [1]


def test_every_generation_makes_them_anew(demo, counted):
    give({"use": "count"})
    ack = send(ADA, say("one", agent="demo"))
    planned(ack.generation)
    answer(ack.generation, "eno")

    second = planned(send(ADA, say("two", conversation=ack.conversation.pk)).generation)

    assert ("user", framed("count", "Asked 2 times.")) in sent(second)
    assert counted == [1, 2]


def test_a_later_plan_of_a_past_request_uses_the_stored_text(demo, counted):
    give({"use": "count"})
    generation = send(ADA, say("one", agent="demo")).generation
    first = planned(generation)

    _, again, _ = project_turn(plan_input(Generation.objects.get(pk=generation.pk)))

    assert again.injected == first.projection.injected
    assert rebuilt(first.record, lambda parts: llm_request(parts).body()).matches
    assert counted == [1]


def test_the_next_request_is_tried_with_a_text_of_now(demo, counted):
    give({"use": "count"})
    turn = plan_input(send(ADA, say("one", agent="demo")).generation)

    _, projection, _ = project_turn(replace(turn, context=None))

    assert projection.injected[-1].text == framed("count", "Asked 2 times.")


def test_a_provider_that_fails_costs_its_text_and_is_noted_in_every_step(demo, providers):
    providers["notes"] = lambda facts: 1 / 0
    give({"use": "notes"}, WHO)
    generation = send(ADA, say("one", agent="demo")).generation

    first = planned(generation)
    providers["notes"] = lambda facts: "better"
    answer(generation, "so far")
    second = planned(generation, 2)

    assert notes(first) == [(Rule.CONTEXT_LEFT_OUT, "context notes")]
    assert notes(second) == [(Rule.CONTEXT_LEFT_OUT_BEFORE, "context notes")]
    assert [label for label, _ in injected(second.projection.plan)] == ["context who"]


def test_a_provider_with_nothing_to_say_is_neither_sent_nor_noted(demo, providers):
    providers["notes"] = lambda facts: ""
    give({"use": "notes"})
    generation = send(ADA, say("one", agent="demo")).generation

    steps = [planned(generation, step) for step in (1, 2)]

    assert [sent(step) for step in steps] == [[("system", "Be kind."), ("user", "one")]] * 2
    assert [notes(step) for step in steps] == [[], []]


def test_what_no_database_holds_is_made_visible(demo, providers):
    providers["notes"] = lambda facts: "a\x00b\ud800"
    give({"use": "notes"})

    step = planned(send(ADA, say("one", agent="demo")).generation)

    assert sent(step)[1] == ("user", framed("notes", "a\ufffdb\ufffd"))


def test_no_budget_takes_it_out(demo):
    give(WHO)
    demo.refresh_from_db()
    demo.history_settings = {"policy": "all", "token_budget": 256, "min_history_turns": 0}
    demo.save()
    ack = converse(ADA, "long " * 300, "more " * 300)

    step = planned(send(ADA, say("three", conversation=ack.conversation.pk)).generation)

    assert [text for _, text in sent(step)] == [
        "Be kind.",
        framed("who", "a visitor asks Demo in turn 3."),
        "three",
    ]


def test_a_mark_stands_before_it(demo):
    """Claude's cache then holds exactly what the next turn sends again."""
    give(WHO)
    AgentTemplate.objects.update(model="anthropic/claude-sonnet-4-5")
    AgentTemplate.objects.update(history_settings={"policy": "all"})
    ack = converse(ADA, "one")

    planned(send(ADA, say("two", conversation=ack.conversation.pk)).generation)

    generation = ContextPlan.objects.get().generation
    body = llm_request(project_turn(plan_input(generation))[2]).body()
    assert body["cache_control_injection_points"] == [
        {"location": "message", "index": 0},
        {"location": "message", "index": 2},
    ]


def test_an_agent_without_context_asks_the_database_nothing(demo, django_assert_num_queries):
    generation = send(ADA, say("one", agent="demo")).generation

    with django_assert_num_queries(0):
        assert context_of(generation) == NOTHING
