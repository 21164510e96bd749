"""Only OpenAI's Responses API writes answers in the background, and only if that is set."""

import pytest

from chatapp.llm.providers import background
from tests.provider import LITELLM_WARNS
from tests.strict.background import BackgroundResponses
from tests.strict.server import StrictProvider

pytestmark = [pytest.mark.django_db(transaction=True), *LITELLM_WARNS]


@pytest.mark.parametrize(
    ("model", "goes_on"),
    [
        ("openai/gpt-5.6", True),
        ("gpt-5.6", True),
        ("openai/responses/o3-pro", True),
        ("openai/gpt-4o", False),
        ("azure/gpt-5.6", False),
        ("anthropic/claude-opus-5-5", False),
        ("demo/mirror", False),
    ],
)
def test_which_models_go_on_without_us(settings, model, goes_on):
    assert not background.goes_on(model)

    settings.BACKGROUND_ANSWERS = True

    assert background.goes_on(model) == goes_on


@pytest.mark.parametrize("is_over", [True, False])
async def test_openai_forgets_a_response_and_ends_it_before_if_need_be(monkeypatch, is_over):
    with StrictProvider(BackgroundResponses()) as provider:
        for name, value in provider.environment.items():
            monkeypatch.setenv(name, value)
        provider.family.responses["resp_1"] = [b'data: {"response": {"id": "resp_1"}}']
        background.forget("openai/gpt-5.6", "resp_1", is_over=is_over)
        await background.settled()

    at = "/v1/responses/resp_1"
    ended = [] if is_over else [("POST", f"{at}/cancel")]
    assert provider.later == [*ended, ("DELETE", at)]


async def test_what_cannot_be_forgotten_is_logged_without_a_key(monkeypatch, caplog):
    monkeypatch.setenv("OPENAI_API_KEY", "sk-secret")
    monkeypatch.setenv("OPENAI_API_BASE", "http://127.0.0.1:9/v1")
    background.forget("openai/responses/gpt-5.6", "resp_1", is_over=True)
    await background.settled()

    assert "OpenAI may keep an answer in the background: APIConnectionError" in caplog.text
    assert "sk-secret" not in caplog.text
