import json
import re
from io import StringIO
from uuid import uuid4

import pytest
from django.core.management import CommandError, call_command

from history.core.money.cost import UNKNOWN
from history.core.projection import invariants
from history.core.settings.layers import environment_layer
from history.models import ContextPlan
from history.wording.plans import worded_plan
from tests.factories import add_turn, add_turns, make_agent, make_conversation
from tests.told import length_acts_as_one, no_number

DASH = "\N{EN DASH}"
pytestmark = [
    pytest.mark.django_db,
    pytest.mark.agent(history_settings={"policy": "lastN", "length": 2}),
    pytest.mark.turns(4),
]


@pytest.fixture
def explain():
    def run(conversation, *options):
        name = str(getattr(conversation, "pk", conversation))
        call_command("context", "explain", name, *options, stdout=(written := StringIO()))
        return written.getvalue()

    return run


def line_with(text, start):
    lines = (" ".join(line.split()) for line in text.splitlines())
    return next(line for line in lines if start in line)


def test_the_command_shows_what_was_sent_for_the_newest_turn(explain, conversation):
    text = explain(conversation)

    assert text.splitlines()[:3] == [
        "Demo (agent demo v1) · demo/mirror",
        "turn 4 of 4, step 1",
        "The model saw the last 2 turns; 4 earlier messages were left out.",
    ]
    assert line_with(text, "Policy") == "Policy lastN"
    assert line_with(text, "Length") == "Length 2 turns"
    assert line_with(text, "Source") == "Source agent demo v1"
    assert line_with(text, "Messages") == "Messages 3 of 7 messages sent"


def test_the_map_folds_runs_and_gives_their_reasons(explain, conversation):
    text = explain(conversation)

    assert line_with(text, "T trimmed") == (
        f"T trimmed 4 messages, turns 1{DASH}2 28 turns 1{DASH}2 of 4; “History length” 2 keeps "
        f"turns 3{DASH}4"
    )
    assert line_with(text, "view starts") == "─── The model's view starts here (turn 3)"
    assert line_with(text, "current turn").startswith("K kept 1 message, turn 4")
    assert line_with(text, "+ injected system").startswith("+ injected system prompt")


def test_the_cascade_names_winners_and_losers(explain, conversation, settings):
    settings.HISTORY_ENVIRONMENT = environment_layer({"DEFAULT_HISTORY_LENGTH": "0"})
    add_turn(conversation, query="historyLength=7&historyPolicy=some")

    text = explain(conversation)

    assert line_with(text, "<- the server's DEFAULT_HISTORY_LENGTH") == (
        "History length (length) 0 <- the server's DEFAULT_HISTORY_LENGTH [can't be changed here]"
    )
    assert line_with(text, "x 7") == "x 7 historyLength in the address: ignored: set by the server"
    assert "x some historyPolicy in the address: ignored: must be" in " ".join(text.split())
    assert length_acts_as_one() in text


def test_the_sums_close(explain, conversation):
    window = conversation.generations.get(turn=4).plans.get().plan["window"]
    fixed = window["system_prompt"] + window["tool_schemas"] + window["injected"]
    kept, reserve = window["history"], window["output_reserve"]
    free = window["context_window"] - fixed - kept - reserve

    text = explain(conversation)

    assert line_with(text, " fixed + ") == (
        f"{fixed} fixed + {kept} history + {reserve:,} output reserve + {free:,} free"
        f" = {window['context_window']:,} window"
    )
    assert line_with(text, "provider reported 50")


def test_a_past_turn_has_its_own_record(explain, conversation):
    text = explain(conversation, "--turn", "2")

    assert text.splitlines()[1] == "turn 2 of 4, step 1"
    assert line_with(text, "Messages") == "Messages 3 of 3 messages sent"


def test_json_is_what_the_api_gives(explain, conversation, client):
    session = client.session
    session["visitor"] = conversation.visitor
    session.save()

    answer = client.get(f"/api/conversations/{conversation.pk}/turns/3/context")

    assert json.loads(explain(conversation, "--turn", "3", "--json")) == answer.json()


def test_set_plans_the_present_anew_and_stores_nothing(explain, conversation):
    before = ContextPlan.objects.count()

    text = explain(conversation, "--set", "length=3", "--set", "context_window=9000")

    assert text.splitlines()[0] == "What-if: planned now. Nothing was sent or saved."
    assert line_with(text, "Messages") == "Messages 6 of 8 messages sent"
    assert line_with(text, "(length) 3") == "History length (length) 3 <- command line --set"
    assert line_with(text, "x 2") == "x 2 agent demo v1: overridden"
    assert "= 9,000 window" in text
    assert ContextPlan.objects.count() == before


def test_set_takes_a_setting_back(explain):
    conversation = make_conversation(make_agent(history_settings={"max_items": 2}))
    add_turns(conversation, 4)

    text = explain(conversation, "--set", "max_items=")

    assert line_with(text, "Messages") == "Messages 8 of 8 messages sent"
    assert (
        line_with(text, "(max_items) off")
        == "History window (items) (max_items) off <- command line --set"
    )


def test_set_leaves_every_other_setting_alone(explain, conversation):
    add_turn(conversation, query="historyPolicy=all")

    text = explain(conversation, "--set", "length=1")

    assert line_with(text, "(policy)").startswith(
        "History policy (policy) all <- historyPolicy in the address"
    )


def test_set_without_a_change_is_the_recorded_plan(explain, conversation):
    record = conversation.generations.get(turn=3).plans.get()

    planned = json.loads(explain(conversation, "--turn", "3", "--set", "length=2", "--json"))

    for key in ("entries", "window", "counts", "notes"):
        assert planned["plan"][key] == worded_plan(record.plan)[key]
    assert planned["stored"] is False


def test_set_plans_a_past_turn_with_the_template_of_that_time(explain, conversation):
    template = conversation.agent
    template.history_settings = {"policy": "none"}
    template.save()

    text = explain(conversation, "--turn", "3", "--set", "output_reserve=10")

    assert line_with(text, "(policy)").endswith("lastN <- agent demo v1")


def test_set_plans_what_was_never_sent(explain):
    conversation = make_conversation()
    add_turns(conversation, 3)

    text = explain(conversation, "--set", "policy=all")

    assert line_with(text, "Messages") == "Messages 6 of 6 messages sent"


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        pytest.param(["--turn", "9"], "has no stored plan for turn 9", id="no such turn"),
        pytest.param(["--turn", "-1"], "--turn -1: unknown turn", id="a negative turn"),
        pytest.param(["--turn", str(2**63)], "unknown turn", id="a huge turn"),
        pytest.param(["--set", "size=3"], "--set size: no such setting; available:", id="name"),
        pytest.param(["--set", "length=-1"], f"--set {no_number('length', -1)}", id="value"),
        pytest.param(["--set", "length"], "--set length: must be NAME=VALUE", id="no value"),
        pytest.param(
            ["--set", "length=1", "--set", "length=2"], "--set length: given twice", id="twice"
        ),
    ],
)
def test_what_is_wrong_is_named(explain, conversation, options, sentence):
    with pytest.raises(CommandError, match=sentence):
        explain(conversation, *options)


@pytest.mark.parametrize("name", [str(uuid4()), "not-an-id"], ids=["unknown", "not an id"])
def test_an_unknown_conversation_is_named(explain, name):
    with pytest.raises(CommandError, match=f"No conversation has the id {name}"):
        explain(name)


def test_a_conversation_without_a_plan_says_so(explain):
    with pytest.raises(CommandError, match="has no stored plan on its open branch"):
        explain(make_conversation())


def no_plan_is_right(transcript, projection):
    return False


def test_a_plan_that_may_not_be_names_the_conversation(explain, conversation, monkeypatch):
    monkeypatch.setattr(invariants, "INVARIANTS", (no_plan_is_right,))

    with pytest.raises(CommandError) as refusal:
        explain(conversation, "--set", "length=3")

    assert str(refusal.value) == (
        f"conversation {conversation.pk}: the resulting plan breaks no_plan_is_right. "
        "This is a bug in Vitrine; please report it."
    )


def test_set_says_what_changes_and_what_the_cache_should_do(explain, conversation):
    text = explain(conversation, "--turn", "3", "--set", "length=3")

    assert line_with(text, "messages 1\N{EN DASH}2").startswith("messages 1\N{EN DASH}2: T to K")
    assert line_with(text, "as it is").endswith("expected from cache: $0.00")
    assert line_with(text, "what-if sent").startswith("what-if sent ")


def test_replay_adds_up_every_request(explain, conversation):
    text = explain(conversation, "--replay", "--set", "policy=all")

    as_it_is, what_if = line_with(text, "as it is").split(), line_with(text, "what-if ").split()
    assert (as_it_is[3:5], what_if[1:3]) == (["4", "0"], ["4", "0"])
    assert int(what_if[3]) > int(as_it_is[5])


@pytest.mark.parametrize("replay", [(), ("--replay",)], ids=["one request", "a replay"])
def test_what_the_newest_message_was_sent_with_is_said(explain, conversation, replay):
    newest = conversation.generations.order_by("created").last()
    assert "Counts with" not in explain(conversation, "--set", "policy=all", *replay)
    newest.snapshot["query"] = "historyLength=2"
    newest.save()

    text = explain(conversation, "--set", "policy=all", *replay)

    told = "Counts with the address that the newest message was sent from: historyLength=2."
    assert told in text.splitlines()


def test_a_replay_says_what_would_be_refused(explain, conversation):
    small = ("--set", "context_window=512", "--set", "output_reserve=500")

    text = explain(conversation, "--replay", *small)

    assert line_with(text, "what-if ").split()[1:] == ["4", "4", "0", "0", UNKNOWN]
    assert line_with(text, "refused, what-if: ").startswith(
        "refused, what-if: 4 of 4 requests would be refused as too large"
    )


def test_replay_as_json_is_what_the_api_gives(explain, conversation, client):
    session = client.session
    session["visitor"] = conversation.visitor
    session.save()
    path = f"/api/conversations/{conversation.pk}/what-if"
    body = {"replay": True, "variants": [{"name": "what if", "settings": {"policy": "all"}}]}

    answer = client.post(path, body, content_type="application/json").json()

    told = json.loads(explain(conversation, "--replay", "--set", "policy=all", "--json"))
    assert told["replays"][1]["steps"][3]["sent"] == answer["replays"][1]["steps"][3]["sent"]
    assert told["replays"][1]["sent"] == answer["replays"][1]["sent"]


@pytest.mark.parametrize(
    ("options", "why"),
    [
        pytest.param(["--turns", "3"], "--turns needs --replay", id="turns of no replay"),
        pytest.param(
            ["--turns", "3", "--set", "policy=all"],
            "--turns needs --replay",
            id="turns of one request",
        ),
        pytest.param(
            ["--turn", "3", "--replay"], "--turn: a replay plans every turn", id="one turn of all"
        ),
    ],
)
def test_an_option_that_would_change_nothing_is_refused(explain, conversation, options, why):
    with pytest.raises(CommandError, match=why):
        explain(conversation, *options)


@pytest.mark.parametrize("window", ["512", "2000"])
def test_what_is_too_large_comes_with_the_contradiction(explain, conversation, window):
    with pytest.raises(CommandError) as refusal:
        explain(conversation, "--set", f"context_window={window}")

    why, conflict = str(refusal.value).splitlines()
    assert f"{int(window):,}" in why
    assert conflict.startswith("conflict: “Output reserve” 4,096 (built-in) ")
    assert f"“Context window” {int(window):,} (command line --set)" in conflict


@pytest.mark.parametrize("replay", [(), ("--replay",)], ids=["one request", "a replay"])
def test_settings_that_contradict_each_other_are_named(explain, conversation, replay):
    text = explain(conversation, "--set", "keep_recent=100", *replay)

    assert re.search(
        r"“Recent messages not summarised” 100 \(command line --set\) .*“Summarise at” 100 \(", text
    )
