"""`manage.py context project` sends content arrays unchanged, or says what it changes."""

import json
from io import StringIO
from itertools import groupby

import pytest
from django.core.management import call_command
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from history.core.formats.openai_content import BLANK, REFUSAL
from tests.history.core.formats.test_openai_content import (
    CALL,
    FILE,
    PNG,
    SOUND,
    data_url,
    image,
    text,
)
from tests.history.projecting import letters, plan_of, run

pytestmark = pytest.mark.django_db
PICTURE = image(data_url(PNG), detail="low")
ADDRESS = image("https://example.org/cat.png")
ASK = {"role": "user", "content": "What is it?"}
CALLED = {"role": "assistant", "content": None, "tool_calls": [CALL]}
SIGNED = {**CALL, "extra_content": {"google": {"thought_signature": "c2ln"}}}
LAST = {"role": "user", "content": "And then?"}
SAME = None  # Expected: unchanged.

CASES = {
    "a text": ([text("A cat?")], "A cat?", ()),
    "texts": ([text("A"), text("cat?")], "A\ncat?", ()),
    "data URL": ([text("A cat?"), PICTURE], SAME, ()),
    "https address": ([ADDRESS, text("A cat?")], SAME, ()),
    "audio": ([SOUND, text("Write it down.")], SAME, ("counted as 0",)),
    "file": ([text("Read this."), FILE], SAME, ("counted as 0",)),
    "file id": ([{"type": "file", "file": {"file_id": "f-1"}}], SAME, ("counted as 0",)),
    "all of them": ([text("1"), PICTURE, text("2"), FILE, SOUND], SAME, ("counted as 0",)),
    "with a mark of its own": ([{**PICTURE, "cache_control": {"type": "ephemeral"}}], SAME, ()),
    "a text with a mark": (
        [{**text("A"), "cache_control": {"type": "ephemeral"}}],
        "A",
        ("cache_control of text parts is left out",),
    ),
    "a blank text beside": ([text(" \n"), PICTURE, text("")], [PICTURE], (BLANK,)),
    "only a blank text": ([text(" ")], " ", ()),
}


def sent(record, index):
    """Return a message as it would be sent, without its index in the file."""
    (message,) = [m for m in record["messages"] if m["index"] == index]
    return {name: value for name, value in message.items() if name != "index"}


def matches(adapted, expected):
    return len(adapted) == len(expected) and all(
        any(part in said for said in adapted) for part in expected
    )


@pytest.mark.parametrize(
    ("content", "written", "said"), [pytest.param(*case, id=name) for name, case in CASES.items()]
)
@pytest.mark.parametrize(
    "before",
    [pytest.param([], id="of a user"), pytest.param([ASK, CALLED], id="of a tool")],
)
def test_a_content_is_sent_as_given(tmp_path, before, content, written, said):
    own = {"role": "tool", "tool_call_id": "c1"} if before else {"role": "user"}

    record = plan_of(tmp_path, [*before, {**own, "content": content}])

    wanted = content if written is SAME else written
    assert sent(record, len(before)) == {**own, "content": wanted}
    assert matches(record["adapted"], said)


ANSWERS = {
    "reasoning": ({"content": "A cat.", "reasoning_content": "Ears."}, SAME, ()),
    "reasoning and a call": (
        {"content": None, "reasoning_content": "Look.", "tool_calls": [CALL]},
        SAME,
        (),
    ),
    "a signed call": ({"content": None, "tool_calls": [SIGNED]}, SAME, ()),
    "a picture and a call": ({"content": [PICTURE, text("So")], "tool_calls": [CALL]}, SAME, ()),
    "a refusal": ({"content": None, "refusal": "I won't."}, {"content": "I won't."}, (REFUSAL,)),
    "a refusal as a part": (
        {"content": [{"type": "refusal", "refusal": "I won't."}]},
        {"content": "I won't."},
        (REFUSAL,),
    ),
    "blocks of another family": (
        {"content": "A cat.", "thinking_blocks": [{"type": "thinking"}]},
        {"content": "A cat."},
        ("thinking_blocks of assistant messages is left out",),
    ),
}


@pytest.mark.parametrize(
    ("answer", "written", "said"), [pytest.param(*case, id=name) for name, case in ANSWERS.items()]
)
def test_an_answer_of_the_current_turn_is_sent_as_given(tmp_path, answer, written, said):
    result = {"role": "tool", "tool_call_id": "c1", "content": [text("Ears"), PICTURE]}
    follows = [result] if "tool_calls" in answer else []
    record = plan_of(tmp_path, [ASK, {"role": "assistant", **answer}, *follows])

    wanted = answer if written is SAME else written
    assert sent(record, 1) == {"role": "assistant", **wanted}
    assert all(sent(record, 2) == each for each in follows)
    assert matches(record["adapted"], said)


def test_a_part_that_is_not_known_is_an_error_at_its_place(tmp_path):
    film = {"role": "user", "content": [text("See"), {"type": "video_url", "video_url": {}}]}

    with pytest.raises(Exception, match=r"messages\[1\]\.content\[1\]\.type: video_url is no part"):
        run(tmp_path, [ASK, film])


def test_pictures_are_counted_and_left_out_with_their_message(tmp_path):
    path = [{"role": "user", "content": [PICTURE, text("This?")]}, ASK, LAST]

    whole, part = plan_of(tmp_path, path), plan_of(tmp_path, path, "--set", "length=1")

    assert letters(part) == "TTK"
    counted = [entry["tokens"] for entry in part["plan"]["entries"] if entry["verdict"] == "T"]
    assert sum(counted) > 85
    assert whole["plan"]["window"]["history"] > part["plan"]["window"]["history"] + 85


WORDS = st.sampled_from(["a", "\nb", "c\n", " d ", "\u00e9\U0001f6a2", "e\n\nf"]).map(text)
THINGS = st.sampled_from([PICTURE, ADDRESS, SOUND, FILE])


@settings(max_examples=50, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(content=st.lists(WORDS | THINGS, min_size=1, max_size=6))
def test_any_array_is_sent_in_order_and_whole(tmp_path, content):
    """Neighbouring texts become one, with a line break between them."""
    found = sent(plan_of(tmp_path, [{"role": "user", "content": content}]), 0)["content"]

    assert found == joined(content)


def joined(content):
    runs = groupby(content, lambda part: part["type"] == "text")
    whole = [
        part
        for is_text, run in runs
        for part in ([text("\n".join(p["text"] for p in run))] if is_text else run)
    ]
    return whole if any(p["type"] != "text" for p in whole) else whole[0]["text"]


def test_an_unaltered_picture_has_one_figure_and_its_detail_counts(tmp_path):
    low = {**PICTURE, "image_url": {**PICTURE["image_url"], "detail": "low"}}
    content = [text("A cat?"), image(data_url(PNG)), low]
    file = tmp_path / "chat.json"
    file.write_text(json.dumps([{"role": "user", "content": content}]))
    out = StringIO()
    options = ["--model", "openai/gpt-4o-mini"]
    call_command("context", "project", str(file), *options, stdout=out)

    assert "->" not in out.getvalue()
    figures = [line.split()[-1] for line in out.getvalue().splitlines() if "  Image " in line]
    assert figures == ["14,167", "2,833"]
