"""Import litellm on first use and set it up once: it is slow to import, and logs too much.

All its requests leave through one recorder: every asynchronous client that litellm makes gets its
transport from one function, which is replaced here, and those of the openai library take litellm's
session. Only what litellm sends by other means is not recorded.
"""

import gc
import json
import logging
from collections.abc import Generator, Mapping
from contextlib import contextmanager
from functools import cache
from threading import RLock
from typing import Any

import httpx

from chatapp import env
from chatapp.llm.providers.guard import GuardedTransport
from chatapp.llm.wire import Recorder, Sender

UNRECORDED = frozenset(  # Clients that block the server, or aiohttp's own.
    {"aiohttp_openai", "amazon_nova", "custom", "maritalk", "nlp_cloud", "oobabooga", "petals"}
)


_one_at_a_time = RLock()


def litellm() -> Any:
    """Return the library. Whoever asks while it is being imported waits for that."""
    if is_imported():
        return _set_up()
    with _one_at_a_time:
        return _set_up()


def is_imported() -> bool:
    return bool(_set_up.cache_info().currsize)


def model_costs() -> Mapping[str, Any]:
    """Return litellm's list of models: as long as it is not imported, from the file that it would
    read.
    """
    return litellm().model_cost if is_imported() else _listed_in_file()


@cache
def _listed_in_file() -> Mapping[str, Any]:
    text = (env.litellm_folder() / "model_prices_and_context_window_backup.json").read_text()
    listed: dict[str, Any] = json.loads(text)
    listed.pop("fallback_generalizations", None)  # As litellm does: it is no model.
    return listed


@cache
def _set_up() -> Any:
    with nothing_collected():
        import litellm as library  # noqa: PLC0415 -- 2 s and 160 MB that only a model call may cost

    from chatapp.llm.mirror.provider import PROVIDER  # noqa: PLC0415 -- imports litellm as well

    library.telemetry = False
    library.suppress_debug_info = True
    library.drop_params = True
    # Its wrapper treats 100 equal chunks as an error. (It exports the name, though not to mypy.)
    library.REPEATED_STREAMING_CHUNK_LIMIT = 10**9  # type: ignore[attr-defined]
    library.custom_provider_map = [PROVIDER]
    library.aclient_session = Sender(RECORDER)
    _record_all()
    _send_as_given()
    _keep_tags()
    logging.getLogger("LiteLLM").setLevel(logging.CRITICAL)  # It logs what providers said.
    _listed_in_file.cache_clear()
    return library


@contextmanager
def nothing_collected() -> Generator[None]:
    """Look for no garbage meanwhile: that would take a fifth of an import's time, to find none."""
    collects = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if collects:
            gc.enable()


def _record_all() -> None:
    """Have every client that litellm makes send through the recorder."""
    from litellm.llms.custom_httpx.http_handler import AsyncHTTPHandler  # noqa: PLC0415 -- as above

    through = staticmethod(lambda **_how: RECORDER)
    setattr(AsyncHTTPHandler, "create_async_transport", through)  # noqa: B010 -- mypy allows no assignment


def _send_as_given() -> None:
    """Have the openai library send a body as litellm gives it. It would look through every part of
    every message for names to translate, a quarter of a turn's time; this protocol has none.
    """
    from openai import NotGiven, Omit  # noqa: PLC0415 -- comes with litellm
    from openai.resources.chat.completions import completions  # noqa: PLC0415 -- as above

    async def as_given(body: dict[str, Any], _names: object) -> dict[str, Any]:
        absent = (NotGiven, Omit)
        return {name: value for name, value in body.items() if not isinstance(value, absent)}

    setattr(completions, "async_maybe_transform", as_given)  # noqa: B010 -- mypy allows no assignment


def _transport() -> httpx.AsyncBaseTransport:
    """Make the transport that litellm itself would use: it knows of proxies and certificates."""
    from litellm.llms.custom_httpx import http_handler  # noqa: PLC0415 -- as above

    context: Any = http_handler.get_ssl_configuration(None)
    how = {"ssl_verify": context} if isinstance(context, bool) else {"ssl_context": context}
    # The other name of what `_record_all` replaces.
    made: Any = http_handler.AsyncHTTPHandler._create_async_transport(**how)
    return GuardedTransport(made or httpx.AsyncHTTPTransport())


RECORDER = Recorder(_transport)


@cache
def plain_streams() -> tuple[type, ...]:
    """Return the classes of streams in which litellm reads nothing but OpenAI's protocol, of many
    providers. It loses pieces of OpenRouter's that have nothing but a signature.
    """
    from litellm.llms.openai.chat import gpt_transformation as openai  # noqa: PLC0415 -- as above
    from litellm.llms.openrouter.chat import transformation as openrouter  # noqa: PLC0415 -- as above

    return (
        openai.OpenAIChatCompletionStreamingHandler,
        openrouter.OpenRouterChatCompletionStreamingHandler,
    )


@cache
def openai_stream() -> type[Any]:
    """Return the class of the openai library's streams, whose response is read here."""
    from openai import AsyncStream  # noqa: PLC0415 -- comes with litellm

    return AsyncStream


def _keep_tags() -> None:
    """Keep what Ollama's models write as it is. litellm removes their thinking tags, and takes all
    but the first piece between them for the answer.
    """
    from litellm.llms.ollama.chat.transformation import (  # noqa: PLC0415 -- as above
        OllamaChatCompletionResponseIterator as Iterator,
    )

    parse = Iterator.chunk_parser

    def verbatim(self: Any, chunk: Any) -> Any:
        text = chunk.get("message", {}).pop("content", None)
        parsed = parse(self, chunk)
        parsed.choices[0].delta.content = text or None
        return parsed

    setattr(Iterator, "chunk_parser", verbatim)  # noqa: B010 -- mypy allows no assignment
