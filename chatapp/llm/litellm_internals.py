"""All undocumented parts of litellm, and of the openai library below it, that Vitrine uses.

An upgrade may remove any of them without notice: `tests/chatapp/llm/test_litellm_internals.py`
names those that are gone or changed. Nothing is imported before it is used, because importing takes
2 s. `library` is litellm after its setup; `opened` is the stream that litellm opened for a request.
"""

import asyncio
import json
from collections.abc import Mapping
from functools import cache
from typing import Any

import httpx

from chatapp import env

ONCE = {  # Only Vitrine repeats requests, and runs the tools that a model calls.
    "max_retries": 0,
    "num_retries": 0,
    "_skip_mcp_handler": True,
}
# Keeps litellm from choosing the Responses API by itself.
CHAT_ONLY = {"_skip_responses_api_bridge": True}
# A mark that litellm puts between the id of a call and Gemini's signature.
SIGNED_ID = "__thought__"


def accept_repeats(library: Any) -> None:
    """Let litellm's wrapper accept equal chunks. It takes 100 in a row for an error, but a model
    may well write a long line of one character.
    """
    library.REPEATED_STREAMING_CHUNK_LIMIT = 10**9


def send_through(transport: httpx.AsyncBaseTransport) -> None:
    """Make every client of litellm send through this transport; otherwise requests are neither
    guarded nor recorded. litellm's own setting applies to clients of the openai library only.
    """
    from litellm.llms.custom_httpx.http_handler import AsyncHTTPHandler  # noqa: PLC0415 -- slow

    through = staticmethod(lambda **_how: transport)
    setattr(AsyncHTTPHandler, "create_async_transport", through)  # noqa: B010 -- mypy allows no assignment


def send_as_given() -> None:
    """Make the openai library send a body as litellm made it. The library would search every part
    of every message for names to translate, which takes a quarter of a turn's time, but the bodies
    for this protocol have no such names.
    """
    from openai import NotGiven, Omit  # noqa: PLC0415 -- installed with litellm
    from openai.resources.chat.completions import completions  # noqa: PLC0415 -- as above

    async def as_given(body: dict[str, Any], _names: object) -> dict[str, Any]:
        absent = (NotGiven, Omit)
        return {name: value for name, value in body.items() if not isinstance(value, absent)}

    setattr(completions, "async_maybe_transform", as_given)  # noqa: B010 -- mypy allows no assignment


def price_nothing() -> None:
    """Keep litellm from pricing a stream that it has just opened, before anything has arrived. That
    takes a quarter of the call's time and 35 MB, and Vitrine computes prices itself.
    """
    from litellm.litellm_core_utils.litellm_logging import Logging  # noqa: PLC0415 -- slow

    def unknown(self: Any, result: object, **_how: object) -> None: ...

    setattr(Logging, "response_cost_calculator", unknown)  # noqa: B010 -- mypy allows no assignment


def keep_tags() -> None:
    """Keep the text of Ollama's models unchanged. litellm removes their thinking tags, and takes
    all pieces between the tags, except the first, for part of the answer.
    """
    from litellm.llms.ollama.chat.transformation import (  # noqa: PLC0415 -- slow
        OllamaChatCompletionResponseIterator as Iterator,
    )

    parse = Iterator.chunk_parser

    def verbatim(self: Any, chunk: Any) -> Any:
        text = chunk.get("message", {}).pop("content", None)
        parsed = parse(self, chunk)
        parsed.choices[0].delta.content = text or None
        return parsed

    setattr(Iterator, "chunk_parser", verbatim)  # noqa: B010 -- mypy allows no assignment


def stream_unlisted(library: Any) -> None:
    """Keep litellm from asking for a whole answer where it does not know the model. It would show
    nothing until the end, although only a few models that it knows cannot stream.
    """
    from litellm.llms.openai.responses.transformation import (  # noqa: PLC0415 -- slow
        OpenAIResponsesAPIConfig as Config,
    )

    fakes = Config.should_fake_stream

    def listed_only(self: Any, model: str, *others: Any, **options: Any) -> bool:
        is_listed = any(f"{place}{model}" in library.model_cost for place in ("", "azure/"))
        return is_listed and fakes(self, model, *others, **options)

    setattr(Config, "should_fake_stream", listed_only)  # noqa: B010 -- mypy allows no assignment


def response_of(opened: Any) -> httpx.Response | None:
    """Return the provider's own response, if it is in OpenAI's protocol. Reading it is quicker, and
    litellm's wrapper invents an end for an answer that has none.
    """
    from openai import AsyncStream  # noqa: PLC0415 -- installed with litellm

    inner = opened.completion_stream
    if isinstance(inner, AsyncStream):
        return inner.response
    return inner.http_response if type(inner) in _plain_streams() else None


def responses_of(opened: Any) -> httpx.Response | None:
    """Return the provider's own stream if it is of OpenAI's Responses API, where some models do not
    stream.
    """
    from litellm.responses.streaming_iterator import (  # noqa: PLC0415 -- slow
        ResponsesAPIStreamingIterator,
    )

    inner = getattr(opened.completion_stream, "streaming_response", None)
    return inner.response if isinstance(inner, ResponsesAPIStreamingIterator) else None


def stored_responses(library: Any, key: str | None, address: str | None) -> Any:
    """Return the openai library's access to the responses that a server has stored. Without a key
    or an address, it finds the same as litellm.
    """
    from openai import AsyncOpenAI  # noqa: PLC0415 -- installed with litellm

    through = library.aclient_session
    client = AsyncOpenAI(api_key=key, base_url=address, http_client=through, max_retries=0)
    return client.responses


@cache
def _plain_streams() -> tuple[type, ...]:
    """Return the classes of the streams in which litellm reads only OpenAI's protocol, as many
    providers speak it. litellm loses those pieces of OpenRouter's streams that contain nothing but
    a signature.
    """
    from litellm.llms.openai.chat import gpt_transformation as openai  # noqa: PLC0415 -- slow
    from litellm.llms.openrouter.chat import transformation as openrouter  # noqa: PLC0415 -- slow

    return (
        openai.OpenAIChatCompletionStreamingHandler,
        openrouter.OpenRouterChatCompletionStreamingHandler,
    )


def reason_received(opened: Any) -> str | None:
    """Return the reason to finish that was received; the last chunk of litellm's wrapper always has
    a reason, even if none was received.
    """
    reason: str | None = opened.received_finish_reason or opened.intermittent_finish_reason
    return reason


def chunks_received(opened: Any) -> list[Any]:
    """Return the chunks that litellm's wrapper received; it does not pass on their usage."""
    chunks: list[Any] = opened.chunks
    return chunks


def parameters_made(
    library: Any, model: str, provider: str, **parameters: object
) -> Mapping[str, Any] | None:
    """Return what litellm makes of a request's parameters; None if it would refuse them. This uses
    no network. litellm documents which parameters it takes, but not what becomes of them.
    """
    try:
        translation: Mapping[str, Any] = library.utils.get_optional_params(
            model=model, custom_llm_provider=provider, drop_params=True, **parameters
        )
    except Exception:  # litellm raises an exception of a class of its own.
        return None
    return translation


def refuses_effort(library: Any, model: str, provider: str, effort: str) -> bool:
    """Return whether litellm refuses this effort for a Claude that decides itself how much to
    think. litellm refuses only while it makes the request, too late for a page to say so.
    """
    claude = library.AnthropicConfig
    takes_some = claude.model_supports_effort_param(model, provider)
    return takes_some and bool(claude.validate_effort_for_model(model, effort, provider))


def headers_of(error: BaseException) -> Any:
    """Return the answer's headers, which litellm keeps with the error; None if it has none."""
    return getattr(error, "litellm_response_headers", None)


def wrapped_in(error: BaseException) -> BaseException | None:
    """Return the error that litellm has wrapped in this one while it read a stream."""
    return getattr(error, "original_exception", None)


async def close_cached(library: Any) -> None:
    """Close this event loop's clients, which litellm would otherwise keep for an hour."""
    clients = library.in_memory_llm_clients_cache
    suffix = f"-{id(asyncio.get_running_loop())}"
    for key in [key for key in clients.cache_dict if key.endswith(suffix)]:
        clients.ttl_dict.pop(key, None)
        await clients.cache_dict.pop(key).close()


async def close_shared(library: Any) -> None:
    """Close the client that all loops share; the first call to Claude makes it."""
    if shared := vars(library).get("module_level_aclient"):
        await shared.close()


@cache
def models_in_file() -> Mapping[str, Any]:
    """Read litellm's list of models from the file of its package: importing litellm is slower."""
    text = (env.litellm_folder() / "model_prices_and_context_window_backup.json").read_text()
    listed: dict[str, Any] = json.loads(text)
    # The entry "fallback_generalizations" is no model; litellm removes it, too.
    listed.pop("fallback_generalizations", None)
    return listed
