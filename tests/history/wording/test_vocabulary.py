"""People read a setting's name as forms show it, never as in code.

The exceptions are names that people must type exactly, in an agent's file or in the environment.
"""

import ast
import re
from collections.abc import Iterator
from functools import cache
from typing import Any

import pytest

from history.core.settings.contradictions import Step, Way, find
from history.core.settings.resolution import resolve
from history.core.settings.spec import LayerName
from history.core.settings.table import BY_NAME, SETTINGS
from history.core.transcript.reasoning import UNBOUND, ReasoningRule
from history.core.words.facts import Fact, Note, Rule, fact, note
from history.wording import faults, notes, parts, reasons, remembering, settings
from history.wording.deciding import contradictions
from history.wording.names import label_of, quoted
from tests.history.core.making import template
from tests.history.wording import test_notes, test_reasons
from tests.servers import ROOT

pytestmark = pytest.mark.words

CODE = re.compile(r"[a-z]+_+[a-z]+(?:_[a-z]+)*")
JUSTIFIED = {
    "sliding_window",  # A value of “Pruner”, the same in forms, files and variables.
    "files__read_file",  # The name of a tool.
    "load_demo_agents",  # A command.
    "questions_only",  # A name that a site registered.
}
TEXTS = {"_", "say", "gettext", "gettext_lazy", "gettext_noop", "ngettext", "ngettext_lazy"}
PLACEHOLDER = re.compile(r"\{[^{}]*\}|%\(\w+\)s")
TRANSLATED = re.compile(
    r"{%-?\s*translate (\"[^\"]*\")|{%-?\s*blocktranslate[^%]*%}(.*?){%-?\s*endblocktranslate",
    re.DOTALL,
)

STRAYS = {
    r"\b[Cc]onversations?\b": "chat",
    r"\b[Rr]epl(y|ies)\b": "answer",
    r"(?<![.\w])env\b|\b[Ll]ocked\b|\bby (the )?environment\b": "set by the server",
    r"\b[Cc]apped\b": "the server allows",
    r"\b[Tt]rimming\b": "left out",
    r"\b[Ww]hat is expected is so\b": "Expected figures assume",
    r"\b[Ee]xchanges?\b": "turn",
    r"\bContext inspector\b|^\"?Context\"?$": "inspector",
    r"\bTry again( \(|\"?$)": "Retry",
    r"\b[Vv]ersions? of (this|the) chat\b|\bbegins a version\b": "branch",
    r"\b[Aa]gent templates?\b": "agent",
    r"\bURLs?\b": "address",
    r"\blitellm\b": "provider",
    r"\b(is|are|was|were) (excluded|filtered out|trimmed)\b|\bseen by the model$": "left out, sent",
}
NOT_READ_THERE = {
    "history/core/settings/spec.py": "a layer's name is stored",
    "agents/models.py": "the administration keeps agents' templates",
    "agents/form_parts/context_rows.py": "a context text, beside its provider",
}


def code_in(sentence: str) -> set[str]:
    """Return the words that are names in code."""
    return set(CODE.findall(sentence)) - JUSTIFIED


@cache
def texts_of_python() -> tuple[tuple[str, str], ...]:
    return tuple(read_python())


@cache
def texts_of_templates() -> tuple[tuple[str, str], ...]:
    return tuple(read_templates())


def read_python() -> Iterator[tuple[str, str]]:
    rooms = (ROOT / room for room in ("agents", "chatapp", "history"))
    for path in (path for room in rooms for path in room.rglob("*.py")):
        for call in ast.walk(ast.parse(path.read_text())):
            if not isinstance(call, ast.Call) or getattr(call.func, "id", "") not in TEXTS:
                continue
            for given in call.args:
                if isinstance(given, ast.Constant) and isinstance(given.value, str):
                    yield str(path.relative_to(ROOT)), PLACEHOLDER.sub("", given.value)


def read_templates() -> Iterator[tuple[str, str]]:
    for path in (ROOT / "templates").rglob("*.*"):
        for found in TRANSLATED.finditer(path.read_text()):
            text = re.sub(r"{{.*?}}|{%.*?%}|<[^>]*>", "", found[1] or found[2])
            yield str(path.relative_to(ROOT)), text


def known_facts(module: Any) -> Iterator[Any]:
    """Yield the facts and notes that a test module turns into sentences."""
    for test in vars(module).values():
        for mark in getattr(test, "pytestmark", ()):
            for case in mark.args[1] if mark.name == "parametrize" else ():
                yield from (each for each in (getattr(case, "values", case)) if is_fact(each))


def is_fact(value: object) -> bool:
    return isinstance(value, Fact | Note)


def contradictory() -> Iterator[str]:
    """Yield a sentence for every kind of contradiction, and each way out for each setting."""
    for given in (
        {"keep_recent": 100, "pruner": "sliding_window", "sliding_window_turns": 2},
        {"summarize": True, "policy": "none"},
        {"summarize": True, "max_items": 40, "length": 5},
        {"summarize": True, "summarize_every": 2_000, "output_reserve": 8_192},
        {"token_stride": 5_000},
    ):
        yield from map(contradictions.sentence_of, find(resolve([template(**given)])))
    for step in Step:
        yield from (contradictions._way(Way(step, name), str) for name in BY_NAME)


def about_settings() -> Iterator[str]:
    """Yield the sentences that take the name of a setting, for every setting."""
    resolved = resolve([])
    for spec in SETTINGS:
        wrong = faults.word_fault(fact(Rule.NO_BOOLEAN))
        yield from (quoted(spec.name), label_of(spec.name), spec.help, spec.unset, spec.zero, wrong)
        yield settings.labelled(fact(Rule.NO_BOOLEAN, name=spec.name, value="x"))
        yield remembering.value_set_by(resolved, spec.name, "Demo")
    for row in settings.setting_rows(resolve([template(length=5)])):
        yield from (row.label, row.value, row.where, *(loser.reason for loser in row.losers))


def about_requests() -> Iterator[str]:
    named = {"name": "reasoning_effort", "value": "low", "model": "m", "budget": 9, "asked": 5}
    for bound in ("output_limit", "output_reserve"):
        yield notes.sentence_of(note(Rule.NO_ROOM_TO_THINK, **named, bound=bound))
        yield notes.sentence_of(note(Rule.LIMIT_LOWERED, asked=5, limit=9, bound=bound))
    for name in ("temperature", "max_tokens", "reasoning_effort"):
        for rule in (Rule.NOT_TAKEN, Rule.NOT_WHILE_THINKING, Rule.THINKING_UNKNOWN):
            yield notes.sentence_of(note(rule, name=name, value="1", model="m"))
    for kind in ("image", "file"):
        yield parts.older(kind, 2, "built-in", "[Omitted]")
    changed = ReasoningRule(unbound={1: fact(Rule.PREFIX_CHANGED, setting="prefix")})
    for why in (*parts.BY_SETTING, UNBOUND):
        yield parts.reasoning_left_out(why, resolve([]), changed)
    yield parts.reasoning_sent(1, "built-in", is_current=False)
    run = {"setting": "max_items", "places": [[0, 3]]}
    yield notes.sentence_of(note(Rule.LOST, count=4, runs=[run]))
    for layer in LayerName:
        allowed = [str(each) for each in LayerName]
        yield faults.word_fault(fact(Rule.MAY_NOT_SET, name="length", layer=layer, allowed=allowed))


@pytest.mark.parametrize(
    "texts",
    [
        pytest.param(texts_of_python, id="Python"),
        pytest.param(texts_of_templates, id="templates"),
    ],
)
def test_no_text_has_a_name_that_only_code_has(texts):
    assert len(texts()) > 300
    assert [(where, text) for where, text in texts() if code_in(text)] == []


@pytest.mark.parametrize("texts", [texts_of_python, texts_of_templates])
@pytest.mark.parametrize(("stray", "word"), STRAYS.items(), ids=STRAYS.values())
def test_one_thing_has_one_word(texts, stray, word):
    read = ((where, text) for where, text in texts() if not where.startswith((*NOT_READ_THERE,)))
    found = [(where, text) for where, text in read if re.search(stray, text)]

    assert found == [], f"Write {word!r} instead."


@pytest.mark.parametrize(
    "sentences",
    [
        pytest.param(lambda: map(notes.sentence_of, known_facts(test_notes)), id="notes"),
        pytest.param(
            lambda: (reasons.worded_reasons([f]) for f in known_facts(test_reasons)), id="reasons"
        ),
        pytest.param(contradictory, id="contradictions"),
        pytest.param(about_settings, id="settings"),
        pytest.param(about_requests, id="requests"),
    ],
)
def test_no_sentence_has_a_name_that_only_code_has(sentences):
    found = list(sentences())

    assert len(found) > 10
    assert [sentence for sentence in found if code_in(sentence)] == []


def test_what_a_person_has_to_type_keeps_its_name():
    assert faults.word_fault(fact(Rule.NO_BOOLEAN, name="token_budget", value="x")).startswith(
        "token_budget=x: "
    )
