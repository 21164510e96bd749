"""A database older than the first release is accepted if every migration was applied to it."""

import pytest
from django.db import connection
from django.db.migrations.recorder import MigrationRecorder

from chatapp.databases.schema import applied, forget_replaced, replaced, unknown

FIRST = ["agents.0001_initial", "history.0001_initial"]
LAST = ["agents.0013_reasoning_back", "history.0050_few_letters"]


@pytest.mark.parametrize(
    ("names", "found"),
    [
        pytest.param([*FIRST, *LAST, "history.0020_parts"], [], id="every one"),
        pytest.param([*FIRST, *LAST, "history.0051_x"], ["history.0051_x"], id="and a newer one"),
        pytest.param([*FIRST, "history.0020_parts"], ["history.0020_parts"], id="only some"),
        pytest.param([*FIRST, *LAST[:1]], LAST[:1], id="those of one app"),
        pytest.param([*FIRST, "gone.0002_x"], [], id="of an app that is not installed"),
        pytest.param(FIRST, [], id="today's"),
    ],
)
def test_what_only_another_version_can_have_made(names, found):
    assert unknown(names) == found


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("names", "forgotten"), [([*LAST, "history.0020_parts"], True), (LAST[1:], False)]
)
def test_what_one_migration_stands_for_is_forgotten(names, forgotten):
    before = applied()
    recorder = MigrationRecorder(connection)
    for name in names:
        recorder.record_applied(*name.split("."))

    forget_replaced()

    assert (applied() == before) is forgotten
    assert replaced(applied()) == set()
