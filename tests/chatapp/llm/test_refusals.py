"""A provider's own words for a refusal are stored with the attempt, shortened and without keys."""

import gzip
import json

import httpx
import pytest

from chatapp.llm.errors import ErrorKind
from chatapp.llm.providers.refusals import HIDDEN, LONGEST, masked, words_of
from chatapp.llm.retries import Attempts
from tests.chatapp.llm.answering import answer
from tests.chatapp.llm.families import FAMILIES, SECRET
from tests.provider import LITELLM_WARNS, Reply

pytestmark = [pytest.mark.usefixtures("reached"), *LITELLM_WARNS]
WHY = "`max_tokens` must be greater than `thinking.budget_tokens`."


@pytest.fixture(params=sorted(FAMILIES.keys() - {"ollama_chat"}))
def model(request):
    return FAMILIES[request.param]


async def test_the_words_are_kept_without_the_key(provider, model, caplog):
    quoting = json.dumps({"error": {"message": f"{WHY} You sent {SECRET}, {SECRET[:9]}..."}})
    provider.script(Reply(status=400, body=quoting))
    attempts = Attempts()

    _, error = await answer(model, attempts=attempts, reasoning_effort="high")

    (sent,) = attempts.sent
    assert WHY in sent.said
    assert SECRET[:9] not in sent.said
    assert HIDDEN in sent.said
    assert error.kind == ErrorKind.BAD_REQUEST
    assert "reasoning effort (high)" in error.message
    assert WHY not in error.message + caplog.text


async def test_they_are_kept_of_each_attempt(provider):
    provider.script(Reply(status=503, body="Busy."), Reply(text=["Hi"]))
    attempts = Attempts()

    await answer(FAMILIES["anthropic"], attempts=attempts)

    assert [sent.said for sent in attempts.sent] == ["Busy.", ""]


async def test_they_are_cut(provider):
    provider.script(Reply(status=400, body="x" * 100_000))
    attempts = Attempts()

    _, error = await answer(FAMILIES["openai"], attempts=attempts)

    assert len(attempts.sent[0].said) == LONGEST
    assert "effort" not in error.message


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("Key sk-abcdefghij is wrong", f"Key {HIDDEN} is wrong"),
        ("Key sk-abcd... is wrong", f"Key {HIDDEN}... is wrong"),
        ("ends in efghij", f"ends in {HIDDEN}"),
        ("ends in ghij", "ends in ghij"),
        ("sk-abcdefghijsk-abcdefghij", HIDDEN),
    ],
)
def test_a_key_is_hidden_whole_and_in_pieces(text, shown):
    assert masked(text, ["sk-abcdefghij"]) == shown


def test_what_is_packed_is_read_or_left_out():
    headers = httpx.Headers({"content-encoding": "gzip"})
    whole = gzip.compress(WHY.encode())

    assert words_of(whole, headers, frozenset()) == WHY
    assert words_of(b"no gzip", headers, frozenset()) == ""
