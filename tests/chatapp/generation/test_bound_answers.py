"""Reasoning left out as bound to another request is explained; what a provider drops is noted."""

import re

import pytest

from chatapp.databases.threads import close_connections, in_database
from chatapp.inspector.forms import RecordQuery
from chatapp.inspector.panel import panel_of
from chatapp.llm import client
from history.core.words.facts import Rule
from history.services.explain.explanation import explanation_of
from history.services.explain.map import rows
from tests.chatapp.generation.test_thirty_rounds import strict
from tests.chatapp.generation.thirty_rounds import ADA, Talk
from tests.chatapp.generation.wires import plans_of
from tests.chatapp.inspector.pages import text_of
from tests.provider import LITELLM_WARNS
from tests.strict.bound_claude import BoundClaude
from tests.strict.bound_responses import BoundResponses

__all__ = ["strict"]  # A fixture.
pytestmark = [pytest.mark.django_db(transaction=True), *LITELLM_WARNS]
MOVED = (
    "not sent: the model accepts it only if nothing before it has changed since it was written, "
    "but the window's start moved from turn 1 to turn 2 (“History length” is 2, from agent demo v1)"
)


async def talked(strict, family, kind, rounds):
    with strict(family) as provider:
        talk = await Talk(provider, (kind,)).hold(rounds)
        await client.close()
    assert provider.refusals == []
    return await in_database(plans_of, talk.conversation)


def reasons_in(record):
    """Return by position the map's reasons why reasoning is not sent."""
    found = (
        row for row in rows.map_rows(record, record.core_plan) if isinstance(row, rows.MessageRow)
    )
    return {
        row.position: {part.reason for part in row.parts if part.verdict is None}
        for row in found
        if row.position is not None and any(part.verdict is None for part in row.parts)
    }


@pytest.fixture
def read_as_ada(client):
    """Read the text of an address as the visitor who owns the conversation."""

    def read(address):
        session = client.session
        session["visitor"] = ADA.visitor
        session.save()
        return text_of(client.get(address))

    return read


def tried(record, read, query):
    """Return the text of a try of the record's request."""
    generation = record.generation
    request = f"generation={generation.pk}&step={record.step}&{query}"
    return read(f"/chat/{generation.conversation_id}/panel/what-if?{request}")


def warnings_of(record):
    """Return the warnings of the record's panel."""
    generation = record.generation
    panel = panel_of(ADA, generation.conversation, RecordQuery(turn=generation.turn))
    return [note.sentence for note in panel.warnings]


async def test_the_map_says_which_setting_moved_the_window(strict):
    plans = await talked(strict, BoundClaude, "last turns", 3)
    first_of_third = next(p for p in plans if p.core_plan.counts.last_turn == 3)

    unbound = first_of_third.core_plan.reasoning.unbound
    assert {change.rule for change in unbound.values()} == {Rule.WINDOW_MOVED}
    assert {change.figures["setting"] for change in unbound.values()} == {"length"}
    told = await in_database(reasons_in, first_of_third)
    assert told == {position: {MOVED} for position in unbound}
    explained = await in_database(explanation_of, first_of_third, 3)
    assert MOVED in explained.reasoning[0]
    left_out, re_read = await in_database(warnings_of, first_of_third)
    assert left_out == (
        "The reasoning of 2 earlier messages is not sent again, because the window's start moved "
        "from turn 1 to turn 2 (“History length” is 2, from agent demo v1)."
    )
    assert re.fullmatch(r"Messages had to be read anew, for \S+ \$0\.0\d+ of this .*", re_read)
    await close_connections()


async def test_a_try_says_which_reasoning_it_would_leave_out_and_why(strict, read_as_ada):
    plans = await talked(strict, BoundClaude, "all reasoning", 3)
    first_of_third = next(p for p in plans if p.core_plan.counts.last_turn == 3)
    assert first_of_third.core_plan.reasoning.unbound == {}

    text = await in_database(tried, first_of_third, read_as_ada, "set.policy=lastN&set.length=2")

    assert (
        "The reasoning of 2 earlier messages is not sent again, because the window's start moved "
        "from turn 1 to turn 2 (“History length” is 2, from what-if)."
    ) in text
    assert re.search(r"Reasoning not sent 0 (\d+) \+\1 ", text)
    await close_connections()


async def test_a_try_does_not_repeat_what_the_request_left_out(strict, read_as_ada):
    plans = await talked(strict, BoundClaude, "last turns", 3)

    text = await in_database(tried, plans[-1], read_as_ada, "set.max_items=1000")

    assert plans[-1].core_plan.reasoning.unbound
    assert "As sent What-if Difference" in text
    assert "is not sent again" not in text
    await close_connections()


async def test_tool_results_stay_whole_until_the_answer_ends(strict):
    """The setting keeps one result of each turn, but the thinking after the others is bound to
    them.
    """
    plans = await talked(strict, BoundClaude, "results replaced", 1)

    settings = plans[0].core_plan.settings
    assert settings["prefix"].winner.source == "model catalogue"
    assert settings.value("prefix") == "stable"
    letters = ["".join(str(e.verdict) for e in p.core_plan.entries) for p in plans]
    assert not any("P" in found for found in letters)
    assert [p.core_plan.reasoning.unbound for p in plans] == [{}] * len(plans)
    assert plans[-1].core_plan.window.reasoning > plans[-2].core_plan.window.reasoning
    await close_connections()


class Dropping(BoundClaude):
    """A provider that always reports two dropped blocks."""

    def start(self, number, body):
        told = [
            {
                "type": "thinking_dropped",
                "path": f"messages.{n}",
                "reason": "prefix_binding_mismatch",
            }
            for n in (1, 3)
        ]
        return super().start(number, body) | {"input_transformations": told}


class Removing(BoundResponses):
    """OpenAI, which always reports two removed items."""

    def report(self, body):
        told = [
            {
                "type": "reasoning_removed",
                "path": f"messages.{n}",
                "reason": "prefix_binding_mismatch",
            }
            for n in (1, 3)
        ]
        return {"input_transformations": told}


@pytest.mark.parametrize("family", [Dropping, Removing])
async def test_what_the_provider_dropped_is_kept_and_noted(family, strict, caplog):
    plans = await talked(strict, family, "as it is", 1)

    told = await in_database(lambda: [plan.outcome.streamed["transformed"] for plan in plans])
    assert {each["path"] for each in told[0]} == {"messages.1", "messages.3"}
    explained = await in_database(explanation_of, plans[0], 1)
    assert (
        "The provider left out 2 blocks of reasoning that were sent, because something before it "
        "had changed. The plan did not expect this."
    ) in [note.sentence for note in explained.notes if note.is_warning]
    assert "not accepted as it was sent" in caplog.text
    await close_connections()
