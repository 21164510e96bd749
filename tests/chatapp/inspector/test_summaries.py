"""The panel shows the state of summaries, how short each one is, and why there is none."""

from datetime import UTC, datetime, timedelta

import pytest
from django.test import Client

from history.models import Checkpoint, CheckpointState, Conversation
from history.services.access import Actor
from history.services.summaries.actions import undo
from tests.factories import add_turn, branch_of, make_agent, make_conversation
from tests.people import text_of

pytestmark = pytest.mark.django_db


@pytest.fixture
def owner(client):
    session = client.session
    session["visitor"] = "ada"
    session.save()
    return client


def conversation_with(**values):
    conversation = make_conversation(make_agent(history_settings=values), visitor="ada")
    add_turn(conversation)
    add_turn(conversation)
    return conversation


def add(conversation, **fields):
    places = {"first": 0, "last": 1, "first_turn": 1, "last_turn": 1}
    figures = {"tokens": 30, "source_tokens": 1_200, "summary": "They met."}
    return Checkpoint.objects.create(
        conversation=conversation,
        branch=branch_of(conversation),
        **{**places, **figures, "state": CheckpointState.READY, **fields},
    )


@pytest.fixture(autouse=True)
def summary_of_another_chat(db):
    """Make a summary first, so that a key is no number in any other chat."""
    add(make_conversation(make_agent("other"), visitor="bob"))


def panel(owner, conversation):
    html = owner.get(f"/chat/{conversation.pk}/panel").content.decode()
    _, _, section = html.partition('aria-label="Summaries">')
    said = text_of(section.partition("</section>")[0]).removeprefix("Summaries ")
    return said.replace("sent in place of older messages", "").replace("  ", " ").strip()


@pytest.mark.parametrize(
    ("values", "says"),
    [
        pytest.param({}, "Summaries are off", id="disabled"),
        pytest.param(
            {"summarize": True}, "None yet: the first is written after 100 messages", id="on"
        ),
        pytest.param(
            {"summarize": True, "policy": "none"},
            "None, because History policy none sends no summaries",
            id="never sent",
        ),
    ],
)
def test_the_panel_says_why_there_is_no_summary(owner, values, says):
    assert panel(owner, conversation_with(**values)) == says


UNDO = "Undo last summary The original messages are sent again."
REDUCED = "Messages 1\N{EN DASH}2: 1,200 tokens reduced to 30"


def test_the_panel_lists_summaries_with_how_far_they_reduce(owner):
    conversation = conversation_with(summarize=True)
    add(conversation)
    add_turn(conversation)

    assert panel(owner, conversation) == (
        f"1 in use {UNDO} All summaries, newest first summary 1 in use {REDUCED}"
    )


def test_one_that_was_made_afterwards_is_in_the_next_request(owner):
    """This happens after `/compact`, and if a message is sent while a summary is being made."""
    conversation = conversation_with(summarize=True)
    add(conversation)

    assert panel(owner, conversation) == (
        f"0 in this request, 1 starting with the next message {UNDO} All summaries, newest first "
        f"summary 1 starting with the next message {REDUCED}"
    )


def test_one_that_was_taken_back_since_was_in_this_request(owner):
    conversation = conversation_with(summarize=True)
    row = add(conversation)
    add_turn(conversation)
    Checkpoint.objects.filter(pk=row.pk).update(state=CheckpointState.UNDONE)

    assert panel(owner, conversation).startswith(
        "1 in this request; the next message is sent without summaries All summaries, newest first "
        "summary 1 in this request, undone"
    )


def test_only_its_owner_may_undo_a_summary(owner, admin_user):
    conversation = conversation_with(summarize=True)
    add(conversation)
    staff = Client()
    staff.force_login(admin_user)

    assert UNDO in panel(owner, conversation)
    shown = panel(staff, conversation)
    assert "summary 1" in shown
    assert UNDO not in shown


def test_a_delegated_chat_only_shows_its_summary(owner):
    conversation = conversation_with(summarize=True)
    add(conversation)
    asking = add_turn(make_conversation(conversation.agent, visitor="ada")).generation
    Conversation.objects.filter(pk=conversation.pk).update(asked_by=asking)

    assert UNDO not in panel(owner, conversation)


def test_a_failure_comes_first_with_its_reason(owner):
    conversation = conversation_with(summarize=True)
    add(conversation)
    reason = {"state": CheckpointState.FAILED, "reason": "the model answered with nothing"}
    add(conversation, first=2, last=3, **reason)

    assert panel(owner, conversation).startswith(
        "No summary: the model answered with nothing. It will be retried after 10 more messages."
    )


@pytest.mark.parametrize(
    ("fields", "says"),
    [
        ({"state": CheckpointState.PENDING}, "being written Messages 1\N{EN DASH}2"),
        ({"state": CheckpointState.UNDONE}, "undone Messages 1\N{EN DASH}2"),
        ({"excluded": [1]}, "not used here Messages 1\N{EN DASH}2"),
    ],
    ids=["pending", "undone", "other exclusions"],
)
def test_one_that_is_not_sent_says_why(owner, fields, says):
    conversation = conversation_with(summarize=True)
    add(conversation, **fields)

    assert f"summary 1 {says}" in panel(owner, conversation)


def test_a_part_of_a_fold_names_it(owner):
    conversation = conversation_with(summarize=True)
    part = add(conversation, state=CheckpointState.FOLDED)
    fold = add(conversation)
    Checkpoint.objects.filter(pk=part.pk).update(folded_into=fold)

    assert "summary 1 merged into summary 2" in panel(owner, conversation)


LONG_AGO = datetime(2024, 3, 7, 12, tzinfo=UTC)


def asked_long_ago(summary):
    Checkpoint.objects.filter(pk=summary.pk).update(created=LONG_AGO)


def reasons(owner, conversation):
    html = owner.get(f"/chat/{conversation.pk}/panel").content.decode()
    _, _, rest = html.partition('class="drawn-by">')
    said = text_of(rest.partition("</p>")[0])
    return said.replace(" .", ".").strip()


@pytest.mark.words
@pytest.mark.parametrize(
    ("values", "is_by_hand", "why"),
    [
        pytest.param({}, True, "Summarised by hand (/compact), 7 March 2024.", id="only by hand"),
        pytest.param(
            {"summarize": True},
            True,
            "Summarised by hand (/compact), 7 March 2024.",
            id="by hand although it happens by itself too",
        ),
        pytest.param(
            {"summarize": True},
            False,
            "Summarise: on. Set by the agent Demo (demo v1).",
            id="by itself",
        ),
        pytest.param(
            {"pruner": "summarize"},
            False,
            "Pruner: summarize. Set by the agent Demo (demo v1).",
            id="pruner",
        ),
        pytest.param({}, False, "", id="by itself, before it was turned off"),
    ],
)
def test_the_reason_for_a_summary_is_who_asked_for_it(owner, values, is_by_hand, why):
    conversation = conversation_with(**values)
    asked_long_ago(add(conversation, manual=is_by_hand))
    add_turn(conversation)

    assert reasons(owner, conversation) == why


@pytest.mark.words
def test_an_undo_changes_no_time_in_the_record_of_a_turn(owner):
    conversation = conversation_with()
    summary = add(conversation, manual=True)
    asked_long_ago(summary)
    add_turn(conversation)

    undo(Actor(None, "ada"), conversation.pk, summary.pk)
    Checkpoint.objects.filter(pk=summary.pk).update(ended=LONG_AGO + timedelta(days=1))

    said = "Summarised by hand (/compact), 7 March 2024. Undone since, 8 March 2024."
    assert reasons(owner, conversation) == said


def test_one_that_is_made_of_those_by_hand_is_by_hand_too(owner):
    conversation = conversation_with()
    whole = add(conversation, ended=LONG_AGO)
    add(conversation, manual=True, state=CheckpointState.FOLDED, folded_into=whole)
    add_turn(conversation)

    assert reasons(owner, conversation).startswith("Summarised by hand (/compact), ")
