"""docs/history.md lists settings and the options of processors exactly as the code has them."""

from dataclasses import MISSING, fields
from pathlib import Path

import pytest

from history.core.settings.caps import LENGTH_CAP, LENGTH_MAX, TOKEN_BUDGET_CAP, TOKEN_BUDGET_MAX
from history.core.settings.options import Names
from history.core.settings.spec import Boolean, Choice, Integer, LayerName, shown_value
from history.core.settings.table import SETTINGS
from history.core.stages.processors import PROCESSORS, parse_levels
from history.core.words.errors import SettingErrors, Unfit
from history.core.words.facts import Fact
from history.wording.faults import word_fault

ROOT = Path(__file__).resolve().parents[2]
PAGE, VARIABLES = ROOT / "docs" / "history.md", ROOT / ".env.example"
PLACES = {
    LayerName.URL: "address",
    LayerName.CONVERSATION: "conversation",
    LayerName.TEMPLATE: "template",
    LayerName.SITE: "site",
}


def values(kind):
    match kind:
        case Choice(words):
            return ", ".join(words)
        case Boolean():
            return "true, false"
        case Names():
            return "a list of tool names that is not empty"
        case Integer(minimum, maximum):
            return f"{minimum:,} to {maximum:,}"
    return "a name"


def row(spec):
    places = ", ".join(place for layer, place in PLACES.items() if layer in spec.layers)
    is_typed = isinstance(spec.kind, Boolean)
    built_in = shown_value(spec.default) if is_typed else spec.shown(spec.default)
    cells = [f"`{spec.name}`", built_in, values(spec.kind)]
    return f"| {' | '.join([*cells, f'`{spec.environment[0]}`', places])} |"


@pytest.mark.parametrize("spec", SETTINGS, ids=lambda spec: spec.name)
def test_every_setting_has_its_row(spec):
    assert row(spec) in PAGE.read_text().splitlines()


NUMBERS = {
    **{spec.environment[0]: spec.kind for spec in SETTINGS if isinstance(spec.kind, Integer)},
    LENGTH_MAX: LENGTH_CAP,
    TOKEN_BUDGET_MAX: TOKEN_BUDGET_CAP,
}


@pytest.mark.parametrize("name", NUMBERS)
def test_the_help_of_a_number_says_its_bounds(name):
    entries = VARIABLES.read_text().split("\n\n")
    (entry,) = (entry for entry in entries if entry.endswith(f"#{name}="))

    kind = NUMBERS[name]
    told = " ".join(entry.replace("\n# ", " ").split())
    assert f" {values(kind)}. " in told
    with pytest.raises(Unfit):
        kind.from_text(str(kind.maximum + 1))


def test_no_row_is_of_a_setting_that_is_gone():
    _, _, after = PAGE.read_text().partition("## The settings\n")
    section, _, _ = after.partition("\n## ")
    rows = [line for line in section.splitlines() if line.startswith("| `")]

    assert rows == [row(spec) for spec in SETTINGS]


WRONG = {Names: [], Boolean: 1, Integer: 0}  # A refused value of each kind.
UNSET = {MISSING: "must be given", (): "-", False: "false"}


def refused(chain):
    """Return the error's text, without the level and the processor's number."""
    with pytest.raises(SettingErrors) as error:
        parse_levels({"agent": chain})
    return word_fault(Fact.from_dict(error.value.by_setting["agent 1"].figures["why"]))


def option_row(name, option):
    kind = option.metadata["kind"]
    said = refused([{"use": name, option.name: WRONG[type(kind)]}])
    cells = [f"`{name}`", f"`{option.name}`", UNSET[option.default], values(kind)]
    return f"| {' | '.join([*cells, f'`{said}`'])} |"


def test_every_option_of_a_processor_has_its_row_and_no_other():
    _, _, after = PAGE.read_text().partition("## The processors\n")
    section, _, _ = after.partition("\n## ")

    assert [line for line in section.splitlines() if line.startswith("| `")] == [
        option_row(name, option)
        for name, processor in PROCESSORS.items()
        for option in fields(processor)
    ]


@pytest.mark.parametrize(
    "chain",
    [
        [{"use": "token_limiter"}],
        [{"use": "token_limiter", "most": 5}],
        [{"use": "tool_call_filter", "exclude": ["search"], "include": ["fetch"]}],
        [{"use": "nothing"}],
    ],
)
def test_other_errors_of_processors_are_in_the_page_too(chain):
    assert refused(chain) in " ".join(PAGE.read_text().split())
