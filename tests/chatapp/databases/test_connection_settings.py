import pytest

from chatapp import env
from chatapp.databases.connection_settings import database


def named(url, tmp_path):
    """Return the settings and options that come from the URL."""
    found = database(tmp_path, url)
    fields = {name: found[name] for name in ("NAME", "USER", "PASSWORD", "HOST", "PORT")}
    return fields, {name: v for name, v in found["OPTIONS"].items() if name != "pool"}


@pytest.mark.parametrize(
    ("url", "fields", "options"),
    [
        pytest.param(
            "postgresql://ada:secret@db.example.org:5433/vitrine",
            ("vitrine", "ada", "secret", "db.example.org", 5433),
            {},
            id="whole",
        ),
        pytest.param(
            "postgres://localhost/vitrine", ("vitrine", "", "", "localhost", ""), {}, id="short"
        ),
        pytest.param(
            "postgresql://a%40b:p%2F%3F%23%40%25@[::1]/v%20w",
            ("v w", "a@b", "p/?#@%", "::1", ""),
            {},
            id="written with %",
        ),
        pytest.param(
            "postgresql://ada@/vitrine?host=/run/Postgres",
            ("vitrine", "ada", "", "/run/Postgres", ""),
            {},
            id="a socket's folder",
        ),
        pytest.param(
            "postgresql://db/vitrine?sslmode=require&connect_timeout=9",
            ("vitrine", "", "", "db", ""),
            {"sslmode": "require", "connect_timeout": "9"},
            id="options",
        ),
    ],
)
def test_a_url_is_read(url, fields, options, tmp_path):
    names = ("NAME", "USER", "PASSWORD", "HOST", "PORT")

    given = {"connect_timeout": "5"} | options
    assert named(url, tmp_path) == (dict(zip(names, fields, strict=True)), given)


def test_no_url_is_sqlite_in_the_folder(tmp_path):
    found = database(tmp_path, "")

    assert found["ENGINE"] == "django.db.backends.sqlite3"
    assert found["NAME"] == tmp_path / "vitrine.sqlite3"


def test_the_pool_keeps_connections_not_django(tmp_path):
    found = database(tmp_path, "postgresql://db/vitrine")

    assert found["OPTIONS"]["pool"]["max_size"] == 8
    assert (found["CONN_MAX_AGE"], found["CONN_HEALTH_CHECKS"]) == (0, True)


@pytest.mark.parametrize(
    "url",
    [
        pytest.param("vitrine.sqlite3", id="no URL"),
        pytest.param("mysql://ada:hidden@db/vitrine", id="another database"),
        pytest.param("postgresql://ada:hidden@db", id="no name"),
        pytest.param("postgresql://ada:hidden@db/vitrine/x", id="two names"),
        pytest.param("postgresql://ada:hidden@db:54x/vitrine", id="no number of a port"),
        pytest.param("postgresql://ada:hidden@db:99999/vitrine", id="too high a port"),
        pytest.param("postgresql://ada:hid/den@db/vitrine", id="a slash in the password"),
        pytest.param("postgresql://ada:hid#den@db/vitrine", id="a hash in the password"),
        pytest.param("postgresql://ada:hid?den@db/vitrine", id="a question mark in the password"),
        pytest.param("postgresql://ada:hid[den@db/vitrine", id="a bracket in the password"),
        pytest.param("postgresql://ada:hid%00den@db/vitrine", id="NUL"),
        pytest.param("postgresql://ada:hidden@db/vitrine?pool=x", id="an option that is not one"),
    ],
)
def test_a_bad_url_is_refused_without_its_password(url, monkeypatch, tmp_path):
    monkeypatch.setenv("DATABASE_URL", url)

    with pytest.raises(env.EnvironmentRefused) as refusal:
        env.read("DATABASE_URL", lambda raw: database(tmp_path, raw))

    assert str(refusal.value).startswith("DATABASE_URL in the environment: ")
    assert "hid" not in f"{refusal.value} {refusal.value.__cause__}"
