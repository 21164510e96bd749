"""A chat's Markdown has the open branch, in the order in which a person reads it."""

import json
from zoneinfo import ZoneInfo

import pytest
from django.contrib.auth.models import User

from chatapp.exports.markdown import Style, as_markdown
from chatapp.exports.passages import closed, fenced
from chatapp.markdown import render
from history.models import Conversation, MessageMark
from history.services.access import Actor
from tests.exported import make_full_chat
from tests.factories import add_turn, branch_of
from tests.history.services.imports.files import chatgpt, node
from tests.imported import imported

pytestmark = pytest.mark.django_db


@pytest.fixture
def chat():
    return make_full_chat(User.objects.create_user("ada"))


def written(chat, style=None):
    return "".join(as_markdown(style or Style()).write(chat))


def test_each_message_says_who_and_when(chat):
    text = written(chat, Style(ZoneInfo("Asia/Tokyo"), "Ada"))

    headings = [line for line in text.splitlines() if line.startswith("## ")]
    assert [heading.split(" · ")[0] for heading in headings] == [
        "## Ada",
        "## Demo (demo/mirror)",
        "## Ada",
    ]
    assert all(heading.endswith(" JST") for heading in headings)
    assert "- **Agent:** Demo\n" in text


def test_thoughts_are_folded_or_left_out(chat):
    folded = written(chat)

    assert "<details><summary>Thought for 12 s (9 tokens)</summary>" in folded
    assert "> They want the berth.\n> It is 041.\n> &lt;/details>\n\n</details>" in folded
    assert "Thought" not in written(chat, Style(thoughts=False))


def test_a_call_and_its_result_are_blocks_that_nothing_in_them_ends(chat):
    text = written(chat)

    assert '**Tool call: `find_berth`**\n\n```json\n{"of": "Ada"}\n```\n' in text
    assert "**Result of `find_berth`** (1.5 s)\n\n````\nBerth 041 ```and``` more\n````\n" in text


def test_other_versions_marks_summaries_and_how_answers_ended_are_noted(chat):
    text = written(chat)

    assert "*Branch 2 of 2. The JSON export has all branches.*\n\nAnd that?" in text
    assert "And this?" not in text
    assert "*Pinned: the model always gets this message.*\n\nWhich berth?" in text
    assert "> They asked for the berth." in text
    assert "*Stopped. The text above was kept.*" in text
    assert "*The provider is down.*" in text


def test_an_answer_that_a_newer_message_passed_over_says_so(chat):
    chat.generations.filter(status="stopped").update(status="passed_over")

    assert "*Not decided: a newer message came first.*" in written(chat)


def test_the_older_version_links_to_its_picture(chat):
    chat.branch = chat.branches.earliest("pk")
    head = branch_of(chat).messages.latest("position")
    MessageMark.objects.create(conversation=chat, message=head, kind="exclusion")

    text = written(chat)

    digest = head.parts[0]["digest"]
    assert f"![map \\[old\\].png](../files/{digest}.png)" in text
    assert "*Excluded: the model never gets this message.*" in text
    assert "The provider is down." not in text  # The newer branch has it.


def test_an_imported_answer_is_of_no_agent_here(chat):
    asked = node("a", "s", text="The capital of France?")
    answered = node("b", "a", "assistant", "Paris", metadata={"model_slug": "gpt-4o"})
    file = json.dumps([chatgpt(node("s"), asked, answered, title="Capitals")]).encode()
    imported(file, Actor(chat.owner))

    text = written(Conversation.objects.get(title="Capitals"))

    assert "## Imported answer (gpt-4o) · " in text


def test_headings_of_messages_are_below_those_of_the_export(chat):
    text = "# Tides\n\n```sh\n# high\n```\n\nLow\n---\n\n1. Wait"
    add_turn(chat, answer=text)

    last = written(chat).rpartition("\n## ")[2]

    assert "\n\n### Tides\n\n```sh\n# high\n```\n\n#### Low\n\n1. Wait\n" in last


def test_a_chat_without_messages_is_only_its_head(chat):
    chat.branch = None
    assert written(chat).startswith("# Berths & \\<tides>: #1\n\n- **Agent:** Demo\n")


@pytest.mark.parametrize(
    ("text", "end"),
    [
        pytest.param("plain", "", id="none"),
        pytest.param("```\ncode", "\n```", id="open"),
        pytest.param("```\ncode\n```", "", id="closed"),
        pytest.param("````py\n```\ncode", "\n````", id="longer"),
        pytest.param("~~~\n```\n", "\n~~~", id="tildes"),
        pytest.param("```\n``` no end", "\n```", id="with words"),
        pytest.param("    ```\ncode", "", id="indented"),
    ],
)
def test_a_code_block_that_a_message_leaves_open_is_closed(text, end):
    assert closed(text) == text + end
    assert "<h3" in render(f"{closed(text)}\n\n## After")


@pytest.mark.parametrize("text", ["plain", "```", "a ```` b", "`````\n```"])
def test_nothing_ends_a_fence_early(text):
    assert "<h3" in render(f"{fenced(text)}\n\n## After")
    assert render(f"{fenced(text)}\n\n## After").count("<pre") == 1
