"""All that Vitrine shows about a conversation includes its reasoning: the API's messages and plans,
`context explain`, and `context project` on a file.
"""

from io import StringIO

import pytest
from django.core.management import call_command

from history.core.transcript.parts import Reasoning, ReasoningForm, part_as_dict
from history.services.path.appending import append, assistant_message, user_message
from tests.factories import add_plan, begin_turn, branch_of
from tests.history.projecting import plan_of, run

pytestmark = pytest.mark.django_db
NAMED = {"field": "reasoning_content"}
THOUGHT = Reasoning(ReasoningForm.TEXT, "Seven boats?", "demo", NAMED, 1_204, 900)
KEEP_ONE = {"policy": "all", "reasoning_keep": 1}
FILE = [
    {"role": "user", "content": "How many boats?"},
    {"role": "assistant", "content": "Seven.", "reasoning_content": "I count them one by one."},
    {"role": "user", "content": "And today?"},
]


@pytest.fixture
def thinking(conversation):
    """Make a conversation whose first answer has reasoning, and plan its next request."""
    answer = assistant_message("Seven.", (), "demo", (THOUGHT,))
    append(branch_of(conversation), [user_message("How many boats?"), answer])
    add_plan(begin_turn(conversation, "And today?"))
    return conversation


def of_api(client, conversation, what):
    return client.get(f"/api/conversations/{conversation.pk}/{what}").json()


def test_the_api_gives_it_with_its_message_as_it_came(thinking, owner):
    _asked, answer, _asks = of_api(owner, thinking, "messages")["messages"]

    assert answer["parts"] == [{**part_as_dict(THOUGHT), "at": 0, "bond": None}]


@pytest.mark.agent(history_settings=KEEP_ONE)
def test_a_plan_counts_what_is_sent_of_it(thinking, owner):
    plan = of_api(owner, thinking, "turns/2/context")["plan"]

    assert plan["window"]["reasoning"] == 1_204
    assert plan["reasoning_unsent"] == {}


@pytest.mark.words
@pytest.mark.agent(history_settings=KEEP_ONE)
def test_context_explain_lists_it_below_its_message(thinking):
    call_command("context", "explain", str(thinking.pk), stdout=(written := StringIO()))

    lines = [line.split() for line in written.getvalue().splitlines()]
    assert ["K", "kept", "Reasoning", "1,204"] in lines


@pytest.mark.parametrize(
    ("keep", "sent"),
    [
        pytest.param(1, {"reasoning_content": "I count them one by one."}, id="kept"),
        pytest.param(0, {}, id="of an earlier turn"),
    ],
)
def test_context_project_sends_what_a_file_has_of_it(tmp_path, keep, sent):
    record = plan_of(tmp_path, FILE, "--set", f"reasoning_keep={keep}")

    _asked, answer, _asks = record["messages"]
    assert answer == {"role": "assistant", "content": "Seven.", "index": 1, **sent}
    assert bool(record["plan"]["window"]["reasoning"]) == bool(sent)


@pytest.mark.words
def test_context_project_says_how_much_is_left_out(tmp_path):
    assert "not sent again: “Turns whose reasoning is kept” is 0 (built-in)" in run(tmp_path, FILE)
