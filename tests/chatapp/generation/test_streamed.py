"""The record of each whole answer says how much text came, and how much of it was kept."""

from uuid import uuid4

import pytest

from chatapp.databases.threads import close_connections, in_database
from chatapp.generation.summaries import summarise
from chatapp.llm import client
from history.core.wire.request import Outgoing
from history.models import Message, RequestOutcome
from history.services.access import Actor
from history.services.answers.commands import Send
from history.services.answers.sending import send
from history.services.explain.explanation import explanation_of
from history.services.summaries.writing import CannotSummarise
from tests.chatapp.llm.planting import plant
from tests.chatapp.lone_generations import lone
from tests.factories import make_agent
from tests.provider import LITELLM_WARNS, Reply, delta

pytestmark = [pytest.mark.django_db(transaction=True), *LITELLM_WARNS]
ADA = Actor(visitor="a" * 32)
LINES = "T1 \u2028 \x85 [DONE] T3"


@pytest.fixture(autouse=True)
async def closed():
    yield
    await client.close()
    await close_connections()


@pytest.fixture(params=["openai/local", "hosted_vllm/local"])
def model(request, provider, monkeypatch, settings):
    settings.MODEL_PROVIDERS |= {"hosted_vllm"}
    monkeypatch.setenv("HOSTED_VLLM_API_BASE", f"{provider.url}/v1")
    monkeypatch.setenv("HOSTED_VLLM_API_KEY", "test")
    return request.param


async def answered(model):
    """Ask a model, and return the outcome with its plan."""
    await in_database(make_agent, model=model)
    command = Send(text="Say", client_msg_id=uuid4(), agent="demo")
    await lone((await in_database(send, ADA, command)).generation).run()
    outcomes = RequestOutcome.objects.select_related("plan__generation")
    return await in_database(outcomes.get)


async def notes_of(outcome):
    explanation = await in_database(explanation_of, outcome.plan, 1)
    return [note.sentence for note in explanation.notes if note.is_warning]


async def test_an_answer_is_stored_as_it_came(model, provider):
    provider.script(Reply([LINES, " 4"], thinking=["Hm\u2029"]))

    outcome = await answered(model)

    message = await in_database(Message.objects.get, role="assistant")
    assert (message.text, message.parts[0]["text"]) == (f"{LINES} 4", "Hm\u2029")
    counts = {"text": len(LINES) + 2, "reasoning": 3, "arguments": 0}
    assert (outcome.streamed["said"], outcome.streamed["kept"]) == (counts, counts)
    assert await notes_of(outcome) == []


async def test_a_refusal_is_part_of_the_answer(model, provider):
    provider.script(Reply(raw=[delta(refusal="I can't.").decode().strip()]))

    await answered(model)

    assert (await in_database(Message.objects.get, role="assistant")).text == "I can't."


async def test_thinking_in_tags_is_counted_as_the_text_it_came_in(model, provider):
    provider.script(Reply([" <th", "ink>Hm, 7.</thi", "nk>\n\nSeven."]))

    outcome = await answered(model)

    assert outcome.streamed["said"] == outcome.streamed["kept"]
    assert outcome.streamed["said"]["text"] == len(" <think>Hm, 7.</think>\n\nSeven.")


@pytest.mark.parametrize(
    ("raw", "sentence"),
    [
        pytest.param(
            delta(annotations=[{"type": "url_citation"}]),
            "The provider also sent what Vitrine doesn't keep: annotations.",
            id="what nobody keeps",
        ),
        pytest.param(
            delta(content="a").replace(b'"a"', b'"\\u0000\\ud800"'),
            "2 characters of the answer can't be stored and were replaced.",
            id="what no database stores",
        ),
    ],
)
async def test_what_is_not_kept_is_named(model, provider, raw, sentence):
    provider.script(Reply(["Yes."], raw=[raw.decode().strip()]))

    assert await notes_of(await answered(model)) == [sentence]


async def test_a_loss_is_a_note_of_the_plan_and_an_error_of_the_log(
    model, provider, monkeypatch, caplog
):
    plant(monkeypatch, b"away", b"")
    provider.script(Reply(["Here ", "away", "again"]))

    outcome = await answered(model)

    assert await notes_of(outcome) == [
        "The provider sent 14 characters of text, but 10 were kept. The error was logged."
    ]
    assert [record.levelname for record in caplog.records if "not kept" in record.message] == [
        "ERROR"
    ]


async def test_a_summary_that_is_not_whole_is_none(model, provider, monkeypatch):
    plant(monkeypatch, b"away", b"")
    provider.script(Reply(["Here ", "away", "again"]), Reply(["Whole."]))
    messages = [{"role": "user", "content": "Summarise"}]

    with pytest.raises(CannotSummarise, match="lost"):
        await summarise(model, messages, 100, Outgoing())
    made = await summarise(model, messages, 100, Outgoing())

    assert made.text == "Whole."
