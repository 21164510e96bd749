"""Register extensions at the start: processors, pruners and tokenizers from the environment."""

from collections.abc import Callable, Mapping
from typing import Any

from django.core.exceptions import ImproperlyConfigured
from django.utils.module_loading import import_string

from history.core import register_processor, register_pruner
from history.tokens import register_tokenizer


def register_own(processors: Mapping[str, str], pruners: Mapping[str, str]) -> None:
    """Register the functions at these dotted paths, by their names. Raise `ImproperlyConfigured`,
    which names the variable and says why.
    """
    for name, path in processors.items():
        _register("HISTORY_CUSTOM_PROCESSORS", name, path, register_processor)
    for name, path in pruners.items():
        _register("HISTORY_CUSTOM_PRUNERS", name, path, register_pruner)


def register_tokenizers(tokenizers: Mapping[str, str]) -> None:
    """Register the functions at these dotted paths for patterns of model names. Raise as
    `register_own` does.
    """
    for pattern, path in tokenizers.items():
        _register("HISTORY_TOKENIZERS", pattern, path, register_tokenizer)


def _register(
    variable: str, name: str, path: str, register: Callable[[str, Callable[..., Any]], None]
) -> None:
    """Import and register one extension. Importing runs its code, which may raise anything."""
    try:
        register(name, import_string(path))
    except Exception as error:
        raise ImproperlyConfigured(f"{variable}, {name}={path}: {error}") from error
