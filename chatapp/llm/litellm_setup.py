"""Import litellm on first use and set it up once, because importing it is slow, and it logs too
much.

All its requests leave through one recorder. Every asynchronous client that litellm makes gets its
transport from a function that is replaced here; clients of the openai library use litellm's
session. Requests that litellm sends by other means are not recorded.
"""

import gc
import logging
from collections.abc import Generator, Mapping
from contextlib import contextmanager
from functools import cache
from threading import RLock
from typing import Any

from chatapp.llm import litellm_internals as internals
from chatapp.llm.wire import RECORDER, SENDER

UNRECORDED = frozenset(  # Providers that litellm calls by blocking clients, or by aiohttp's own.
    {"aiohttp_openai", "amazon_nova", "custom", "maritalk", "nlp_cloud", "oobabooga", "petals"}
)


_one_at_a_time = RLock()


def litellm() -> Any:
    """Return litellm. A call that comes while it is being imported waits for the import."""
    if is_imported():
        return _set_up()
    with _one_at_a_time:
        return _set_up()


def is_imported() -> bool:
    return bool(_set_up.cache_info().currsize)


def model_costs() -> Mapping[str, Any]:
    """Return litellm's list of models; before litellm is imported, read it from litellm's file."""
    return litellm().model_cost if is_imported() else internals.models_in_file()


@cache
def _set_up() -> Any:
    with nothing_collected():
        import litellm as library  # noqa: PLC0415 -- Only a model call may cost 2 s and 160 MB.

    library.telemetry = False
    library.suppress_debug_info = True
    library.drop_params = True
    library.aclient_session = SENDER
    internals.accept_repeats(library)
    internals.send_through(RECORDER)
    internals.send_as_given()
    internals.price_nothing()
    internals.keep_tags()
    internals.stream_unlisted(library)
    logging.getLogger("LiteLLM").setLevel(logging.CRITICAL)  # litellm's log would quote providers.
    internals.models_in_file.cache_clear()
    return library


@contextmanager
def nothing_collected() -> Generator[None]:
    """Disable garbage collection, which takes a fifth of an import's time and finds nothing."""
    collects = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if collects:
            gc.enable()
