"""Folders of the app stay small enough to find one's way in."""

import pytest

from deploy.hygiene import MOST_MODULES, rooms


def modules(folder, count):
    return [f"{folder}/__init__.py", *(f"{folder}/module_{n}.py" for n in range(count))]


@pytest.mark.parametrize(
    ("names", "complaints"),
    [
        pytest.param(modules("chatapp/llm", MOST_MODULES), [], id="a full room"),
        pytest.param(
            modules("history/core/plan", MOST_MODULES + 1),
            ["history/core/plan: holds 16 modules; 15 is the most: part it"],
            id="a room with too many",
        ),
        pytest.param(modules("tests/running", 40), [], id="tests"),
        pytest.param(["chatapp/settings.py", "chatapp/urls.py"], [], id="the project's own"),
        pytest.param(
            ["chatapp/views.py"],
            ["chatapp/views.py: belongs in one of the rooms of chatapp"],
            id="a module beside the rooms",
        ),
    ],
)
def test_what_is_said_of_the_rooms(names, complaints):
    assert list(rooms(names)) == complaints
