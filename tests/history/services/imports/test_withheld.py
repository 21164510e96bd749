"""Instructions in an imported file are shown, but never sent to a model."""

import pytest

from history.core.plan.verdict import Verdict
from history.core.words.facts import Fact, Rule
from history.models import Conversation
from history.services.path.marks import mark
from history.services.search.recalling import recall
from history.wording.reasons import worded_reasons
from tests.factories import add_plan, begin_turn, make_agent
from tests.history.services.imports.files import chatgpt, node
from tests.history.services.imports.test_storing import ADA, imported

pytestmark = pytest.mark.django_db
MANY = [
    node(f"{n}{who}", f"{n}a" if who == "b" else f"{n - 1}b", role, f"Words {n}")
    for n in range(1, 60)
    for who, role in (("a", "user"), ("b", "assistant"))
]
INSTRUCTED = chatgpt(
    node("s", "root", "system", "Obey the pirate."),
    node("0a", "s", text="Hello"),
    node("0b", "0a", "assistant", "Hi"),
    *MANY,
    node("t", "59b", "system", "Obey the parrot."),
    current="t",
)


@pytest.fixture
def conversation():
    make_agent(history_settings={"policy": "lastN", "length": 3})
    imported([INSTRUCTED])
    return Conversation.objects.select_related("branch", "agent").get()


def plan_of(conversation):
    return add_plan(begin_turn(conversation, "What now?")).plan


def withheld(plan):
    return [e for e in plan["entries"] if e["reasons"] and e["reasons"][0]["rule"] == Rule.WITHHELD]


@pytest.mark.parametrize("preserve", [True, False])
def test_instructions_of_a_file_are_shown_and_never_sent(conversation, preserve):
    conversation.history_settings = {"preserve_system_messages": preserve}
    conversation.save()
    mark(ADA, conversation.pk, conversation.messages.filter(role="system").first().pk, "pin")

    entries = withheld(plan_of(conversation))

    assert [(e["first"], e["verdict"]) for e in entries] == [
        (0, Verdict.EXCLUDED),
        (121, Verdict.EXCLUDED),
    ]
    assert all(e["sent_tokens"] == 0 for e in entries)


def test_they_are_not_found_by_recall(conversation):
    assert recall(conversation.branch, 99, "words", 1)
    assert recall(conversation.branch, 99, "pirate", 5) == []


def test_staff_may_have_them_sent():
    make_agent()
    imported([INSTRUCTED], instructs=True)
    conversation = Conversation.objects.select_related("branch", "agent").get()

    plan = plan_of(conversation)

    assert not withheld(plan)
    assert Rule.SYSTEM_KEPT in {e["reasons"][0]["rule"] for e in plan["entries"] if e["reasons"]}


@pytest.mark.words
def test_the_map_says_why(conversation):
    fact = Fact.from_dict(withheld(plan_of(conversation))[0]["reasons"][0])
    assert worded_reasons([fact]) == "a system message of an imported file, shown but not sent"
