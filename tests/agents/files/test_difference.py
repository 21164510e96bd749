import pytest

from agents.files.importing import FieldChange, changes


@pytest.mark.parametrize(
    ("before", "after", "lines"),
    [
        pytest.param({"name": "A"}, {"name": "A"}, [], id="the same"),
        pytest.param({"name": "A"}, {"name": "B"}, ['name: "A" -> "B"'], id="text"),
        pytest.param(
            {"temperature": None}, {"temperature": 0.5}, ["temperature: not set -> 0.5"], id="set"
        ),
        pytest.param(
            {"history_settings": {"policy": "all", "length": 5}},
            {"history_settings": {"policy": "none", "max_items": 9}},
            [
                'history_settings.policy: "all" -> "none"',
                "history_settings.length: 5 -> not set",
                "history_settings.max_items: not set -> 9",
            ],
            id="settings one by one",
        ),
        pytest.param(
            {"system_prompt": "Be kind.\nBe brief.\nBe exact.\nBe calm."},
            {"system_prompt": "Be kind.\nBe long.\nBe exact.\nBe calm."},
            [
                "system_prompt:",
                "  @@ -1,3 +1,3 @@",
                "   Be kind.",
                "  -Be brief.",
                "  +Be long.",
                "   Be exact.",
            ],
            id="only the lines that differ",
        ),
        pytest.param(
            {"name": "A"}, {"name": "\x1b[31mB"}, ['name: "A" -> "\\u001b[31mB"'], id="controls"
        ),
    ],
)
def test_a_difference_in_lines(before, after, lines):
    assert [line for change in changes(before, after) for line in change.lines()] == lines


def test_a_long_text_is_shortened():
    (line,) = FieldChange("name", "", "x" * 500).lines()

    assert line == f'name: "" -> "{"x" * 199}…'
