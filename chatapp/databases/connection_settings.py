"""Choose the database: SQLite in the data folder, or the PostgreSQL that `DATABASE_URL` names."""

from pathlib import Path
from typing import Any
from urllib.parse import SplitResult, parse_qsl, unquote, urlsplit

WAIT_SECONDS = 5  # The longest wait for a lock or a free connection.
SQLITE = {
    "ENGINE": "django.db.backends.sqlite3",
    "OPTIONS": {
        "timeout": WAIT_SECONDS,
        # In other modes, half of all concurrent writes fail while SQLite uses WAL.
        "transaction_mode": "IMMEDIATE",
        "init_command": "PRAGMA journal_mode=WAL; PRAGMA synchronous=NORMAL;",
    },
}
POSTGRESQL = {
    "ENGINE": "django.db.backends.postgresql",
    "CONN_MAX_AGE": 0,  # Django keeps no connections itself, because the pool keeps them.
    # Without health checks, each connection fails once after PostgreSQL restarts.
    "CONN_HEALTH_CHECKS": True,
}
POOL = {
    "min_size": 2,
    "max_size": 8,
    "timeout": WAIT_SECONDS,
    # How long the pool tries to reconnect by itself, in seconds. After that, it tries again when
    # somebody needs a connection.
    "reconnect_timeout": 10,
}
FORM = "must be an address such as postgresql://user:password@host:5432/name, with / ? # @ in the"
FORM += " password written as %2F %3F %23 %40"
OPTIONS = ("host", "sslmode", "sslrootcert", "sslcert", "sslkey", "connect_timeout")


def database(folder: Path, url: str) -> dict[str, Any]:
    """Return one entry of Django's DATABASES. Raise ValueError for a bad URL."""
    return _postgresql(url) if url else _sqlite(folder)


def _sqlite(folder: Path) -> dict[str, Any]:
    # The tests' database must be a file: a generation's threads open a second connection to it.
    return {
        **SQLITE,
        "NAME": folder / "vitrine.sqlite3",
        "TEST": {"NAME": folder / "test.sqlite3"},
    }


def _postgresql(url: str) -> dict[str, Any]:
    parts, options = _split(url), _options(url)
    host = options.pop("host", parts.hostname or "")
    return {
        **POSTGRESQL,
        "NAME": unquote(parts.path[1:]),
        "USER": unquote(parts.username or ""),
        "PASSWORD": unquote(parts.password or ""),
        "HOST": host,
        "PORT": parts.port or "",
        "OPTIONS": {"pool": POOL, "connect_timeout": str(WAIT_SECONDS), **options},
    }


def _split(url: str) -> SplitResult:
    """Split the URL into its parts. Errors show nothing of it, because it contains the password."""
    try:
        parts = urlsplit(url)
        whole = parts.scheme in {"postgresql", "postgres"} and parts.port != 0
    except ValueError:  # The message of urlsplit's error may quote the password.
        raise ValueError(FORM) from None
    name = unquote(parts.path[1:])
    if not whole or not name or "/" in name or "\x00" in unquote(url) or parts.fragment:
        raise ValueError(FORM)
    return parts


def _options(url: str) -> dict[str, str]:
    options = dict(parse_qsl(urlsplit(url).query, keep_blank_values=True))
    if options.keys() - set(OPTIONS):
        raise ValueError(f"after the ? may stand {', '.join(OPTIONS)}, and nothing else")
    return options
