"""The timeline shows how long each phase of an answer took, computed from stored data."""

from datetime import timedelta

import pytest

from history.core.transcript.messages import ToolCall
from history.models import CallStage, Generation, Message, RequestOutcome
from history.services.answers.approval_log import ask, begin
from history.services.explain.cost.spending import steps_of
from history.services.explain.timeline import duration, timeline_of
from history.services.path.appending import append, assistant_message, result_message
from tests.factories import add_plan, begin_turn, branch_of, make_agent, make_conversation

DASH = "\N{EM DASH}"
BEGIN, PLAN, FIRST = "waiting to begin", "choosing what to send", "waiting for the first word"
WRITE, SAVE = "writing the answer", "saving the answer"
REST = "in between: preparing and storing"


@pytest.mark.words
@pytest.mark.parametrize(
    ("milliseconds", "words"),
    [
        (0, "under 1 ms"),
        (6.4, "6 ms"),
        (640, "640 ms"),
        (3_140, "3.1 s"),
        (125_000, "2 min 5 s"),
    ],
)
def test_a_duration_in_words(milliseconds, words):
    assert duration(milliseconds) == words


def generation_of(**fields):
    generation = begin_turn(make_conversation(make_agent()))
    times = {
        "started": generation.created + timedelta(milliseconds=20),
        "ended": generation.created + timedelta(seconds=60),
        "status": "done",
    }
    Generation.objects.filter(pk=generation.pk).update(**{**times, **fields})
    generation.refresh_from_db()
    return generation


def phases(generation):
    """Return each phase's name, words and note, group by group."""
    timeline = timeline_of(generation, steps_of(generation))
    return [(p.name, p.words, p.note) for _, group in timeline.groups for p in group]


def named(generation):
    return {name: (words, note) for name, words, note in phases(generation)}


@pytest.mark.django_db
class TestPhases:
    @pytest.mark.words
    def test_queue_plan_first_token_decode_and_save(self):
        generation = generation_of()
        record = add_plan(generation, first_token_ms=640.0, total_ms=3_740.0)
        # On a busy machine time passed before the plan was made: let it begin just then.
        started = record.created - timedelta(milliseconds=record.milliseconds)
        created = started - timedelta(milliseconds=20)
        Generation.objects.filter(pk=generation.pk).update(created=created, started=started)
        generation.refresh_from_db()

        found = named(generation)

        assert list(found) == [BEGIN, PLAN, FIRST, WRITE, SAVE]
        assert found[BEGIN] == ("20 ms", "")
        assert found[PLAN] == (duration(record.milliseconds), "")
        assert found[FIRST] == ("640 ms", "")
        assert found[WRITE] == ("3.1 s", "")
        assert found[SAVE][0].endswith(" s")

    def test_each_phase_begins_where_the_one_before_it_ends(self):
        generation = generation_of()
        add_plan(generation, first_token_ms=640.0, total_ms=3_740.0)

        groups = timeline_of(generation, steps_of(generation)).groups
        plan, first, decode = groups[1][1]

        assert first.start == pytest.approx(plan.end)
        assert decode.start == pytest.approx(first.end)

    def test_the_phases_add_up_to_the_whole(self):
        generation = generation_of(started=None)
        generation.created -= timedelta(seconds=9)
        add_plan(generation, first_token_ms=1.0, total_ms=2.0)

        timeline = timeline_of(generation, steps_of(generation))
        found = {p.name: p.length or 0 for _, group in timeline.groups for p in group}

        assert found[REST] > 1_000
        assert sum(found.values()) == pytest.approx(timeline.length, abs=10)

    @pytest.mark.words
    def test_what_is_not_there_yet_is_a_dash(self):
        generation = generation_of(started=None, ended=None, status="queued")
        add_plan(generation)

        found = named(generation)

        assert found[BEGIN] == (DASH, "")
        assert found[FIRST] == (DASH, "no outcome is stored")
        assert found[SAVE] == (DASH, "")

    @pytest.mark.words
    def test_a_refused_request_has_a_time_but_no_token(self):
        generation = generation_of(status="failed")
        add_plan(generation, total_ms=310.0, attempts=3)

        assert named(generation)["waiting for the model"] == (
            "310 ms",
            "no tokens received, 3 attempts",
        )

    @pytest.mark.words
    def test_an_interrupted_answer_was_ended_by_another_hand(self):
        generation = generation_of(status="interrupted")
        add_plan(generation, total_ms=310.0)

        assert named(generation)[SAVE] == (DASH, "")

    @pytest.mark.words
    def test_tools_stand_behind_the_step_that_called_them(self):
        generation = generation_of()
        add_plan(generation, first_token_ms=1.0, total_ms=2.0)
        call_tools(generation)
        add_plan(generation, step=2, first_token_ms=1.0, total_ms=2.0)

        found = phases(generation)

        names = [name for name, _, _ in found if name != REST]
        assert names == [
            *(BEGIN, PLAN, FIRST, WRITE, "tool search", "tool fetch"),
            *(PLAN, FIRST, WRITE, SAVE),
        ]
        tools = {name: note for name, _, note in found if name.startswith("tool ")}
        assert tools == {"tool search": "failed", "tool fetch": "no result is stored"}

    def test_calls_belong_to_the_step_that_was_answered(self):
        """The first request was refused as too long, so a second one was planned."""
        generation = generation_of()
        add_plan(generation, total_ms=2.0)
        add_plan(generation, step=2, first_token_ms=1.0, total_ms=2.0)
        call_tools(generation)

        groups = timeline_of(generation, steps_of(generation)).groups

        counts = [sum(phase.kind == "tool" for phase in group) for _, group in groups]
        assert counts == [0, 0, 2, 0]

    @pytest.mark.words
    def test_a_tool_that_was_not_measured_takes_from_its_call_to_its_result(self):
        generation = generation_of()
        add_plan(generation, first_token_ms=1.0, total_ms=2.0)
        asked, result = call_tools(generation)
        took = (result.created - asked.created).total_seconds() * 1_000

        groups = timeline_of(generation, steps_of(generation)).groups
        (tool,) = [p for _, group in groups for p in group if p.name == "tool search"]

        assert tool.length == pytest.approx(took)

    def test_tools_that_ran_at_once_each_have_their_own_time(self):
        """Both results were stored at the same moment."""
        generation = generation_of()
        add_plan(generation, first_token_ms=1.0, total_ms=2.0)
        calls = [ToolCall("c1", "search", "{}"), ToolCall("c2", "fetch", "{}")]
        results = [
            result_message(call, "found", failed=False, took_ms=took)
            for call, took in zip(calls, (40, 2_000), strict=True)
        ]
        branch = branch_of(generation.conversation)
        append(branch, [assistant_message("", calls), *results], generation)

        groups = timeline_of(generation, steps_of(generation)).groups
        search, fetch = [p for _, group in groups for p in group if p.kind == "tool"]

        assert (search.words, fetch.words) == ("40 ms", "2.0 s")
        assert search.start == fetch.start

    @pytest.mark.words
    def test_a_persons_time_is_not_the_tools(self):
        """One call was approved and run, one was refused, one was passed over, and one waits."""
        generation = generation_of(ended=None, status="waiting")
        add_plan(generation, first_token_ms=1.0, total_ms=2.0)
        calls = [ToolCall(id_, "send", "{}") for id_ in ("a", "b", "c", "d")]
        append(branch_of(generation.conversation), [assistant_message("", calls)], generation)
        ask(generation, calls)
        for call, kind in (("a", "approved"), ("b", "refused"), ("c", "withdrawn")):
            CallStage(generation=generation, call_id=call, kind=kind, person="ada").save()
        begin(generation, calls[0])

        found = [
            (p[0], p[2])
            for p in phases(generation)
            if p[0].endswith(" of send") or p[0] == "tool send"
        ]

        assert found == [
            ("approval of send", "approved"),
            ("tool send", "no result is stored"),
            ("approval of send", "refused"),
            ("approval of send", "not decided"),
            ("approval of send", "not decided yet"),
        ]


def call_tools(generation):
    """Store two calls: the first one's result is an error, and the second one has no result."""
    calls = [ToolCall("c1", "search", "{}"), ToolCall("c2", "fetch", "{}")]
    append(branch_of(generation.conversation), [assistant_message("", calls)], generation)
    result = result_message(calls[0], "Error: no", failed=True)
    append(branch_of(generation.conversation), [result], generation)
    return list(Message.objects.filter(generation=generation).order_by("position"))


@pytest.mark.django_db
def test_two_queries_whatever_the_steps(django_assert_num_queries):
    generation = generation_of()
    for step in range(1, 4):
        add_plan(generation, step=step, total_ms=1.0)
    assert RequestOutcome.objects.count() == 3

    with django_assert_num_queries(2):
        timeline_of(generation, steps_of(generation))
