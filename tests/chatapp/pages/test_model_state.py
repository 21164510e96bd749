"""The page offers another agent only if one has a usable model."""

import pytest

from chatapp.llm.catalogue import DEMO_MODEL
from chatapp.pages.welcome.model_state import another_answers
from tests.factories import make_agent

pytestmark = pytest.mark.django_db
KEYLESS = "openai/gpt-nope"


@pytest.fixture(autouse=True)
def keyless(settings, monkeypatch):
    settings.DEFAULT_MODEL = KEYLESS
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    monkeypatch.delenv("ANTHROPIC_API_KEY", raising=False)


@pytest.mark.parametrize(
    ("other", "enabled", "answers"),
    [
        pytest.param("", True, False, id="on the same model"),
        pytest.param("anthropic/claude-sonnet-4-5", True, False, id="whose key is missing too"),
        pytest.param(DEMO_MODEL, True, True, id="with a model that can be asked"),
        pytest.param(DEMO_MODEL, False, False, id="that is not enabled"),
    ],
)
def test_another_agent(other, enabled, answers):
    make_agent("one", model="")
    make_agent("other", model=other, enabled=enabled)

    assert another_answers(KEYLESS) is answers
