"""Measurements write a great deal, but never into the developer's own database."""

import os

import pytest

from bench.__main__ import surroundings


@pytest.mark.parametrize(
    ("exported", "used"),
    [
        pytest.param({}, "", id="nothing is exported"),
        pytest.param({"DATABASE_URL": "postgresql://a/own"}, "", id="somebody's own"),
        pytest.param(
            {"DATABASE_URL": "postgresql://a/own", "BENCH_DATABASE_URL": "postgresql://a/spare"},
            "postgresql://a/spare",
            id="one for it",
        ),
    ],
)
def test_a_measurement_has_a_database_of_its_own(monkeypatch, exported, used):
    monkeypatch.delenv("DATABASE_URL", raising=False)
    for name, value in exported.items():
        monkeypatch.setenv(name, value)

    environment = surroundings("/a/folder")

    assert {name: environment[name] for name in ("DATA_DIR", "DATABASE_URL", "ENV_FILE")} == {
        "DATA_DIR": "/a/folder",
        "DATABASE_URL": used,
        "ENV_FILE": os.devnull,
    }
