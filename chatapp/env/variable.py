"""The type of a row in the table of environment variables."""

from dataclasses import dataclass

from history.core.settings.spec import Integer, SettingSpec, shown_value


@dataclass(frozen=True, slots=True)
class Variable:
    """One environment variable. `default` is the text that `.env.example` shows."""

    name: str
    default: str
    help: str
    group: str
    secret: bool = False  # Errors do not show the value of a secret variable.
    local: str | None = None  # The variable's default in local mode, if it differs.


def limit(name: str, default: str, help: str, local: str | None = None) -> Variable:  # noqa: A002 -- the name of the field
    return Variable(name, default, help, "Limits", local=local)


def history_help(spec: SettingSpec, name: str) -> str:
    if name != spec.environment[0]:
        return f"Older name of {spec.environment[0]}."
    bounds = f" From {spec.kind.bounds}." if isinstance(spec.kind, Integer) else ""
    meaning = " ".join(filter(None, (spec.help, spec.advice)))
    default = spec.default
    default_text = shown_value(default) if isinstance(default, bool) else spec.shown(default)
    return f"{meaning}{bounds} Default: {default_text}."
