"""The map shows for each picture, file and thought its cost, and why it is sent or not."""

from dataclasses import replace

import pytest

from history.core.plan.plan import Plan
from history.core.transcript.messages import ToolCall
from history.core.transcript.parts import File, Image, Reasoning, ReasoningForm
from history.core.words.facts import Rule, fact
from history.models import TokenCalibration
from history.services.explain.explanation import explanation_of
from history.services.explain.lines import lines_of
from history.services.explain.map import rows
from history.services.path.appending import append, assistant_message, result_message, user_message
from history.tokens.parts import counted_file, counted_image
from history.wording.names import CHECKPOINT
from tests.factories import add_plan, begin_turn, branch_of, make_conversation, make_summary

pytestmark = pytest.mark.django_db
THOUGHT = Reasoning(
    ReasoningForm.TEXT,
    "Two maps: which one is older?",
    "demo",
    {"field": "reasoning_content"},
    tokens=1_204,
)
KEEP_ONE = {"policy": "all", "images_keep": 1}


def picture(name):
    return counted_image(Image(name, name, "image/png", name, 1_024, 1_024, 9_000))


def paper():
    return counted_file(
        File("p", "p", "application/pdf", "report.pdf", pages=3, text="Sales rose. " * 40)
    )


def talk(conversation):
    """Make a turn: a question with two images and a PDF, a tool call, and an answer."""
    call = ToolCall("c1", "look", "{}")
    append(
        branch_of(conversation),
        [
            user_message("Compare.", parts=[picture("a.png"), picture("b.png"), paper()]),
            assistant_message("", [call], parts=[THOUGHT]),
            result_message(call, "Looked.", failed=False),
            assistant_message("The first is older.", parts=[THOUGHT]),
        ],
    )


def mapped(conversation, *parts):
    """Plan a question with these parts; return its record, plan and the map's message rows."""
    record = add_plan(begin_turn(conversation, parts=parts))
    plan = Plan.from_dict(record.plan)
    found = [row for row in rows.map_rows(record, plan) if isinstance(row, rows.MessageRow)]
    return record, plan, found


def told(row):
    return [(part.verdict, part.label, part.name, part.size, part.tokens) for part in row.parts]


@pytest.mark.words
@pytest.mark.agent(history_settings=KEEP_ONE)
def test_each_part_has_its_tokens_verdict_and_reason(conversation):
    talk(conversation)

    _, plan, (first, called, *_rest) = mapped(conversation)
    file_tokens = paper().tokens
    assert told(first) == [
        ("P", "Image", "a.png", "1024 \N{MULTIPLICATION SIGN} 1024", 765),
        ("K", "Image", "b.png", "1024 \N{MULTIPLICATION SIGN} 1024", 765),
        ("K", "File", "report.pdf", "3 pages", file_tokens),
    ]
    assert [part.reason for part in first.parts] == [
        "not sent: “Images kept” is 1 (agent demo v1), so only the newest image is. "
        "The model reads [Image omitted: a.png]",
        "sent; counted by OpenAI's tiles",
        "sent",
    ]
    assert told(called) == [(None, "Reasoning", "", "", 1_204)]
    assert (
        called.parts[0].reason == "not sent again: “Turns whose reasoning is kept” is 0 (built-in)"
    )
    assert (plan.window.images, plan.window.files) == (765, file_tokens)


@pytest.mark.words
@pytest.mark.agent(history_settings=KEEP_ONE)
def test_what_is_sent_besides_the_newest_is_said_too(conversation):
    """The setting keeps one picture, but the current message's two pictures are both sent."""
    talk(conversation)

    first, *_others, last = mapped(conversation, picture("c.png"), picture("d.png"))[2]
    assert first.parts[1].reason == (
        "not sent: “Images kept” is 1 (agent demo v1), so only the newest image is, besides "
        "those of the current message. The model reads [Image omitted: b.png]"
    )
    assert [part.verdict for part in last.parts] == ["K", "K"]


@pytest.mark.words
@pytest.mark.agent(
    history_settings={"policy": "all", "reasoning_keep": 1, "context_window": 64_000}
)
def test_reasoning_that_is_sent_again_names_its_setting(conversation):
    talk(conversation)

    *_, answer, _question = mapped(conversation)[2]
    assert told(answer) == [("K", "Reasoning", "", "", 1_204)]
    assert answer.tokens == answer.sent > 1_204
    assert (
        answer.parts[0].reason == "sent again: “Turns whose reasoning is kept” is 1 (agent demo v1)"
    )


@pytest.mark.words
@pytest.mark.agent(history_settings=KEEP_ONE)
def test_the_command_lists_parts_and_sums_up_reasoning(conversation):
    talk(conversation)

    lines = list(lines_of(explanation_of(mapped(conversation)[0], 2)))
    text = "\n".join(lines)
    assert (
        "Reasoning: 2,408 tokens not sent again: “Turns whose reasoning is kept” is 0 (built-in)"
        in text
    )
    assert any(line.split()[-2:] == ["Image", "765"] for line in lines)


@pytest.mark.words
@pytest.mark.agent(history_settings={"policy": "lastN", "length": 1})
def test_what_leaves_with_its_message_says_so(conversation):
    talk(conversation)
    record, plan, _ = mapped(conversation)

    parts = [rows.Stretch(0, 3, is_folded=False)]
    first, *_ = [r for r in rows.folded_rows(record, plan, parts) if r.kind == "message"]
    assert {part.reason for part in first.parts} == {"not sent, like its message"}


@pytest.mark.words
@pytest.mark.agent(history_settings={"policy": "all", "reasoning_keep": 1}, model="openai/gpt-4o")
def test_what_another_provider_thought_is_not_counted(conversation):
    talk(conversation)

    _, plan, (_, called, *_rest) = mapped(conversation)
    assert (plan.reasoning.taking.family, plan.window.reasoning) == ("openai", 0)
    assert called.parts[0].reason == "not sent, because this provider accepts only its own"


@pytest.mark.words
@pytest.mark.agent(model="anthropic/claude-sonnet-4-5", history_settings=KEEP_ONE)
def test_a_picture_has_one_figure_whatever_the_texts_are_multiplied_by(conversation):
    model = "anthropic/claude-sonnet-4-5"
    figures = {"requests": 99, "estimated": 100, "reported": 137}
    TokenCalibration.objects.create(model=model, factor=1.37, **figures)
    talk(conversation)

    record, plan, (first, *_rest) = mapped(conversation)
    assert plan.factor == 1.37
    assert [part.shown for part in first.parts[:2]] == [1_369, 1_369]
    lines = list(lines_of(explanation_of(record, 2)))
    assert any(line.split()[-2:] == ["Image", "1,369"] for line in lines)


def test_a_summary_before_left_out_reasoning_has_the_number_that_people_know(conversation):
    talk(conversation)
    record, plan, _ = mapped(conversation)
    make_summary(make_conversation(conversation.agent)).delete()  # Its key is used up.
    added = fact(Rule.TEXT_ADDED, label=f"{CHECKPOINT}{make_summary(conversation).pk}")
    unbound = replace(plan.reasoning, first=0, unbound={1: added})
    record.core_plan = replace(plan, reasoning=unbound, reasoning_unsent={"unbound": 1_204})

    explained = explanation_of(record, 2)
    found = rows.map_rows(record, record.core_plan)
    reasons = [part.reason for row in found for part in getattr(row, "parts", ())]
    sentences = [*reasons, *explained.reasoning, *(note.sentence for note in explained.notes)]
    told = [sentence for sentence in sentences if "was added" in sentence]
    assert len(told) == 3
    assert all("summary 1 was added" in sentence for sentence in told)
