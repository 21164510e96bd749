"""Context providers: functions that the environment names, from `Facts` to a text."""

from collections.abc import Callable, Mapping
from typing import TypeAlias

from django.core.exceptions import ImproperlyConfigured
from django.utils.module_loading import import_string

from agents.context.facts import Facts

Provider: TypeAlias = Callable[[Facts], str]

PROVIDERS: dict[str, Provider] = {}


def register_providers(paths: Mapping[str, str]) -> None:
    """Register names with dotted paths. Raise `ImproperlyConfigured` naming the variable and
    why.
    """
    for name, path in paths.items():
        try:
            provider = import_string(path)
        except Exception as error:  # Importing runs the extension's code.
            raise ImproperlyConfigured(_refusal(name, path, str(error))) from error
        if not callable(provider):
            raise ImproperlyConfigured(_refusal(name, path, "it is not a function"))
        PROVIDERS[name] = provider


def provider_fault(name: str) -> str:
    """Say why there is no provider of that name; empty if there is one."""
    if name in PROVIDERS:
        return ""
    known = ", ".join(PROVIDERS) or "none; CONTEXT_PROVIDERS in the environment registers them"
    return f"unknown provider; available: {known}"


def _refusal(name: str, path: str, reason: str) -> str:
    return f"CONTEXT_PROVIDERS, {name}={path}: {reason}"
