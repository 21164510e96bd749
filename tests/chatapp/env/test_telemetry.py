"""The allowed values of METRICS_ADDRESS, METRICS_TOKEN and OTEL_EXPORTER_OTLP_ENDPOINT."""

import pytest

from chatapp import env
from chatapp.env import telemetry as module
from chatapp.env.telemetry import Telemetry, telemetry

TOKEN = "0123456789abcdef"
NAMES = ("METRICS_ADDRESS", "METRICS_TOKEN", "OTEL_EXPORTER_OTLP_ENDPOINT", "OTEL_SERVICE_NAME")


@pytest.fixture
def read(monkeypatch):
    for name in NAMES:
        monkeypatch.delenv(name, raising=False)

    def read(**values):
        for name, value in values.items():
            monkeypatch.setenv(name, value)
        return telemetry(env.read)

    return read


def test_nothing_is_told_unless_it_is_asked_for(read):
    assert read() == Telemetry(None, "", "", "vitrine")


@pytest.mark.parametrize(
    ("raw", "meant"),
    [("127.0.0.1:9464", ("127.0.0.1", 9464)), ("[::1]:1", ("::1", 1))],
)
def test_this_machines_own_address_needs_no_token(read, raw, meant):
    assert read(METRICS_ADDRESS=raw).metrics_address == meant


def test_any_other_address_needs_one(read):
    with pytest.raises(
        env.EnvironmentRefused, match=r"^METRICS_ADDRESS='0.0.0.0:9464' in .*set METRICS_TOKEN"
    ):
        read(METRICS_ADDRESS="0.0.0.0:9464")

    assert read(METRICS_TOKEN=TOKEN).metrics_address == ("0.0.0.0", 9464)


@pytest.mark.parametrize(
    "raw", ["9464", "127.0.0.1", "127.0.0.1:0", "127.0.0.1:99999", "here:9464"]
)
def test_a_bad_address_is_named(read, raw):
    with pytest.raises(
        env.EnvironmentRefused, match=r"^METRICS_ADDRESS=.*must be an address and a port"
    ):
        read(METRICS_ADDRESS=raw)


@pytest.mark.parametrize(
    "raw", ["short", "a token with some blanks", "ein-Schl\u00fcssel-mit-Umlaut"]
)
def test_a_bad_token_is_refused_and_not_shown(read, raw):
    with pytest.raises(
        env.EnvironmentRefused, match=r"^METRICS_TOKEN in the .*at least 16"
    ) as refusal:
        read(METRICS_TOKEN=raw)

    assert raw not in str(refusal.value)


@pytest.mark.parametrize("raw", ["127.0.0.1:4318", "ftp://a", "http://", "http://a:b"])
def test_a_bad_collector_is_named(read, raw):
    with pytest.raises(env.EnvironmentRefused, match=r"^OTEL_EXPORTER_OTLP_ENDPOINT=.*such as"):
        read(OTEL_EXPORTER_OTLP_ENDPOINT=raw)


@pytest.mark.parametrize(
    ("values", "extra"),
    [
        ({"METRICS_ADDRESS": "127.0.0.1:9464"}, "metrics"),
        ({"OTEL_EXPORTER_OTLP_ENDPOINT": "http://127.0.0.1:4318"}, "tracing"),
    ],
)
def test_a_missing_extra_is_named(read, monkeypatch, values, extra):
    monkeypatch.setattr(module, "find_spec", lambda name: None)
    with pytest.raises(env.EnvironmentRefused, match=f"extra {extra}; .*requirements-all.txt"):
        read(**values)
