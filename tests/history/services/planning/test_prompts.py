"""An edited prompt does not change what the model has read, if the prefix is stable."""

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from agents.models import AgentTemplate
from agents.snapshot import snapshot
from history.core.money.prefix import shared_prefix
from history.core.plan.injected import CONTINUE_INSTRUCTION
from history.core.projection.opening import TEXT
from history.core.projection.prompts import prompts_of
from history.core.transcript.messages import ToolCall
from history.core.words.facts import Rule
from history.models import ContextPlan, Conversation, Message, MessageMark, StoredText
from history.services.answers.sending import continue_, send
from history.services.explain.map.rows import InjectedRow, map_rows
from history.services.explain.prompts import may_read_prompt, private_texts
from history.services.explain.raw.request import rebuilt
from history.services.path.appending import append, assistant_message, result_message
from history.services.planning.projecting import project_turn
from history.services.planning.prompts import last_request, prompts_then
from history.services.whatif.trying import Variant, present, recorded, varied
from tests import data
from tests.factories import make_agent, store_step
from tests.history.services.conftest import ADA, answer, say
from tests.history.services.explain.raw.test_request import as_planned

pytestmark = pytest.mark.django_db
STABLE = {"policy": "all", "prefix": "stable"}
WHY = "Sent where turn 2 begins, because it replaced the system prompt then: 7 tokens"
LATER = "system prompt from turn 2"


@pytest.fixture(autouse=True)
def takes_new_prompts(catalogue):
    catalogue.takes_new_prompts = lambda _model: True


@pytest.fixture
def chat(demo):
    set_up(**STABLE)
    return Chat()


def set_up(prompt="Be kind.", **settings):
    AgentTemplate.objects.update(system_prompt=prompt, history_settings=settings or STABLE)


class Chat:
    """A chat whose every question is planned, stored and answered."""

    pk = None

    def ask(self, text, step=1):
        where = {"conversation": self.pk} if self.pk else {"agent": "demo"}
        ack = send(ADA, say(text, **where))
        self.pk = ack.conversation.pk
        planned = store_step(ack.generation, step)
        answer(ack.generation, text[::-1])
        self.newest = ack.generation
        return planned

    def going_on(self, steps=1):
        """Continue the newest answer, and return the planned requests."""
        self.newest = continue_(ADA, self.pk, self.newest.pk, "").generation
        return [store_step(self.newest, step + 1) for step in range(steps)]

    def go_on(self, text):
        (planned,) = self.going_on()
        answer(self.newest, text)
        return planned


def contents(planned):
    return [message["content"] for message in planned.parts.messages]


def mark_first(chat, kind):
    first = Message.objects.get(position=0)
    MessageMark.objects.create(conversation_id=chat.pk, message=first, kind=kind)


def test_the_new_prompt_follows_what_was_read_and_stays_there(chat):
    first = chat.ask("one")
    set_up("Be brief.")

    second, third = chat.ask("two"), chat.ask("three")

    assert contents(second) == ["Be kind.", "one", "eno", "Be brief.", "two"]
    assert contents(third) == [*contents(second), "owt", "three"]
    before, after = first.projection.plan, second.projection.plan
    prefix = shared_prefix(before, after)
    assert (prefix.first_difference, prefix.tokens) == (None, before.window.counted)


def test_both_prompts_are_stored_and_the_request_can_be_rebuilt(chat):
    chat.ask("one")
    set_up("Be brief.")
    record = chat.ask("two").record

    stored = {name: StoredText.objects.get(pk=pk).text for name, pk in record.texts.items()}
    assert stored == {"system_prompt": "Be kind.", LATER: "Be brief."}
    assert sorted(private_texts(record)) == ["Be brief.", "Be kind."]
    assert [text.text for text in prompts_then(record)] == ["Be kind.", "Be brief."]
    AgentTemplate.objects.update(system_prompt="Later.")
    assert rebuilt(ContextPlan.objects.get(pk=record.pk), as_planned).matches


def test_the_map_says_why_it_stands_there(chat):
    chat.ask("one")
    set_up("Be brief.")
    record = chat.ask("two").record

    rows = [r for r in map_rows(record, record.core_plan) if isinstance(r, InjectedRow)]
    assert rows[-1].label == LATER
    assert rows[-1].reason == WHY


def test_the_steps_of_an_answer_agree(chat):
    chat.ask("one")
    set_up("Be brief.")
    where = send(ADA, say("two", conversation=chat.pk))

    first, second = store_step(where.generation, 1), store_step(where.generation, 2)

    assert contents(first) == contents(second) == ["Be kind.", "one", "eno", "Be brief.", "two"]


def test_what_changes_between_the_steps_of_an_answer_does_not_move_the_prompts(chat):
    chat.ask("one")
    set_up("Be brief.")
    generation = send(ADA, say("two", conversation=chat.pk)).generation
    store_step(generation)
    call = ToolCall("c1", "calculator", "{}")
    called, result = assistant_message("", (call,)), result_message(call, "4")
    append(generation.branch, [called, result], generation)
    mark_first(chat, MessageMark.Kind.EXCLUSION)

    second = store_step(generation, 2)

    assert contents(second) == ["Be kind.", TEXT, "eno", "Be brief.", "two", None, "4"]


def test_a_step_without_an_answer_before_it_keeps_the_prompts_of_the_first(chat):
    """The first one was refused as too long, after the window's start had moved."""
    chat.ask("one")
    set_up("Be brief.", policy="lastN", length=1, prefix="stable")
    generation = send(ADA, say("two", conversation=chat.pk)).generation

    steps = [store_step(generation), store_step(generation, 2, percent=75)]

    assert [contents(step) for step in steps] == [["Be brief.", "two"]] * 2


def test_an_agent_keeps_its_prompts_when_another_has_answered_in_between(chat):
    chat.ask("one")
    set_up("Be brief.")
    generation = send(ADA, say("two", conversation=chat.pk)).generation
    own, other = generation.snapshot, snapshot(make_agent("other", system_prompt="Be loud."))
    StoredText.objects.create(pk=other.system_prompt, text="Be loud.")
    parts = [{**own, "agent": other.as_dict(), "step": 2}, {**own, "step": 3}]
    generation.snapshot = {**own, "handed_over": parts}

    first, second, third = (store_step(generation, step) for step in (1, 2, 3))

    assert contents(second)[0] == "Be loud."
    assert contents(first) == contents(third) == ["Be kind.", "one", "eno", "Be brief.", "two"]


CONTINUED = ["Be kind.", "one", "eno", "Be brief.", CONTINUE_INSTRUCTION]


def test_a_continued_answer_gets_the_new_prompt_behind_what_it_has_said(chat):
    first = chat.ask("one")
    set_up("Be brief.")

    more, second = chat.go_on("more"), chat.ask("two")

    assert contents(more) == CONTINUED
    assert contents(second) == ["Be kind.", "one", "eno", "more", "Be brief.", "two"]
    before, after = first.projection.plan, more.projection.plan
    prefix = shared_prefix(before, after)
    assert (prefix.first_difference, prefix.tokens) == (None, before.window.counted)
    record = ContextPlan.objects.get(pk=more.record.pk)
    assert rebuilt(record, as_planned).matches


def test_the_steps_of_a_continued_answer_agree(chat):
    chat.ask("one")
    set_up("Be brief.")

    assert [contents(planned) for planned in chat.going_on(steps=2)] == [CONTINUED, CONTINUED]


def test_a_prompt_edited_once_more_replaces_the_one_that_stood_there(chat):
    chat.ask("one")
    set_up("Be brief.")
    chat.go_on("more")
    set_up("Be quick.")

    more, second = chat.go_on("again"), chat.ask("two")

    said = ["Be kind.", "one", "eno", "more"]
    assert contents(more) == [*said, "Be quick.", CONTINUE_INSTRUCTION]
    assert contents(second) == [*said, "again", "Be quick.", "two"]
    for planned in (more, second):
        assert rebuilt(ContextPlan.objects.get(pk=planned.record.pk), as_planned).matches


def test_a_model_that_takes_none_later_continues_under_its_first_prompt(chat, catalogue):
    catalogue.takes_new_prompts = lambda _model: False
    chat.ask("one")
    set_up("Be brief.")

    assert contents(chat.go_on("more")) == ["Be kind.", "one", "eno", CONTINUE_INSTRUCTION]


@pytest.mark.parametrize(
    ("chosen", "expected"),
    [
        ({"policy": "all", "prefix": "free"}, ["Be brief.", "one", "eno", "two"]),
        ({"policy": "lastN", "length": 1, "prefix": "stable"}, ["Be brief.", "two"]),
    ],
    ids=["free", "the window moved"],
)
def test_otherwise_the_present_prompt_comes_first(chat, chosen, expected):
    chat.ask("one")
    set_up("Be brief.", **chosen)

    assert contents(chat.ask("two")) == expected


def test_after_a_cut_only_the_newest_prompt_is_left(chat):
    chat.ask("one")
    set_up("Be brief.")
    chat.ask("two")
    set_up("Be brief.", policy="lastN", length=2, prefix="stable")

    third = chat.ask("three")

    assert contents(third) == ["Be brief.", "two", "owt", "three"]
    assert third.projection.plan.new_prompts == ()


def test_a_model_that_takes_none_later_gets_it_after_the_next_cut(chat, catalogue):
    catalogue.takes_new_prompts = lambda _model: False
    chat.ask("one")
    set_up("Be brief.")

    second = chat.ask("two")

    assert contents(second) == ["Be kind.", "one", "eno", "two"]
    assert Rule.PROMPT_WAITS in {note.fact.rule for note in second.projection.plan.notes}
    assert second.record.texts["system_prompt"] != second.turn.agent.system_prompt
    set_up("Be brief.", policy="lastN", length=2, prefix="stable")
    assert contents(chat.ask("three")) == ["Be brief.", "two", "owt", "three"]


def test_an_answer_of_another_agent_is_no_reason_to_keep_its_prompt(chat):
    chat.ask("one")
    other = AgentTemplate.objects.create(
        slug="other", name="Other", system_prompt="Be quick.", history_settings=STABLE
    )
    ack = send(ADA, say("two", conversation=chat.pk))
    ack.conversation.agent = other
    ack.conversation.save()
    answer(ack.generation, "owt")

    assert contents(chat.ask("three"))[0] == "Be quick."


def test_another_model_gets_the_present_prompt_alone(chat, catalogue):
    chat.ask("one")
    set_up("Be brief.")
    chat.ask("two")
    AgentTemplate.objects.update(model="small/model")
    catalogue.takes_new_prompts = lambda model: model != "small/model"

    assert contents(chat.ask("three")) == ["Be brief.", "one", "eno", "two", "owt", "three"]


def test_a_private_prompt_is_not_repeated_once_the_prompt_is_public(chat):
    AgentTemplate.objects.update(prompt_is_public=False)
    chat.ask("one")
    set_up("Be brief.")
    AgentTemplate.objects.update(prompt_is_public=True)

    record = chat.ask("two").record

    assert may_read_prompt(ADA, record)
    assert list(private_texts(record)) == ["Be brief."]


def test_a_pin_in_the_window_changes_nothing_that_was_read(chat):
    chat.ask("one")
    set_up("Be brief.")
    second = chat.ask("two")
    mark_first(chat, MessageMark.Kind.PIN)

    assert contents(chat.ask("three")) == [*contents(second), "owt", "three"]


def test_a_request_is_rebuilt_as_it_was_sent_whatever_the_catalogue_says_later(chat, catalogue):
    chat.ask("one")
    set_up("Be brief.")
    record = chat.ask("two").record

    catalogue.takes_new_prompts = lambda _model: False

    assert rebuilt(ContextPlan.objects.get(pk=record.pk), as_planned).matches


def test_the_upcoming_request_has_a_prompt_edited_since(chat):
    chat.ask("one")
    set_up("Be brief.")
    chat.ask("two")
    set_up("Be quick.")

    turn = present(Conversation.objects.get()).turn
    upcoming = project_turn(turn)[2].messages

    third = chat.ask("three")
    assert [m["content"] for m in upcoming] == contents(third)[:-1]
    assert contents(third)[-2:] == ["Be quick.", "three"]


@pytest.mark.skipif(bool(data.server()), reason="PostgreSQL chooses by statistics of many rows")
def test_the_request_before_is_found_without_reading_the_branch(chat):
    branch = chat.ask("one").turn.branch
    agent = snapshot(AgentTemplate.objects.get())
    with CaptureQueriesContext(connection) as queries:
        last_request(branch, 2, agent)

    found = next(q["sql"] for q in queries if 'FROM "history_message"' in q["sql"])
    with connection.cursor() as cursor:
        cursor.execute(f"EXPLAIN QUERY PLAN {found}")
        steps = [row[3] for row in cursor.fetchall()]
    assert "USE TEMP B-TREE FOR ORDER BY" not in steps


def test_a_what_if_shows_what_would_be_sent(chat):
    chat.ask("one")
    set_up("Be brief.")
    record = chat.ask("two").record

    then = recorded(ContextPlan.objects.get(pk=record.pk)).turn
    free = varied(then, Variant(settings={"prefix": "free"}))
    cut = varied(then, Variant(settings={"policy": "lastN", "length": 1}))

    labels = [
        [text.label for text in prompts_of(project_turn(turn)[1].injected)]
        for turn in (then, free, cut, present(record.generation.conversation).turn)
    ]
    one, both = ["system prompt"], ["system prompt", LATER]
    assert labels == [both, one, one, both]
