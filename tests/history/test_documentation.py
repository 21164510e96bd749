"""docs/history.md lists the settings as the table in code has them."""

from pathlib import Path

import pytest

from history.core.kinds import MOST, Boolean, Choice, Integer
from history.core.settings import SETTINGS, LayerName

PAGE = Path(__file__).resolve().parents[2] / "docs" / "history.md"
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
        case Integer(minimum, maximum):
            return f"{minimum:,} and up" if maximum == MOST else f"{minimum:,} to {maximum:,}"
    return "a name"


def row(spec):
    places = ", ".join(place for layer, place in PLACES.items() if layer in spec.layers)
    cells = [f"`{spec.name}`", spec.shown(spec.default), values(spec.kind)]
    return f"| {' | '.join([*cells, f'`{spec.environment[0]}`', places])} |"


@pytest.mark.parametrize("spec", SETTINGS, ids=lambda spec: spec.name)
def test_every_setting_has_its_row(spec):
    assert row(spec) in PAGE.read_text().splitlines()


def test_no_row_is_of_a_setting_that_is_gone():
    _, _, after = PAGE.read_text().partition("## The settings\n")
    section, _, _ = after.partition("\n## ")
    rows = [line for line in section.splitlines() if line.startswith("| `")]

    assert rows == [row(spec) for spec in SETTINGS]
