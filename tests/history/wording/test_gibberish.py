"""`pytest --gibberish` replaces all sentences on plans and settings, but no figures."""

import pytest
from django.utils import translation

from history.core.plan.plan import Entry
from history.core.plan.verdict import Verdict
from history.core.settings.contradictions import find
from history.core.settings.layers import Layer, url_layer
from history.core.settings.resolution import resolve
from history.core.settings.resolved import Settings
from history.core.settings.spec import LayerName
from history.core.words.facts import Rule, fact, note
from history.wording import faults, notes, reasons, settings
from history.wording.deciding import contradictions, sources
from tests import gibberish

ODD = resolve([url_layer("historyLength=x"), Layer(LayerName.TEMPLATE, "t", {"keep_recent": 200})])
OLDER = Settings.from_dict({})
PINNED = Entry(Verdict.KEPT, 0, 0, 1, 1, 1, 9, 9, rule="pin", reasons=(fact(Rule.PINNED),))


@pytest.fixture(autouse=True)
def nonsense(monkeypatch):
    for name in gibberish.SPOKEN:
        monkeypatch.setattr(translation._trans, name, gibberish.gibberish, raising=False)


@pytest.mark.parametrize(
    "say",
    [
        pytest.param(lambda: reasons.reason_of(PINNED), id="why an entry has its verdict"),
        pytest.param(lambda: notes.sentence_of(note(Rule.LENGTH_ACTS_AS_ONE)), id="a note"),
        pytest.param(lambda: contradictions.sentence_of(find(ODD)[0]), id="a contradiction"),
        pytest.param(lambda: settings.reason_of(ODD.invalid[0][1]), id="why a value is ignored"),
        pytest.param(lambda: faults.word_fault(fact(Rule.NO_BOOLEAN)), id="an error"),
        pytest.param(lambda: sources.source_of(OLDER["pruner"].winner), id="an older plan's"),
    ],
)
def test_it_says_nothing(say):
    assert say().startswith("Zub ")


def test_it_never_says_the_same_twice():
    assert notes.sentence_of(note(Rule.PINS_UNDER_NONE)) != notes.sentence_of(
        note(Rule.PINS_UNDER_NONE)
    )


def test_figures_stay():
    assert ODD.value("keep_recent") == 200
    assert ODD.invalid[0][1].reason.figures["value"] == "x"
