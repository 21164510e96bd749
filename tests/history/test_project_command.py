"""`manage.py context project` shows what a model would be sent of a transcript in a file."""

import io
import json
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command

from history.core.projection import invariants
from history.core.settings.caps import Caps
from history.core.settings.layers import environment_layer
from history.models import ContextPlan, Conversation, TokenCalibration
from history.tokens import REPLY_PRIMING, count_tools
from tests.history.projecting import CHAT, as_openai, letters, plan_of, run
from tests.transcripts import MALFORMED, WELL_FORMED

DASH = "\N{EN DASH}"
HANDBOOK = Path(__file__).resolve().parents[2] / "docs" / "history.md"
pytestmark = pytest.mark.django_db

BROKEN = [
    {"role": "system", "content": "be kind"},
    *as_openai(MALFORMED["parallel_round_missing_one"]),
    *as_openai(MALFORMED["result_without_call"]),
]


def lines(text):
    return [" ".join(line.split()) for line in text.splitlines()]


def setting(record, name):
    return record["plan"]["settings"][name]["candidates"][0]


def test_the_command_prints_the_plan_as_explain_does(tmp_path):
    said = lines(run(tmp_path, CHAT, "--set", "length=2"))

    assert said[:3] == [
        "Planned now. Nothing was sent or saved.",
        f"{tmp_path}/transcript.json (not stored) · demo/mirror",
        "turn 3 of 3",
    ]
    assert "Messages 3 of 5 messages sent" in said
    assert "History length (length) 2 <- command line --set" in said
    assert (
        f"T trimmed 2 messages, turn 1 10 turn 1 of 3; “History length” 2 keeps turns 2{DASH}3"
        in said
    )
    assert "─── The model's view starts here (turn 2)" in said


def test_the_command_stores_nothing(tmp_path):
    run(tmp_path, CHAT)

    assert (Conversation.objects.count(), ContextPlan.objects.count()) == (0, 0)


def test_the_sums_close(tmp_path):
    window = plan_of(tmp_path, BROKEN)["plan"]["window"]

    parts = ("system_prompt", "tool_schemas", "injected", "history", "output_reserve")
    free = window["context_window"] - sum(window[part] for part in parts)
    assert f"+ {free:,} free = 128,000 window" in run(tmp_path, BROKEN)


def test_each_repair_is_named_with_its_place_and_why(tmp_path):
    said = lines(run(tmp_path, BROKEN))

    start = next(n for n, line in enumerate(said) if "── repaired" in line)
    assert said[start].strip(" ─") == "repaired: 2"
    assert said[start + 1 :] == [
        "A message 2 (messages[2]) assistant message: call removed because "
        "c1 (search) has no result right after it: 14 → 9 tokens",
        "! message 6 (messages[6]) tool result c1: "
        "removed because there is no call with this id right before it",
    ]


def test_nothing_to_repair_is_said_too(tmp_path):
    said = lines(run(tmp_path, CHAT))

    assert [line.strip(" ─") for line in said[-2:]] == [
        "repaired: 0",
        "nothing needed repair",
    ]


@pytest.mark.parametrize(
    "messages",
    [
        pytest.param([], id="nothing"),
        pytest.param([{"role": "user", "content": "\ud800"}], id="a lone surrogate"),
        pytest.param([{"role": "user", "content": " "}], id="a blank text"),
    ],
)
def test_no_promise_is_made_for_a_provider(tmp_path, messages):
    assert "as a provider takes it" not in run(tmp_path, messages)


@pytest.mark.parametrize(
    ("tools", "label"),
    [
        pytest.param([], "framing 3", id="none"),
        pytest.param([{"function": {"name": "look"}}], "tool schemas 24", id="one"),
    ],
)
def test_tools_are_named_only_where_there_are_any(tmp_path, tools, label):
    said = lines(run(tmp_path, {"messages": CHAT, "tools": tools}))

    (found,) = [line for line in said if line.startswith("+ injected")]
    assert found.startswith(f"+ injected {label} sent with every request")


def no_plan_is_right(transcript, projection):
    return False


def test_a_plan_that_may_not_be_names_the_file_and_the_invariant(tmp_path, monkeypatch):
    monkeypatch.setattr(invariants, "INVARIANTS", (no_plan_is_right,))

    with pytest.raises(CommandError) as refusal:
        run(tmp_path, CHAT)

    assert str(refusal.value) == (
        f"{tmp_path}/transcript.json: the resulting plan breaks no_plan_is_right. "
        "This is a bug in Vitrine; please report it."
    )


def test_json_has_the_plan_the_request_and_the_repairs(tmp_path):
    record = plan_of(tmp_path, BROKEN)

    assert list(record) == [
        "stored",
        "model",
        "conflicts",
        "plan",
        "messages",
        "repaired",
        "adapted",
    ]
    assert (record["stored"], record["model"], record["adapted"]) == (False, "demo/mirror", [])
    assert record["messages"][0] == {"role": "system", "content": "be kind", "index": 0}
    assert [message["role"] for message in record["messages"][1:]] == [
        "user",
        "assistant",
        "tool",
        "user",
        "user",
        "user",
    ]
    assert record["repaired"][1] == {
        "position": 5,
        "verdict": "!",
        "what": "tool result c1",
        "reason": "removed because there is no call with this id right before it",
        "index": 6,
    }


def rows_of(record):
    entries = record["plan"]["entries"]
    return [(entry["verdict"], entry["index"], entry["last_index"]) for entry in entries]


def test_every_row_and_every_sent_message_has_its_index_in_the_file(tmp_path):
    record = plan_of(tmp_path, BROKEN)

    assert rows_of(record) == [
        ("+", 0, 0),  # The system prompt.
        ("+", None, None),  # The tokens that frame the answer.
        ("K", 1, 1),
        ("A", 2, 2),
        ("K", 3, 5),
        ("!", 6, 6),
        ("K", 7, 7),
    ]
    assert [message["index"] for message in record["messages"]] == [0, 1, 2, 3, 4, 5, 7]


def test_without_a_prompt_indexes_are_positions(tmp_path):
    record = plan_of(tmp_path, CHAT, "--set", "length=2")

    assert rows_of(record) == [("+", None, None), ("T", 0, 1), ("K", 2, 3), ("K", 4, 4)]
    assert [message["index"] for message in record["messages"]] == [2, 3, 4]


@pytest.mark.parametrize(
    ("messages", "chain", "indexes"),
    [
        pytest.param(
            MALFORMED["only_a_greeting"], None, [None, 0], id="an opening is not in the file"
        ),
        pytest.param(
            WELL_FORMED["one_tool"],
            {"agent": [{"use": "tool_call_filter", "persist_results": True}]},
            [0, None, 3, 4],
            id="nor is a note",
        ),
    ],
)
def test_what_is_injected_has_no_index(tmp_path, messages, chain, indexes):
    record = plan_of(tmp_path, as_openai(messages), processors=chain)

    assert [message["index"] for message in record["messages"]] == indexes


def test_an_empty_prompt_moves_the_indexes_too(tmp_path):
    record = plan_of(tmp_path, [{"role": "system", "content": ""}, *CHAT])

    assert [message["index"] for message in record["messages"]] == [1, 2, 3, 4, 5]


def test_a_repair_that_a_later_stage_has_the_last_word_on_is_named_too(tmp_path):
    calls = [
        {"id": "c1", "type": "function", "function": {"name": "look", "arguments": "{}"}},
        {"id": "c2", "type": "function", "function": {"name": "see", "arguments": "{}"}},
    ]
    messages = [
        {"role": "user", "content": "a"},
        {"role": "assistant", "content": "long " * 200, "tool_calls": calls},
        {"role": "tool", "tool_call_id": "c1", "content": "x"},
        {"role": "user", "content": "b"},
    ]

    record = plan_of(tmp_path, messages, "--set", "max_message_tokens=64")

    assert [(repair["position"], repair["verdict"]) for repair in record["repaired"]] == [(1, "A")]
    assert "c2 (see) has no result right after it" in record["repaired"][0]["reason"]


def test_what_the_file_says_otherwise_is_told(tmp_path):
    file = [{"type": "file", "file": {"file_id": "file-1"}}]
    messages = [*CHAT, {"role": "user", "name": "ada", "content": file}]

    told = [
        "name of user messages is left out: at messages[5]",
        "the tokens of a file are not known, and are counted as 0: at messages[5].content[0]",
    ]
    assert plan_of(tmp_path, messages)["adapted"] == told
    assert lines(run(tmp_path, messages))[-2:] == told


@pytest.fixture
def known_models(catalogue):
    catalogue.know_three_models()
    catalogue.know_their_providers()


def test_a_requests_model_and_tools_count(tmp_path, known_models):
    tool = {"type": "function", "function": {"name": "search", "description": "Finds pages"}}
    body = {"messages": CHAT, "model": "small/model", "tools": [tool]}

    record = plan_of(tmp_path, body)

    window = record["plan"]["window"]
    assert (record["model"], window["context_window"]) == ("small/model", 16_000)
    assert window["tool_schemas"] == count_tools([tool]) + REPLY_PRIMING
    assert plan_of(tmp_path, body, "--model", "tiny/model")["model"] == "tiny/model"


def test_a_models_own_count_of_tokens_is_used(tmp_path, known_models):
    TokenCalibration.objects.create(model="small/model", requests=5, factor=1.5)

    record = plan_of(tmp_path, CHAT, "--model", "small/model")

    assert record["plan"]["factor"] == 1.5


def test_standard_input_is_read(monkeypatch):
    monkeypatch.setattr("sys.stdin", io.StringIO(json.dumps(CHAT)))
    call_command("context", "project", "-", stdout=(written := io.StringIO()))

    assert "standard input (not stored) · demo/mirror" in written.getvalue()


def test_an_empty_transcript_is_a_plan_of_nothing(tmp_path):
    record = plan_of(tmp_path, [])

    assert (record["messages"], letters(record), record["repaired"]) == ([], "", [])
    assert "0 of 0 messages sent" in run(tmp_path, [])


def test_the_environment_holds_where_nothing_is_set(tmp_path, settings):
    settings.HISTORY_ENVIRONMENT = environment_layer({"DEFAULT_HISTORY_LENGTH": "1"})
    settings.HISTORY_CAPS = Caps(length=2)

    by_environment = setting(plan_of(tmp_path, CHAT), "length")
    asked = setting(plan_of(tmp_path, CHAT, "--set", "length=50"), "length")

    assert (by_environment["source"], by_environment["value"]) == ("env DEFAULT_HISTORY_LENGTH", 1)
    assert (asked["source"], asked["value"]) == ("command line --set", 50)


def test_a_stride_holds_beside_a_length(tmp_path, settings):
    """A length of the environment's would hold the stride at 1."""
    settings.HISTORY_ENVIRONMENT = environment_layer({"DEFAULT_HISTORY_LENGTH": "20"})

    record = plan_of(tmp_path, CHAT, "--set", "length=1", "--set", "length_stride=2")

    assert setting(record, "length_stride")["value"] == 2
    assert letters(record) == "TTTTK"


def test_the_example_in_the_handbook_is_what_it_prints(tmp_path):
    _, _, section = HANDBOOK.read_text().partition("## A transcript in a file\n")
    data, printed = (block.partition("\n")[2] for block in section.split("```")[1:4:2])

    said = run(tmp_path, json.loads(data), "--set", "length=2")

    assert said[said.index("── map") :] == printed


def test_settings_that_contradict_each_other_are_named(tmp_path):
    (named,) = plan_of(tmp_path, CHAT, "--set", "keep_recent=100")["conflicts"]

    assert named.startswith("“Recent messages not summarised” 100 (command line --set) ")
    assert "“Summarise at” 100 (" in named
    assert f"conflict: {named}" in run(tmp_path, CHAT, "--set", "keep_recent=100")


@pytest.mark.parametrize(
    ("text", "why"),
    [("[" * 5_000, "is nested too deeply"), ("[NaN]", "is not JSON: NaN"), ("{", "is not JSON")],
    ids=["deeper than Python goes", "no number", "cut short"],
)
def test_json_that_nobody_should_read_is_refused(tmp_path, text, why):
    file = tmp_path / "deep.json"
    file.write_text(text)

    for where in ([str(file)], [str(file), "--processors", str(file)]):
        with pytest.raises(CommandError, match=rf"deep\.json: {why}"):
            call_command("context", "project", *where)


def test_a_summary_model_that_cannot_be_asked_is_named(tmp_path):
    asked = ("--set", "policy=all", "--set", "summarize=true", "--set", "summary_model=nope/nope")

    (named,) = plan_of(tmp_path, CHAT, *asked)["conflicts"]

    assert named.startswith("“Summary model” nope/nope (command line --set) can't be used: no such")
    assert f"conflict: {named}" in run(tmp_path, CHAT, *asked)


@pytest.mark.parametrize("window", ["512", "2000"])
def test_what_does_not_fit_comes_with_the_contradiction(tmp_path, window):
    with pytest.raises(CommandError) as refusal:
        run(tmp_path, CHAT, "--set", f"context_window={window}")

    why, conflict = str(refusal.value).splitlines()
    assert f"{int(window):,}" in why
    assert conflict.startswith("conflict: “Output reserve” 4,096 (built-in) ")
    assert f"“Context window” {int(window):,} (command line --set)" in conflict


def test_an_empty_value_takes_a_setting_back(tmp_path, settings):
    settings.HISTORY_ENVIRONMENT = environment_layer({"DEFAULT_HISTORY_LENGTH": "1"})

    length = setting(plan_of(tmp_path, CHAT, "--set", "length="), "length")

    assert (length["value"], length["source"]) == (20, "command line --set")
