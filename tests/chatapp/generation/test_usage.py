"""All that is stored for a person counts towards their limits: also thoughts and tools'
pictures.
"""

import pytest

from chatapp.generation.reading.response import Response
from chatapp.generation.records import prepare_step, store_result
from chatapp.generation.usage import settle
from chatapp.limits import limits
from chatapp.limits.spending import buckets
from chatapp.llm.chunks import TextDelta
from chatapp.llm.reasoning.deltas import ReasoningDelta
from chatapp.llm.retries import Attempts
from history.core.transcript.messages import ToolCall
from history.core.transcript.parts import ReasoningForm
from history.services.access import person_of
from history.services.path.appending import append, assistant_message
from tests.chatapp.uploads.test_results import PHOTO, seen
from tests.factories import begin_turn, make_agent, make_conversation


@pytest.fixture(autouse=True)
def _one_moment(settings, monkeypatch):
    settings.BYTES_PER_DAY = settings.TOKENS_PER_DAY = settings.FILE_BYTES_PER_DAY = 100_000
    monkeypatch.setattr(buckets, "_clock", lambda: 1_000.0)


def used(limit, generation):
    full_at = buckets._full_at[limit.name, person_of(generation.conversation)]
    return round((full_at - 1_000) * limit.most / limit.seconds)


@pytest.mark.django_db
def test_what_a_model_thought_counts_as_text():
    generation = begin_turn(make_conversation(make_agent()))
    record = prepare_step(generation, 1).record
    response = Response(10_000)
    thought = ReasoningDelta(
        "A long \u00fcber-thought.", ReasoningForm.SIGNED, {"signature": "s" * 400}
    )
    for delta in (thought, TextDelta("Hm.")):
        response.take(delta, 0.1)

    settle(record, response.outcome(1, Attempts(), None), response.said)

    assert used(limits.bytes_stored(), generation) == 21 + 400 + 3
    assert used(limits.tokens(), generation) > record.core_plan.window.counted + 2


@pytest.mark.django_db(transaction=True)
def test_pictures_of_tools_count_as_files():
    generation = begin_turn(make_conversation(make_agent()))
    call, result = ToolCall("c1", "see", "{}"), seen(PHOTO)
    append(generation.branch, [assistant_message("", (call,))], generation)

    store_result(generation, 1, call, result)

    assert used(limits.file_bytes(), generation) == len(result.pictures[0].data)
