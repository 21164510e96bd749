"""The examples of docs/extending.md can be registered as the page says, and do what it says."""

import re
import sys
from datetime import UTC, datetime
from pathlib import Path
from types import ModuleType
from uuid import uuid4

import pytest

from agents.context import Facts, parse_context
from agents.context.gathering import gathered
from agents.context.parts import PROVIDERS, register_providers
from chatapp.env import dotted_paths
from history.core.settings import registry
from history.extensions import register_own, register_tokenizers
from history.tokens import tokenizer_for
from history.tokens import tokenizers as tokens
from tests.history.core.making import chained, of_transcript, projected, transcript
from tests.transcripts import turns

PAGE = (Path(__file__).resolve().parents[2] / "docs" / "extending.md").read_text()
PYTHON = re.findall(r"```python\n(.*?)```", PAGE, re.DOTALL)


def given(variable):
    """Return the value that the page's example gives this variable."""
    return dotted_paths(re.search(rf"^{variable}=(.*mine.*)$", PAGE, re.MULTILINE)[1])


@pytest.fixture(autouse=True)
def mine(monkeypatch):
    """Import the page's code as the module `mine`; remove all that it registers after the test."""
    module = ModuleType("mine")
    exec("\n".join(PYTHON), vars(module))
    monkeypatch.setitem(sys.modules, "mine", module)
    monkeypatch.setattr(registry, "processors", {})
    monkeypatch.setattr(registry, "pruners", {})
    monkeypatch.setattr(tokens, "_tokenizers", {})
    monkeypatch.delitem(PROVIDERS, "office_hours", raising=False)
    yield
    PROVIDERS.pop("office_hours", None)


def test_the_processor_leaves_out_short_answers():
    register_own(given("HISTORY_CUSTOM_PROCESSORS"), {})
    talk = transcript(
        "user: a", "assistant: Yes.", "user: b", "assistant: It may well rain", "user: c"
    )

    plan = chained(talk, {"use": "short_answers", "words": 4}).plan

    assert of_transcript(plan) == "KFKKK"
    assert (plan.entry_at(1).rule, plan.entry_at(1).level) == ("short_answers", "history")


def test_the_pruner_leaves_out_half_at_a_time():
    register_own({}, given("HISTORY_CUSTOM_PRUNERS"))
    values = {"policy": "all", "token_budget": 256, "output_reserve": 166, "min_history_turns": 0}

    plan = projected(turns(8), pruner="halves", **values).plan

    assert of_transcript(plan) == "TTTTTTTTKKKKKKKK"


def test_the_tokenizer_counts_for_its_models():
    register_tokenizers(given("HISTORY_TOKENIZERS"))

    assert tokenizer_for("ollama_chat/byte-7b").measure("caf\u00e9").tokens == 5


def test_the_provider_gives_its_text():
    register_providers(given("CONTEXT_PROVIDERS"))
    facts = Facts(datetime(2026, 11, 20, 12, tzinfo=UTC), "Ada", "demo", 1, uuid4())

    (text,) = gathered(parse_context([{"use": "office_hours"}]), facts).texts

    assert "The desk is open." in text.text
