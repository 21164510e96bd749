"""Register extensions at start-up: processors, pruners and tokenizers named in the environment."""

from collections.abc import Callable, Mapping
from typing import Any

from django.core.exceptions import ImproperlyConfigured
from django.utils.module_loading import import_string

from history.core import register_processor, register_pruner
from history.tokens import register_tokenizer


def register_own(processors: Mapping[str, str], pruners: Mapping[str, str]) -> None:
    """Register names with dotted paths. Raise `ImproperlyConfigured` naming the variable and
    why.
    """
    for name, path in processors.items():
        _register("HISTORY_CUSTOM_PROCESSORS", name, path, register_processor)
    for name, path in pruners.items():
        _register("HISTORY_CUSTOM_PRUNERS", name, path, register_pruner)


def register_tokenizers(tokenizers: Mapping[str, str]) -> None:
    """Register patterns of model names with dotted paths. Raise as `register_own` does."""
    for pattern, path in tokenizers.items():
        _register("HISTORY_TOKENIZERS", pattern, path, register_tokenizer)


def _register(
    variable: str, name: str, path: str, register: Callable[[str, Callable[..., Any]], None]
) -> None:
    """Import and register one. Importing runs the extension's code, which may raise anything."""
    try:
        register(name, import_string(path))
    except Exception as error:
        raise ImproperlyConfigured(f"{variable}, {name}={path}: {error}") from error
