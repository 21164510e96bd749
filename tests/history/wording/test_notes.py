"""Each rule of a note has its sentence; an old snapshot's notes may still be sentences."""

import json

import pytest

from history.core.words.facts import Note, Rule, note, warning
from history.wording.notes import sentence_of, worded

CASES = [
    (
        warning(
            Rule.STREAM_TRANSFORMED,
            kind="thinking_dropped",
            reason="model_binding_mismatch",
            count=1,
        ),
        "The provider left out 1 block of reasoning that was sent, because another model wrote it. "
        "The plan did not expect this.",
    ),
    (
        warning(Rule.STREAM_TRANSFORMED, kind="thinking_mismatch_allowed", reason="x", count=2),
        "The provider accepted 2 blocks of reasoning against its rule, because it says x. "
        "The plan did not expect this.",
    ),
    (note(Rule.LENGTH_ACTS_AS_ONE), "History length 0 sends one turn, like 1."),
    (
        note(Rule.WITHIN_BUDGET, tokens=208, budget=2_560),
        "History uses 208 of its 2,560-token budget.",
    ),
    (
        warning(Rule.OVER_BUDGET, tokens=436, budget=256, why="protected"),
        "History is over budget (436 of 256 tokens) because “Protected turns” keeps "
        "the newest turns.",
    ),
    (
        warning(Rule.OVER_BUDGET, tokens=189, budget=0, why="current"),
        "History is sent (189 tokens), although the prompt, the tools and the answer take up the "
        "budget, because the current turn is always sent.",
    ),
    (note(Rule.SUMMARY_IS_DUE, waits=False), "History is over budget: a summary is due."),
    (
        note(Rule.SUMMARY_IS_DUE, waits=True),
        "History is over budget. The next summary waits for more messages because one failed "
        "or was undone.",
    ),
    (
        warning(Rule.TOO_MANY_PINS, positions=[4], most=20),
        "The pin on message 5 has no effect because there are more than 20 pins.",
    ),
    (
        note(Rule.TURNS_EXPOSED, least=3, kept=[]),
        "Protected turns: 3, but the context window has no room for any of these turns.",
    ),
    (
        note(Rule.ANSWERER_GONE, network="Desk", slug="eve", agent="Ada"),
        "Network Desk: eve answered last but is no longer a member, so Ada answers.",
    ),
    (
        warning(Rule.CONTEXT_LEFT_OUT, label="context notes", why="failed", error="KeyError"),
        "Context notes was left out because its function failed (KeyError).",
    ),
    (
        warning(Rule.CONTEXT_LEFT_OUT, label="context notes", why="exited"),
        "Context notes was left out because its function tried to exit.",
    ),
    (
        warning(Rule.CONTEXT_LEFT_OUT, label="context notes", why="no_text", kind="int"),
        "Context notes was left out because its function returned int, not text.",
    ),
    (
        warning(
            Rule.CONTEXT_LEFT_OUT, label="context notes", why="too_long", size=20_001, most=20_000
        ),
        "Context notes was left out because its function returned 20,001 characters; "
        "the limit is 20,000.",
    ),
    (
        warning(Rule.CONTEXT_LEFT_OUT, label="context notes", why="gone"),
        "Context notes was left out because its function no longer exists.",
    ),
    (
        warning(Rule.CONTEXT_LEFT_OUT, label="context notes", why="slow", seconds=0.5),
        "Context notes was left out because its function took longer than 0.5 seconds.",
    ),
    (
        warning(Rule.CONTEXT_LEFT_OUT, label="context notes", why="busy"),
        "Context notes was left out because too many context functions are still busy with earlier "
        "turns.",
    ),
    (
        warning(Rule.SERVER_LEFT_OUT, name="Files", why="disabled"),
        "The tools of MCP server Files were left out because it is disabled.",
    ),
    (
        warning(Rule.SERVER_LEFT_OUT, name="Files", why="silent", said="its program ended"),
        "The tools of MCP server Files were left out because it isn't responding: "
        "its program ended.",
    ),
    (
        warning(Rule.SERVER_LEFT_OUT, name="Files", why="waiting"),
        "The tools of MCP server Files were left out because it has not answered yet.",
    ),
    (
        warning(Rule.SERVER_LEFT_OUT, name="Files", why="staff"),
        "The tools of MCP server Files were left out because it is for staff only.",
    ),
    (
        warning(Rule.SERVER_UNKNOWN, slug="files"),
        "The tools of files were left out because no MCP server has this name.",
    ),
    (
        note(Rule.TOO_MANY_TOOLS, count=121, most=120),
        "MCP servers offer 121 tools. Only the first 120 are available.",
    ),
    (
        warning(Rule.AGENT_UNKNOWN, slug="eve"),
        "eve was left out because no agent has this name.",
    ),
    (
        warning(Rule.STREAM_LOST, kind="text", said=1_200, kept=1_190),
        "The provider sent 1,200 characters of text, but 1,190 were kept. The error was logged.",
    ),
    (
        warning(Rule.STREAM_BROKEN, count=1),
        "1 event of the provider's stream could not be read.",
    ),
    (
        warning(Rule.STREAM_REPLACED, count=2),
        "2 characters of the answer can't be stored and were replaced.",
    ),
    (
        warning(Rule.STREAM_UNREAD, names=["annotations", "images"]),
        "The provider also sent what Vitrine doesn't keep: annotations, images.",
    ),
    (
        warning(Rule.AGENTS_TOO_DEEP),
        "This agent can't delegate because its task can't be passed on any further.",
    ),
    (
        note(Rule.MODEL_CHOSEN, model="openai/gpt-5-mini", own="openai/gpt-5"),
        "Model openai/gpt-5-mini: chosen in this chat. The agent's own is openai/gpt-5.",
    ),
    (
        note(Rule.MODEL_NOT_ALLOWED, model="openai/gpt-5-mini", own="openai/gpt-5"),
        "Model openai/gpt-5: the agent's own. openai/gpt-5-mini was chosen in this chat, but this "
        "agent may not use it.",
    ),
]


@pytest.mark.parametrize(("fact", "sentence"), CASES)
def test_a_note_is_worded_of_its_figures(fact, sentence):
    assert sentence_of(fact) == sentence


@pytest.mark.parametrize(("fact", "sentence"), CASES)
def test_a_note_survives_being_stored(fact, sentence):
    assert Note.from_dict(json.loads(json.dumps(fact.as_dict()))) == fact


def test_what_a_text_says_does_not_make_it_a_warning():
    said = note(Rule.ANSWERER_GONE, network="left out, has no effect", slug="eve", agent="Ada")

    assert [each.is_warning for each in worded([said])] == [False]
