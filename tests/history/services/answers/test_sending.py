"""Send, edit, retry and continue: their messages in the transcript, and their refusals."""

import uuid
from concurrent.futures import ThreadPoolExecutor

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from history.models import ACTIVE, Conversation, Generation, GenerationStatus, Message
from history.services.answers.editing import edit
from history.services.answers.sending import continue_, retry, send
from history.services.errors import Conflict, NotFound, Refused
from history.services.path.reading import newest_messages
from tests import data
from tests.history.services.conftest import ADA, BOB, answer, converse, reword, say
from tests.query_plans import query_plan

pytestmark = pytest.mark.django_db


def path(conversation):
    conversation.refresh_from_db()
    messages = newest_messages(conversation.branch, None, 100)
    return [(m.position, m.turn, m.role, m.text) for m in messages]


def test_the_first_message_makes_the_conversation(demo):
    ack = send(ADA, say("Plan a trip\nto Rome", agent="demo"))

    assert ack.conversation.title == "Plan a trip"
    assert ack.conversation.visitor == ADA.visitor
    assert ack.generation.status == GenerationStatus.QUEUED
    assert path(ack.conversation) == [(0, 1, "user", "Plan a trip\nto Rome")]


def test_the_same_id_again_gives_the_same_ack(demo):
    command = say("Hello", agent="demo")

    first, again = send(ADA, command), send(ADA, command)

    assert (first.is_new, again.is_new) == (True, False)
    assert again.generation == first.generation
    assert Message.objects.count() == 1


@pytest.mark.words
def test_the_same_id_with_another_text_is_refused(demo):
    ack = send(ADA, say("Hello", agent="demo"))
    answer(ack.generation, "Hi")

    with pytest.raises(Conflict, match="A different message"):
        send(
            ADA,
            say("Goodbye", id=ack.message.client_msg_id, conversation=ack.conversation.pk),
        )

    assert [text for *_, text in path(ack.conversation)] == ["Hello", "Hi"]


def test_the_same_id_from_somebody_else_is_theirs(demo):
    shared = uuid.uuid4()

    acks = [send(person, say("Hello", id=shared, agent="demo")) for person in (ADA, BOB)]

    assert [ack.is_new for ack in acks] == [True, True]
    assert acks[0].conversation != acks[1].conversation


@pytest.mark.words
def test_one_answer_at_a_time(demo):
    ack = send(ADA, say("Hello", agent="demo"))

    with pytest.raises(Conflict, match="still being written"):
        send(ADA, say("And?", conversation=ack.conversation.pk))


@pytest.mark.words
def test_a_page_that_missed_something_is_told(demo):
    ack = converse(ADA, "one", "two")

    with pytest.raises(Conflict, match="new messages from another tab"):
        send(ADA, say("three", conversation=ack.conversation.pk, head=1))

    assert send(ADA, say("three", conversation=ack.conversation.pk, head=3)).message.turn == 3


def test_somebody_elses_conversation_is_not_found(demo):
    ack = converse(ADA, "one")

    with pytest.raises(NotFound):
        send(BOB, say("two", conversation=ack.conversation.pk))
    with pytest.raises(NotFound):
        retry(BOB, ack.conversation.pk, ack.generation.pk, "")


@pytest.mark.parametrize(
    ("text", "code"),
    [
        pytest.param("", "invalid", id="empty"),
        pytest.param(" \n\t", "invalid", id="blank"),
        pytest.param("a\x00b", "invalid", id="NUL"),
        pytest.param("a\ud800b", "invalid", id="half a character"),
        pytest.param("é" * 600, "too_long", id="too long in bytes"),
    ],
)
def test_text_that_cannot_be_stored_is_refused(demo, settings, text, code):
    settings.MAX_MESSAGE_BYTES = 1_000

    with pytest.raises(Refused) as refusal:
        send(ADA, say(text, agent="demo"))

    assert refusal.value.code == code
    assert not Conversation.objects.exists()


def test_a_new_message_brings_an_archived_chat_back_and_a_retry_does_not(demo):
    ack = converse(ADA, "one")
    Conversation.objects.update(archived_at=timezone.now())

    answer(retry(ADA, ack.conversation.pk, ack.generation.pk, "").generation)
    assert Conversation.objects.get().archived_at is not None

    send(ADA, say("two", conversation=ack.conversation.pk))
    assert Conversation.objects.get().archived_at is None


def test_an_edit_leaves_the_path_before_the_message(demo):
    ack = converse(ADA, "one", "two", "three")
    second = Message.objects.get(text="two")

    edited = edit(ADA, reword(second.pk, "zwei", conversation=ack.conversation.pk))
    answer(edited.generation, "iewz")

    assert path(ack.conversation) == [
        (0, 1, "user", "one"),
        (1, 1, "assistant", "eno"),
        (2, 2, "user", "zwei"),
        (3, 2, "assistant", "iewz"),
    ]
    assert Message.objects.count() == 8


def test_an_edit_of_the_first_message_starts_over(demo):
    ack = converse(ADA, "one")
    first = Message.objects.get(text="one")

    edited = edit(ADA, reword(first.pk, "uno", conversation=ack.conversation.pk))

    assert edited.generation.branch.lineage == []
    assert path(ack.conversation) == [(0, 1, "user", "uno")]


def test_a_retry_answers_the_same_message_on_a_branch(demo):
    ack = converse(ADA, "one")

    again = retry(ADA, ack.conversation.pk, ack.generation.pk, "")
    answer(again.generation, "another answer")

    assert again.generation.turn == 1
    assert path(ack.conversation) == [
        (0, 1, "user", "one"),
        (1, 1, "assistant", "another answer"),
    ]


def test_many_retries_keep_the_lineage_short(demo):
    ack = converse(ADA, "one")

    for _ in range(5):
        again = retry(ADA, ack.conversation.pk, ack.generation.pk, "")
        answer(again.generation, "again")

    assert again.generation.branch.lineage == [[ack.generation.branch_id, 0]]


def test_a_retry_of_what_never_answered_stays_on_its_branch(demo):
    ack = send(ADA, say("one", agent="demo"))
    Generation.objects.update(status=GenerationStatus.FAILED)

    again = retry(ADA, ack.conversation.pk, ack.generation.pk, "")

    assert again.generation.branch == ack.generation.branch


def test_continue_goes_on_after_the_newest_answer(demo):
    ack = converse(ADA, "one")
    Generation.objects.update(status=GenerationStatus.STOPPED)

    more = continue_(ADA, ack.conversation.pk, ack.generation.pk, "")
    answer(more.generation, "and so on")

    assert more.generation.kind == Generation.Kind.CONTINUE
    assert [m[2:] for m in path(ack.conversation)] == [
        ("user", "one"),
        ("assistant", "eno"),
        ("assistant", "and so on"),
    ]


@pytest.mark.words
def test_only_the_newest_answer_is_continued(demo):
    first = converse(ADA, "one")
    second = send(ADA, say("two", conversation=first.conversation.pk))
    answer(second.generation, "owt")

    with pytest.raises(Conflict, match="latest answer"):
        continue_(ADA, first.conversation.pk, first.generation.pk, "")


def test_the_snapshot_keeps_the_settings_of_the_moment(demo):
    ack = send(ADA, say("one", agent="demo", query="historyPolicy=all"))
    demo.history_settings = {"policy": "none"}
    demo.save()

    policy = Generation.objects.get(pk=ack.generation.pk).snapshot["settings"]["policy"]

    assert policy["candidates"][0]["value"] == "all"
    assert policy["candidates"][0]["source"] == "URL historyPolicy"


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize(
    ("ids", "new", "same", "refused"),
    [
        pytest.param([uuid.uuid4()] * 8, 1, 7, 0, id="one id, eight times"),
        pytest.param([uuid.uuid4() for _ in range(8)], 1, 0, 7, id="eight ids"),
    ],
)
def test_sends_that_race_leave_one_message(demo, ids, new, same, refused):
    ack = converse(ADA, "one")

    def attempt(client_msg_id):
        try:
            return send(ADA, say("two", id=client_msg_id, conversation=ack.conversation.pk)).is_new
        except Conflict:
            return None
        finally:
            connection.close()

    with ThreadPoolExecutor(8) as threads:
        outcomes = list(threads.map(attempt, ids))

    assert [outcomes.count(kind) for kind in (True, False, None)] == [new, same, refused]
    assert Message.objects.filter(text="two").count() == 1
    assert Generation.objects.filter(status__in=ACTIVE).count() == 1


def test_sending_takes_few_queries(demo, django_assert_num_queries):
    """A send reads nothing twice."""
    ack = converse(ADA, "one", "two")

    with django_assert_num_queries(15):
        send(ADA, say("three", conversation=ack.conversation.pk, head=3))


@pytest.mark.skipif(bool(data.server()), reason="PostgreSQL chooses by statistics of many rows")
def test_sending_walks_no_answers(demo):
    ack = converse(ADA, "one", "two")
    with CaptureQueriesContext(connection) as queries:
        send(ADA, say("three", conversation=ack.conversation.pk, head=3))

    asked = [q["sql"] for q in queries if 'FROM "history_generation"' in q["sql"]]
    indexes = [step.split("INDEX ")[1] for sql in asked for step in query_plan(sql)]
    assert indexes == ["history_generation_status (conversation_id=? AND status=?)"]
