"""The environment: every variable Vitrine reads, its default and its meaning, in one table.

The only file that reads or sets `os.environ`. A `.env` file beside manage.py is read too; what the
process was started with is stronger. A bad value raises `EnvironmentRefused`, which names it.
`manage.py env_example` prints the table as `.env.example`.
"""

import os
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import Any, TypeVar
from urllib.parse import urlsplit

from dotenv import dotenv_values

from history.core.contradictions import find
from history.core.resolution import Layer, LayerName, resolve
from history.core.settings import SETTINGS, SettingSpec

ROOT = Path(__file__).resolve().parent.parent
T = TypeVar("T")


class EnvironmentRefused(ValueError):
    """A variable holds what it may not; the message names it and the way out."""


@dataclass(frozen=True, slots=True)
class Variable:
    """One environment variable. `default` is the text that stands in `.env.example`."""

    name: str
    default: str
    help: str
    group: str
    secret: bool = False  # No error shows its value.


def text(raw: str) -> str:
    return raw


def boolean(raw: str) -> bool:
    values = {"true": True, "1": True, "yes": True, "false": False, "0": False, "no": False}
    if raw.lower() not in values:
        raise ValueError("must be true or false")
    return values[raw.lower()]


def positive(raw: str) -> int:
    if not (raw.isascii() and raw.isdigit() and int(raw) > 0):
        raise ValueError("must be a whole number above 0")
    return int(raw)


def names(raw: str) -> list[str]:
    return [part.strip() for part in raw.split(",") if part.strip()]


def origin(raw: str) -> str:
    parts = urlsplit(raw)
    if parts.scheme not in {"http", "https"} or not parts.hostname or parts.path.strip("/"):
        raise ValueError("must be an address such as https://chat.example.org")
    return f"{parts.scheme}://{parts.netloc}"


def optional(parse: Callable[[str], T]) -> Callable[[str], T | None]:
    """An unset variable is None."""
    return lambda raw: parse(raw) if raw else None


def dotted_paths(raw: str) -> dict[str, str]:
    """`name=package.module.function`, several with commas."""
    pairs = [part.partition("=")[::2] for part in names(raw)]
    paths = {name.strip(): path.strip() for name, path in pairs}
    if len(paths) < len(pairs) or not all(name and "." in path for name, path in paths.items()):
        raise ValueError("must be name=package.module.function, with commas, each name once")
    return paths


def one_of(*allowed: str) -> Callable[[str], str]:
    def parse(raw: str) -> str:
        if raw not in allowed:
            raise ValueError(f"must be one of {', '.join(allowed)}")
        return raw

    return parse


def _history_help(spec: SettingSpec, name: str) -> str:
    if name != spec.environment[0]:
        return f"An older spelling of {spec.environment[0]}."
    return f"{spec.help} Where no layer sets it: {spec.shown(spec.default)}."


VARIABLES: tuple[Variable, ...] = (
    Variable("DJANGO_ENV", "local", "local or production.", "The server"),
    Variable("DEBUG", "false", "Django's debug pages. Refused in production.", "The server"),
    Variable("SECRET_KEY", "", "Local mode makes one and keeps it in var/.", "The server"),
    Variable("PUBLIC_URL", "", "Where people reach Vitrine; needed in production.", "The server"),
    Variable("ALLOWED_HOSTS", "", "Host names, with commas; needed in production.", "The server"),
    Variable("DATA_DIR", "var", "The folder of the database and the secret key.", "The server"),
    Variable(
        "DATABASE_URL",
        "",
        "postgresql://user:password@host:5432/name. Empty: SQLite in DATA_DIR.",
        "The server",
        secret=True,
    ),
    Variable(
        "ENV_FILE",
        ".env",
        "The file these are read from; /dev/null for none. Not read from the file itself.",
        "The server",
    ),
    Variable("LOG_LEVEL", "INFO", "DEBUG shows what each turn trimmed.", "The server"),
    Variable(
        "ANONYMOUS_CHAT",
        "",
        "Chat without signing in, bound to the browser. Default: true in local mode only.",
        "The server",
    ),
    Variable("OWNERS_SEE_COST", "true", "People see what their own chats cost.", "The server"),
    Variable("MAX_MESSAGE_BYTES", "1048576", "The longest message, in UTF-8 bytes.", "Limits"),
    Variable("MAX_ANSWER_BYTES", "1048576", "The longest answer, in UTF-8 bytes.", "Limits"),
    Variable("TOOL_ROUNDS", "16", "Most requests in one generation.", "Limits"),
    Variable("HAND_OVERS", "5", "Most hand-overs between agents in one answer.", "Limits"),
    Variable("DELEGATIONS", "8", "Most tasks that one answer may hand to others.", "Limits"),
    Variable("DELEGATION_DEPTH", "2", "How often a task may be handed on.", "Limits"),
    Variable("DELEGATION_SECONDS", "300", "How long an asked agent may take.", "Limits"),
    Variable("READ_PAGE_HOSTS", "", "Hosts, with commas, whose pages tools may read.", "Limits"),
    Variable("EVENT_HOURS", "24", "How long a generation's event log is kept.", "Limits"),
    Variable("DEFAULT_MODEL", "", "For agents that name none. Empty: demo/mirror.", "Models"),
    Variable("OPENAI_API_KEY", "", "For OpenAI's models.", "Models"),
    Variable("OPENAI_API_BASE", "", "Another address that speaks OpenAI's protocol.", "Models"),
    Variable("ANTHROPIC_API_KEY", "", "For Anthropic's models.", "Models"),
    Variable("GEMINI_API_KEY", "", "For Google's models.", "Models"),
    Variable("MISTRAL_API_KEY", "", "For Mistral's models.", "Models"),
    Variable("OLLAMA_API_BASE", "", "A local Ollama; models are ollama_chat/NAME.", "Models"),
    Variable("FIRST_TOKEN_SECONDS", "60", "How long to wait for a model's first word.", "Models"),
    Variable("DEMO_WORDS_PER_SECOND", "60", "How fast the offline model writes.", "Models"),
    Variable(
        "HISTORY_URL_OVERRIDES",
        "everyone",
        "Whose URL and conversation settings count: everyone, signed_in, staff or off.",
        "History",
    ),
    Variable(
        "HISTORY_LENGTH_MAX",
        "",
        "Most user messages that any other layer gets; its policy all then acts as lastN. "
        "1 to 10,000. Empty: no cap.",
        "History",
    ),
    Variable(
        "HISTORY_TOKEN_BUDGET_MAX",
        "",
        "The largest token budget that any other layer gets, 256 and up. Empty: no cap.",
        "History",
    ),
    Variable(
        "HISTORY_CUSTOM_PROCESSORS",
        "",
        "Processors of your own: name=package.module.factory, several with commas.",
        "History",
    ),
    Variable(
        "HISTORY_CUSTOM_PRUNERS",
        "",
        "Pruners of your own: name=package.module.function, several with commas.",
        "History",
    ),
    Variable(
        "HISTORY_TOKENIZERS",
        "",
        "Token counters of your own, from a text to a number: "
        "model-pattern=package.module.function, several with commas. A * is any text.",
        "History",
    ),
    Variable(
        "CONTEXT_PROVIDERS",
        "",
        "Functions of your own that give agents a text for each turn: "
        "name=package.module.function, several with commas.",
        "History",
    ),
    *(
        Variable(name, "", _history_help(spec, name), "History")
        for spec in SETTINGS
        for name in spec.environment
    ),
)
DEFAULTS = {variable.name: variable.default for variable in VARIABLES}
SECRETS = {variable.name for variable in VARIABLES if variable.secret}


def variables() -> Mapping[str, str]:
    """What is set: the process over the `.env` file. An empty variable counts as unset."""
    return from_file() | {name: value for name, value in os.environ.items() if value}


def from_file() -> dict[str, str]:
    path = ROOT / (os.environ.get("ENV_FILE") or DEFAULTS["ENV_FILE"])
    return {name: value for name, value in dotenv_values(path, interpolate=False).items() if value}


def read(name: str, parse: Callable[[str], T]) -> T:
    """The typed value of a variable of the table, its default where it is unset."""
    raw = variables().get(name, DEFAULTS[name])
    try:
        return parse(raw)
    except ValueError as error:
        shown = name if name in SECRETS else f"{name}={raw!r}"
        raise EnvironmentRefused(f"{shown} in the environment: {error}") from error


def refuse_production(faults: Mapping[str, bool]) -> None:
    """Production does not start half configured; the error names all that is wrong."""
    if wrong := [fault for fault, present in faults.items() if present]:
        raise EnvironmentRefused(f"DJANGO_ENV=production: {'; '.join(wrong)}. See .env.example.")


def refuse_contradictions(layer: Layer) -> None:
    """Variables that cannot all hold, whatever other layers say, stop the start."""
    own = {LayerName.ENVIRONMENT}
    if wrong := [found.sentence for found in find(resolve([layer])) if found.layers == own]:
        raise EnvironmentRefused(f"The environment contradicts itself: {' '.join(wrong)}")


def prepare_libraries() -> None:
    """What litellm and tiktoken read from the environment: no network, no stray settings."""
    os.environ.update(variables())  # Provider keys in the file reach litellm by this road.
    os.environ["LITELLM_LOCAL_MODEL_COST_MAP"] = "True"
    os.environ["LITELLM_MODE"] = "PRODUCTION"  # Or it reads .env files of its own accord.
    os.environ["TIKTOKEN_CACHE_DIR"] = str(encodings_folder())


def use_settings(module: str) -> None:
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", module)


def encodings_folder() -> Path:
    """The litellm wheel carries the o200k and cl100k files; found without importing it."""
    spec: Any = find_spec("litellm")
    return Path(spec.submodule_search_locations[0]) / "litellm_core_utils" / "tokenizers"


prepare_libraries()
