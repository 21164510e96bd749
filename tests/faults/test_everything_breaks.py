"""While people chat, servers are killed and connections cut; nothing is lost, doubled or half done.

FAULTS_SEED repeats a round that failed; `make soak-faults` runs many rounds.
"""

import os
import random

import pytest

from tests import data
from tests.faults.rig import Round, rig

SEED = os.environ.get("FAULTS_SEED") or f"{random.SystemRandom().randrange(10**6)}"
SECONDS = 20.0
WHY = "workers need PostgreSQL"


@pytest.mark.whole
@pytest.mark.parametrize(
    "workers",
    [
        pytest.param(0, id="servers write answers"),
        pytest.param(2, id="workers do", marks=pytest.mark.skipif(not data.server(), reason=WHY)),
    ],
)
def test_nothing_is_lost_or_doubled(migrated, tmp_path, request, workers):
    port = request.getfixturevalue("redis").port if data.server() else 0
    with rig(migrated, tmp_path / "data", SEED, port, workers) as it:
        outcome = it.play(Round(SEED, SECONDS))

    counts = outcome.figures.counts
    said = "\n".join([f"FAULTS_SEED={SEED}", *outcome.figures.lines()])
    assert not outcome.faults, "\n".join([said, *outcome.faults])
    assert counts["acknowledged"] > 0, said
    assert min(counts["kills"], counts["cuts"]) > 0, said
