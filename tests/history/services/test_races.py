"""Two threads that do conflicting things at the same moment never both succeed."""

from concurrent.futures import ThreadPoolExecutor
from threading import Barrier

import pytest
from django.contrib.auth.models import User
from django.db import connection, transaction
from django.test import Client

from history.models import ACTIVE, Branch, Conversation, Generation, GenerationStatus, Message
from history.services.access import Actor, access_conversation
from history.services.answers import lifecycle as stored
from history.services.answers.deleting import delete_conversations
from history.services.answers.editing import edit
from history.services.answers.lifecycle import Event, Fenced
from history.services.answers.sending import retry, send
from history.services.answers.so_far import Reply
from history.services.errors import Conflict
from history.services.path.appending import assistant_message
from history.services.settings.layers import save_settings
from tests import data
from tests.factories import make_conversation
from tests.history.services.conftest import ADA, converse, log_events, reword, say
from tests.patience import PATIENCE

pytestmark = pytest.mark.django_db(transaction=True)
TRIES = 6


def at_once(*acts):
    """Run the functions at the same moment; return each one's result, or the class of its error."""
    start = Barrier(len(acts))

    def outcome(act):
        try:
            start.wait(timeout=PATIENCE)
            return act()
        except (Conflict, Fenced) as refusal:
            return type(refusal)
        finally:
            connection.close()

    with ThreadPoolExecutor(len(acts)) as threads:
        return list(threads.map(outcome, acts))


def test_a_first_message_sent_twice_begins_one_conversation(demo):
    command = say("Hello", agent="demo")

    acks = at_once(*[lambda: send(ADA, command)] * TRIES)

    assert sorted(ack.is_new for ack in acks) == [False] * (TRIES - 1) + [True]
    assert len({ack.generation.pk for ack in acks}) == 1
    assert Message.objects.count() == Conversation.objects.count() == 1


def test_a_message_an_edit_and_a_retry_leave_one_answer(demo):
    ack = converse(ADA, "one")
    where, first = ack.conversation.pk, Message.objects.get(text="one").pk

    outcomes = at_once(
        lambda: send(ADA, say("two", conversation=where)),
        lambda: edit(ADA, reword(first, "uno", conversation=where)),
        lambda: retry(ADA, where, ack.generation.pk, ""),
        lambda: edit(ADA, reword(first, "eins", conversation=where)),
    )

    assert outcomes.count(Conflict) == 3
    assert Generation.objects.filter(status__in=ACTIVE).count() == 1


def test_one_gets_a_generation_and_one_ends_it(demo):
    generation = send(ADA, say("one", agent="demo")).generation

    def own():
        return Generation.objects.get(pk=generation.pk)

    assert sorted(at_once(*[lambda: stored.claim(own(), "me")] * TRIES)) == [False] * 5 + [True]
    end = [lambda: stored.end(own(), GenerationStatus.DONE, Reply("done"))] * TRIES
    assert sorted(at_once(*end)) == [False] * (TRIES - 1) + [True]
    assert Message.objects.filter(role="assistant").count() == 1


def test_a_conversation_that_is_deleted_leaves_nothing_of_its_answer(demo):
    for number in range(3):
        generation = send(ADA, say(f"one {number}", agent="demo")).generation
        stored.claim(generation, "me")
        log_events(generation, [Event(1, "plan", {"step": 1})])

        outcomes = at_once(
            lambda g=generation: delete_conversations([g.conversation_id]),
            lambda g=generation: log_events(g, [Event(2, "delta", {"text": "a"})]),
            lambda g=generation: stored.store_messages(g, [assistant_message("late")]) and None,
        )

        assert set(outcomes) <= {None, Fenced}
        assert outcomes[0] is None
    assert not Conversation.objects.exists()
    assert not Message.objects.exists()


def test_settings_that_programs_and_pages_save_at_once_are_all_kept(demo):
    """Each writer changes another setting, so no change may be lost."""
    ada = User.objects.create_user("ada")
    conversation = make_conversation(demo, ada)
    wanted = {"policy": "all", "length": 5, "max_items": 40, "tool_results_keep": 3}

    def of_program(name):
        client = Client()
        client.force_login(ada)
        body = {"history_settings": {name: wanted[name]}}
        path = f"/api/conversations/{conversation.pk}"
        return lambda: client.patch(path, body, content_type="application/json").status_code

    def of_page(name):
        return lambda: save_settings(Actor(ada), conversation.pk, {name: wanted[name]}) and 200

    for _ in range(TRIES):
        Conversation.objects.update(history_settings={})
        programs = [of_program("policy"), of_program("length")]
        outcomes = at_once(*programs, of_page("max_items"), of_page("tool_results_keep"))
        conversation.refresh_from_db()

        assert outcomes == [200] * 4
        assert conversation.history_settings == wanted


@pytest.mark.skipif(not data.server(), reason="SQLite has one writer at a time")
def test_whoever_waited_for_a_conversation_sees_the_branch_it_has_now(demo):
    pk = converse(ADA, "one").conversation.pk

    def branch_once_held():
        with transaction.atomic():
            return access_conversation(ADA, pk, hold=True).branch

    with ThreadPoolExecutor(1) as threads:
        with transaction.atomic():
            conversation = access_conversation(ADA, pk, hold=True)
            conversation.branch = Branch.objects.create(conversation=conversation)
            conversation.save()
            waiting = threads.submit(branch_once_held)
            while not somebody_waits():
                assert not waiting.done()
        found = waiting.result()
        threads.submit(connection.close)

    assert found == conversation.branch


def somebody_waits():
    with connection.cursor() as cursor:
        cursor.execute("SELECT count(*) FROM pg_locks WHERE NOT granted")
        return cursor.fetchone() != (0,)
