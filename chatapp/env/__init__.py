"""Read the environment by the table in `chatapp.env.variables`.

Only this file reads or sets `os.environ`. It also reads a `.env` file next to manage.py; the
process's own variables override the file's. A bad value raises `EnvironmentRefused`, which names
the variable.
"""

import os
from collections.abc import Callable, Iterable, Iterator, Mapping
from importlib.util import find_spec
from pathlib import Path
from typing import Any, TypeVar
from urllib.parse import urlsplit

from dotenv import dotenv_values

from agents.providers.protocols import PROTOCOLS, named_protocols, variable_prefix
from chatapp.env.model_variables import CLOUD
from chatapp.env.refusals import REFUSED
from chatapp.env.variables import VARIABLES
from history.core.settings.contradictions import find
from history.core.settings.layers import Layer, environment_layer
from history.core.settings.resolution import resolve
from history.core.settings.spec import Integer, LayerName
from history.core.words.errors import SettingErrors, Unfit
from history.core.words.wording import nearest
from history.wording.deciding.contradictions import sentence_of
from history.wording.faults import word_faults, word_rule

ROOT = Path(__file__).resolve().parents[2]
NEAR = 0.9  # How similar a variable's name must be to a known one to count as misspelt.
T = TypeVar("T")


class EnvironmentRefused(ValueError):
    """A variable has an invalid value; the message names the variable, and says what to do."""


def boolean(raw: str) -> bool:
    values = {"true": True, "1": True, "yes": True, "false": False, "0": False, "no": False}
    if raw.lower() not in values:
        raise ValueError("must be true or false")
    return values[raw.lower()]


count = Integer(0).from_text


def whole(most: int) -> Callable[[str], int]:
    """Return a reader of whole numbers from 1 to `most`, the highest that makes sense."""
    return Integer(1, most).from_text


def names(raw: str) -> list[str]:
    return [part.strip() for part in raw.split(",") if part.strip()]


def origin(raw: str) -> str:
    parts = urlsplit(raw)
    if parts.scheme not in {"http", "https"} or not parts.hostname or parts.path.strip("/"):
        raise ValueError("must be an address such as https://chat.example.org")
    return f"{parts.scheme}://{parts.netloc}"


def optional(parse: Callable[[str], T]) -> Callable[[str], T | None]:
    """Return a reader that reads as `parse` does, or returns None if the variable is unset."""
    return lambda raw: parse(raw) if raw else None


def _pairs(raw: str) -> tuple[dict[str, str], bool]:
    """Read `name=value` pairs, separated by commas; return also whether a name is repeated."""
    parts = [part.partition("=")[::2] for part in names(raw)]
    pairs = {name.strip(): value.strip() for name, value in parts}
    return pairs, len(pairs) < len(parts)


def dotted_paths(raw: str) -> dict[str, str]:
    """Read `name=package.module.function` pairs, separated by commas."""
    paths, repeated = _pairs(raw)
    if repeated or not all(name and "." in path for name, path in paths.items()):
        raise ValueError(
            "must be name=package.module.function, separated by commas, each name once"
        )
    return paths


def provider_protocols(raw: str) -> dict[str, str]:
    """Read `name=protocol` pairs, separated by commas."""
    pairs, repeated = _pairs(raw)
    if repeated:
        raise ValueError("each name may come once")
    return named_protocols(pairs)


def one_of(*allowed: str) -> Callable[[str], str]:
    def parse(raw: str) -> str:
        if raw not in allowed:
            raise ValueError(f"must be one of {', '.join(allowed)}")
        return raw

    return parse


DEFAULTS = {variable.name: variable.default for variable in VARIABLES}
LOCAL_DEFAULTS = {
    variable.name: variable.local for variable in VARIABLES if variable.local is not None
}
SECRETS = {variable.name for variable in VARIABLES if variable.secret}


def variables() -> Mapping[str, str]:
    """Return the variables that are set; those of the process override the `.env` file's. An empty
    variable counts as unset.
    """
    return from_file() | {name: value for name, value in os.environ.items() if value}


def from_file() -> dict[str, str]:
    path = ROOT / (os.environ.get("ENV_FILE") or DEFAULTS["ENV_FILE"])
    try:
        values = dotenv_values(path, interpolate=False)
    except (OSError, UnicodeError) as error:
        raise EnvironmentRefused(f"cannot read {path}: {error}") from error
    return {name: value for name, value in values.items() if value}


def read(name: str, parse: Callable[[str], T]) -> T:
    """Return a variable's typed value, or its default if it is unset."""
    raw = variables().get(name) or default_of(name)
    try:
        return parse(raw)
    except ValueError as error:
        subject = name if name in SECRETS else f"{name}={raw!r}"
        why = word_rule(error.fact, str) if isinstance(error, Unfit) else error
        raise EnvironmentRefused(f"{subject} in the environment: {why}") from error


def default_of(name: str) -> str:
    if name in LOCAL_DEFAULTS and read("DJANGO_ENV", str) == "local":
        return LOCAL_DEFAULTS[name]
    return DEFAULTS[name]


def model_providers() -> frozenset[str]:
    """Return the allowed providers. If none are listed, setting a provider's address allows it."""
    protocols = read("PROVIDERS", provider_protocols)
    if listed := read("MODEL_PROVIDERS", names):
        return frozenset({*listed, *protocols})
    suffix = "_API_BASE"
    based = {n.removesuffix(suffix).lower() for n in variables() if n.endswith(suffix)}
    local = {"ollama_chat"} if "ollama" in based else set()
    return frozenset({*CLOUD, *based, *protocols, *local})


def tagged_providers(raw: str) -> list[str]:
    """Read names of providers as litellm knows them. Raise ValueError for a name that is unknown,
    or that PROVIDERS gives to another provider.
    """
    protocols = read("PROVIDERS", provider_protocols)
    providers = {*names(DEFAULTS["REASONING_TAGS"]), *PROTOCOLS, *model_providers()}
    for name in names(raw):
        if protocols.get(name, name) != name:
            raise ValueError(f"{name} stands for {protocols[name]}: use that name")
        if name not in providers:
            raise ValueError(f"{name} is none of {', '.join(sorted(providers - set(protocols)))}")
    return names(raw)


def of_provider(slug: str, what: str) -> str:
    """Return a provider's variable, such as OPENAI_API_KEY; empty if it is unset."""
    return os.environ.get(f"{variable_prefix(slug)}_{what}", "")


def has_any(names: Iterable[str]) -> bool:
    """Return whether one of these variables is set, even if empty: litellm counts that as set."""
    return any(name in os.environ for name in names)


def folder(path: Path, name: str = "DATA_DIR") -> Path:
    """Create a folder that only its owner can read, unless it exists."""
    try:
        path.mkdir(mode=0o700, parents=True, exist_ok=True)
    except OSError as error:
        why = f"{name} in the environment: cannot create {path}: {error.strerror}"
        raise EnvironmentRefused(why) from error
    return path


def refuse(mode: str, faults: Mapping[str, bool]) -> None:
    """Refuse to serve other people with faults in the configuration; the error names all faults."""
    if wrong := [fault for fault, present in faults.items() if present]:
        raise EnvironmentRefused(f"DJANGO_ENV={mode}: {'; '.join(wrong)}. See .env.example.")


def history_layer() -> Layer:
    """Read the history's settings. Errors are in English, because Django is not set up yet."""
    if unknown := [*_refused(), *_misspelt()]:
        raise EnvironmentRefused(f"environment: {'; '.join(unknown)}")
    try:
        return environment_layer(variables())
    except SettingErrors as error:
        wrong = (f"environment: {fault}" for fault in word_faults(error, str))
        raise EnvironmentRefused("; ".join(wrong)) from error


def _refused() -> Iterator[str]:
    """Name the variables that are refused, because they mean something else in other programs."""
    values = variables()
    return (f"{name}: {why}" for name, why in REFUSED.items() if values.get(name))


def _misspelt() -> Iterator[str]:
    """Name the variables that would be ignored, but look like misspelt history settings."""
    history_names = [name for name in DEFAULTS if "HISTORY_" in name]
    for name in sorted(variables().keys() - DEFAULTS.keys()):
        if near := nearest(name, history_names, NEAR):
            yield f"{name}: no such variable; did you mean {near}?"


def refuse_contradictions(layer: Layer) -> None:
    """Refuse a start with settings of history that contradict each other."""
    own = {LayerName.ENVIRONMENT}
    if wrong := [sentence_of(c, str) for c in find(resolve([layer])) if c.layers == own]:
        raise EnvironmentRefused(f"Contradictory settings in the environment: {' '.join(wrong)}")


def prepare_libraries() -> None:
    """Set variables so that litellm and tiktoken use neither the network nor a `.env` file."""
    os.environ.update(variables())  # litellm reads the keys of providers from `os.environ` only.
    os.environ["LITELLM_LOCAL_MODEL_COST_MAP"] = "True"
    os.environ["LITELLM_MODE"] = "PRODUCTION"  # In other modes, litellm reads .env files by itself.
    os.environ["TIKTOKEN_CACHE_DIR"] = str(encodings_folder())


def use_settings(module: str) -> None:
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", module)


def litellm_folder() -> Path:
    """Return the folder of litellm's package, without importing litellm."""
    spec: Any = find_spec("litellm")
    return Path(spec.submodule_search_locations[0])


def encodings_folder() -> Path:
    """Return the folder in litellm's package that has the files of o200k and cl100k."""
    return litellm_folder() / "litellm_core_utils" / "tokenizers"


prepare_libraries()
