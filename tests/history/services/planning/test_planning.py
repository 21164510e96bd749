"""What is read of a long transcript, what is stored of a plan, and that the two agree."""

import re

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from hypothesis import HealthCheck, given
from hypothesis import settings as hypothesis_settings
from hypothesis import strategies as st

from agents.models import AgentTemplate
from history.core.draft.budget import DoesNotFit
from history.core.plan.injected import CONTINUE_INSTRUCTION
from history.core.plan.neutral_request import canonical, request_hash
from history.core.plan.plan import Plan
from history.core.projection.invariants import check
from history.core.projection.project import project
from history.core.projection.request import ProjectionRequest
from history.core.settings.layers import Layer
from history.core.settings.resolution import resolve
from history.core.settings.spec import LayerName
from history.core.summaries.checkpoints import Checkpoint
from history.core.transcript.messages import Message as CoreMessage
from history.core.transcript.messages import Role
from history.models import ContextPlan, Generation, Message
from history.services.answers.sending import continue_, send
from history.services.path import transcripts
from history.services.path.appending import (
    NewMessage,
    append,
    assistant_message,
    head_of,
    user_message,
)
from history.services.path.marks import NO_MARKS, Marks
from history.services.path.reading import on_path
from history.services.path.transcripts import Path, project_path
from tests import data
from tests.factories import make_conversation, store_step
from tests.history.services.conftest import ADA, answer, converse, say
from tests.query_plans import query_plan

pytestmark = pytest.mark.django_db


def planned(generation, step=1):
    return store_step(Generation.objects.get(pk=generation.pk), step)


def sent(step):
    return [(m["role"], m["content"]) for m in step.parts.messages]


def test_a_plan_is_stored_with_the_request_it_describes(demo):
    ack = converse(ADA, "one", "two")
    third = send(ADA, say("three", conversation=ack.conversation.pk, query="historyLength=2"))

    step = planned(third.generation)

    stored = ContextPlan.objects.get()
    assert sent(step) == [
        ("system", "Be kind."),
        ("user", "two"),
        ("assistant", "owt"),
        ("user", "three"),
    ]
    assert stored.request_hash == request_hash(vars(step.parts))
    assert stored.core_plan == step.record.core_plan == Plan.from_dict(step.record.plan)
    assert step.record.core_plan is step.projection.plan
    assert stored.head == 4


def test_a_prompt_is_stored_once(demo):
    ack = converse(ADA, "one")
    for text in ("two", "three"):
        more = send(ADA, say(text, conversation=ack.conversation.pk))
        planned(more.generation)
        answer(more.generation, "fine")

    prompts = {plan.texts["system_prompt"] for plan in ContextPlan.objects.all()}

    assert len(prompts) == 1


def test_continue_is_asked_for_at_the_end(demo):
    ack = converse(ADA, "one")
    Generation.objects.update(status="stopped")
    more = continue_(ADA, ack.conversation.pk, ack.generation.pk, "")

    assert sent(planned(more.generation))[-2:] == [
        ("assistant", "eno"),
        ("user", CONTINUE_INSTRUCTION),
    ]


@pytest.mark.parametrize("turns", [3, 400], ids=["short", "long"])
def test_a_plan_takes_the_same_few_queries_however_long(demo, django_assert_num_queries, turns):
    conversation = make_conversation(demo, visitor=ADA.visitor)
    drafts = [user_message("question"), assistant_message("answer")]
    append(conversation.branch, drafts * turns)
    ack = send(ADA, say("now", conversation=conversation.pk, query="historyLength=2"))
    generation = Generation.objects.select_related("branch").get(pk=ack.generation.pk)
    store_step(generation)

    with django_assert_num_queries(7):
        store_step(generation, 2)


def test_only_what_may_be_sent_is_read(demo):
    conversation = make_conversation(demo, visitor=ADA.visitor)
    append(conversation.branch, [user_message("question"), assistant_message("answer")] * 100)

    transcript, _ = project_path(*read(conversation.branch, {"policy": "lastN", "length": 3}))

    assert sum(isinstance(item, CoreMessage) for item in transcript) == 6
    assert [item.count for item in transcript if not isinstance(item, CoreMessage)] == [194]


@pytest.mark.skipif(bool(data.server()), reason="PostgreSQL chooses by statistics of many rows")
def test_the_tail_is_found_by_its_index(demo):
    """SQLite would rather walk the branch, which takes longer in longer conversations."""
    conversation = make_conversation(demo, visitor=ADA.visitor)
    append(conversation.branch, [user_message("question"), assistant_message("answer")] * 100)
    with CaptureQueriesContext(connection) as queries:
        project_path(*read(conversation.branch, {"policy": "lastN", "length": 3}))

    tail = next(query["sql"] for query in queries if '"turn" >=' in query["sql"])
    with connection.cursor() as cursor:
        cursor.execute(f"EXPLAIN QUERY PLAN {tail}")
        steps = [row[3] for row in cursor.fetchall()]

    assert [step.split("INDEX ")[1].split(" ")[0] for step in steps] == ["history_message_turn"]


def test_no_query_of_a_plan_walks_the_transcript(demo):
    """Even with summaries, a pin and a budget, each query searches an index by equality, or for
    what is before or after a place.
    """
    if connection.vendor != "sqlite":
        pytest.skip("its query plans are another text")
    conversation = make_conversation(demo, visitor=ADA.visitor)
    append(conversation.branch, [user_message("question"), assistant_message("answer")] * 100)
    rows = list(Message.objects.order_by("position"))
    marks = Marks(pins=frozenset({4}))
    points = [
        Checkpoint(1, 0, 19, 1, 10, "It was said.", 20, 200),
        Checkpoint(2, 20, 59, 11, 30, "More was said.", 20, 400),
    ]
    values = {"policy": "all", "context_window": 900, "output_reserve": 400}

    path, request = read(conversation.branch, values, marks, points)
    with CaptureQueriesContext(connection) as queries:
        project_path(path, request)

    found = [detail for query in queries for detail in query_plan(query["sql"])]
    assert rows[-1].position == 199
    assert [detail for detail in found if detail.startswith("SCAN")] == []
    assert {detail.partition("INDEX ")[2] for detail in found} == {
        "history_message_turn (branch_id=? AND turn>?)",
        "history_message_system (branch_id=? AND position<?)",
        "history_message_segment (branch_id=? AND segment=?)",
        "sqlite_autoindex_history_message_1 (branch_id=? AND position=?)",
    }


def settings_of(values):
    return resolve([Layer(LayerName.TEMPLATE, "template", values)])


def read(branch, values, marks=NO_MARKS, points=()):
    """Return a path, and the request for its projection."""
    head = head_of(branch)
    path = Path(branch, head.turn if head else 0, marks, tuple(points))
    request = ProjectionRequest(
        settings=settings_of(values),
        pins=marks.pins,
        exclusions=marks.exclusions,
        checkpoints=path.checkpoints,
    )
    return path, request


roles = st.lists(
    st.sampled_from([Role.USER, Role.ASSISTANT, Role.SYSTEM, Role.TOOL]), min_size=1, max_size=40
)


options = st.fixed_dictionaries(
    {
        "policy": st.sampled_from(["none", "lastN", "all"]),
        "length": st.integers(0, 5),
        "preserve_system_messages": st.booleans(),
        "context_window": st.integers(512, 4_000),
        "output_reserve": st.just(400),
        "min_history_turns": st.integers(0, 3),
        "pruner": st.sampled_from(["fifo", "sliding_window"]),
        "length_stride": st.integers(1, 3),
        "tool_results_keep": st.integers(0, 2),
        "results_stride": st.integers(1, 3),
        "token_stride": st.sampled_from([1, 50]),
    },
    optional={"max_items": st.integers(2, 6), "token_budget": st.integers(410, 2_000)},
)


@hypothesis_settings(
    max_examples=100, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(
    roles=roles,
    values=options,
    forks=st.lists(st.integers(0, 20), max_size=3),
    pins=st.frozensets(st.integers(0, 24), max_size=2),
    exclusions=st.frozensets(st.integers(0, 24), max_size=2),
    covered=st.integers(0, 12),
    page=st.sampled_from([1, 5, 20]),
)
def test_reading_a_part_gives_the_plan_of_reading_everything(
    db, monkeypatch, roles, values, forks, pins, exclusions, covered, page
):
    branch = branch_with(roles, forks)
    rows = list(Message.objects.filter(on_path(branch)).order_by("position"))
    marks = Marks(heads(rows, pins), heads(rows, exclusions - pins))
    monkeypatch.setattr(transcripts, "PAGE", page)
    path, request = read(branch, values, marks, checkpoints_over(rows, covered))

    try:
        whole = project(tuple(row.as_core() for row in rows), request)
    except DoesNotFit as refusal:
        with pytest.raises(DoesNotFit, match=re.escape(str(refusal))):
            project_path(path, request)
        return
    transcript, part = project_path(path, request)

    check(transcript, part)
    assert canonical(part.plan.as_dict()) == canonical(whole.plan.as_dict())
    assert part.messages == whole.messages


def heads(rows, positions):
    """Return the segments of these positions, by which marks name them."""
    return frozenset(row.segment for row in rows if row.position in positions)


def checkpoints_over(rows, covered):
    """Return a summary of whole turns before the newest, if there are any."""
    turn = min(covered, rows[-1].turn - 1)
    run = [row for row in rows if row.turn <= turn]
    if covered == 0 or not run:
        return []
    tokens = sum(row.tokens for row in run)
    return [Checkpoint(1, 0, run[-1].position, run[0].turn, turn, "It was said.", 20, tokens)]


def branch_with(roles, forks):
    agent, _ = AgentTemplate.objects.get_or_create(slug="demo", defaults={"name": "Demo"})
    conversation = make_conversation(agent)
    drafts = [NewMessage(role, f"text {n}", tokens=20 * (n + 1)) for n, role in enumerate(roles)]
    branch = conversation.branch
    append(branch, drafts)
    for through in forks:
        head = head_of(branch)
        within = min(through, head.position if head else -1)
        branch = conversation.branches.create(lineage=branch.fork_lineage(within))
        append(branch, drafts[:2])
    return branch
