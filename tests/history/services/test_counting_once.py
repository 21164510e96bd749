"""Stored messages keep their token counts, so no plan counts them again."""

import pytest
import tiktoken

from history.models import Generation, Message
from history.services.answers.sending import send
from tests.factories import store_step
from tests.history.services.conftest import ADA, answer, converse, say

pytestmark = pytest.mark.django_db


@pytest.fixture
def counted(monkeypatch):
    """Record the texts that the exact counter counts."""
    texts = []
    encode = tiktoken.Encoding.encode

    def noting(self, text, **options):
        texts.append(text)
        return encode(self, text, **options)

    monkeypatch.setattr(tiktoken.Encoding, "encode", noting)
    return texts


def test_planning_a_second_turn_counts_no_stored_message(demo, counted):
    ack = converse(ADA, "The first question")
    second = send(ADA, say("The second question", conversation=ack.conversation.pk))
    generation = Generation.objects.get(pk=second.generation.pk)
    stored = set(Message.objects.values_list("text", flat=True))
    assert stored <= set(counted)
    counted.clear()

    store_step(generation)

    assert "Be kind." in counted  # The prompt is not stored as a message.
    assert stored.isdisjoint(counted)


def test_each_message_is_counted_once_when_it_is_stored(demo, counted):
    ack = converse(ADA, "The only question")
    generation = Generation.objects.get(pk=ack.generation.pk)

    store_step(generation)
    answer(generation, "A further answer")

    assert [counted.count(text) for text in ("The only question", "A further answer")] == [1, 1]
