"""Every mechanism of the engine, case by case, through `manage.py context project`."""

import pytest
from django.core.management import CommandError

from history.core.settings import registry
from tests.history.case_parts import FILTER, rounds, turns, words
from tests.history.chain_cases import LONG, TWO, WORKED
from tests.history.projecting import as_openai, contents, has_fact, letters, plan_of, projected
from tests.history.row_cases import REPAIRED, ROWS
from tests.transcripts import MALFORMED

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def ones_own(monkeypatch):
    """Register a processor and a pruner, as a site would."""
    for table in ("processors", "pruners"):
        monkeypatch.setattr(registry, table, {})
    registry.register_processor("questions_only", lambda: _questions)
    registry.register_pruner("newest_only", lambda turns, settings, budget: len(turns) - 1)


def _questions(segments):
    return tuple(part for part in segments if part.messages[0].role == "user")


@pytest.mark.parametrize(
    ("lines", "values", "chain", "expected", "facts", "sends"),
    ROWS,
)
def test_row(tmp_path, lines, values, chain, expected, facts, sends):
    record = projected(tmp_path, lines, values, chain)

    assert letters(record) == expected
    assert [each for each in facts if not has_fact(record, each)] == []
    assert [text for text in sends if text not in contents(record)] == []


@pytest.mark.parametrize("name", MALFORMED)
def test_f27_no_orphans(tmp_path, name):
    record = plan_of(tmp_path, as_openai(MALFORMED[name]))

    assert letters(record) == REPAIRED[name]
    assert [repair["verdict"] for repair in record["repaired"]] == [
        letter for letter in REPAIRED[name] if letter in "A!"
    ]


@pytest.mark.parametrize("budget", range(260, 330, 5))
def test_f18_a_call_and_its_results_go_together_at_any_budget(tmp_path, budget):
    lines = ["user: a", *rounds(4), f"assistant: {words(40)}", *turns(2, 60)]

    found = letters(
        projected(
            tmp_path,
            lines,
            f"policy=all output_reserve=1 min_history_turns=0 token_budget={budget}",
        )
    )

    assert {found[place : place + 2] for place in range(1, 9, 2)} in ({"TT"}, {"KK"})


def test_f19_exclude_and_include_contradict(tmp_path):
    both = {**FILTER, "exclude": ["look"], "include": ["look"]}

    with pytest.raises(CommandError, match="give either exclude or include, not both"):
        projected(tmp_path, TWO, processors={"agent": [both]})


def test_f05_the_setting_still_shows_0(tmp_path):
    record = projected(tmp_path, turns(1), "length=0")

    assert record["plan"]["settings"]["length"]["candidates"][0]["value"] == 0


def test_f23_each_levels_effect_stands_in_the_plan(tmp_path):
    record = projected(tmp_path, LONG, processors=WORKED)

    entries = [entry for entry in record["plan"]["entries"] if entry["verdict"] == "F"]
    assert [(entry["first"], entry["last"], entry["level"]) for entry in entries] == [
        (0, 0, "network"),
        (3, 4, "history"),
        (5, 6, "agent"),
    ]
