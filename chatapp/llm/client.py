"""The only code that calls models.

    async with aclosing(stream(request)) as chunks:
        async for chunk in chunks: ...

Closing the generator, or cancelling its task, closes the connection to the provider. If a server
speaks one of OpenAI's protocols, its own answer is read: that is quick, and shows what the server
really said. Otherwise litellm's chunks are read, but the reason to finish and the usage come from
what litellm received, not from what it adds: it takes a bare `[DONE]` for "stop". In both cases all
bytes are counted as they arrive, and mended for litellm: see `chatapp.llm.streams`.
"""

import asyncio
import logging
from collections.abc import AsyncGenerator, Iterator
from contextlib import aclosing, contextmanager
from functools import partial
from typing import Any

from django.conf import settings

from agents.providers.protocols import OFFLINE, PROTOCOLS
from chatapp.databases.threads import in_database
from chatapp.llm.catalogue import DEMO_MODEL
from chatapp.llm.chunks import Chunk, Finish, Reading
from chatapp.llm.errors import (
    ErrorKind,
    ProviderError,
    class_names,
    classify,
    refusal,
    refused_by_us,
    retry_after,
    was_sent,
)
from chatapp.llm.life import watched
from chatapp.llm.litellm_internals import (
    CHAT_ONLY,
    ONCE,
    close_cached,
    close_shared,
)
from chatapp.llm.litellm_setup import is_imported, litellm
from chatapp.llm.mirror import provider as mirror
from chatapp.llm.providers import background, compatible
from chatapp.llm.providers.allowed import allowed_connection
from chatapp.llm.providers.compatible import needs_litellm
from chatapp.llm.providers.connection import Connection
from chatapp.llm.providers.guard import restricted
from chatapp.llm.providers.missing_key import key_missing, missing_key
from chatapp.llm.providers.naming import litellm_name
from chatapp.llm.providers.responses import OFFERED_BY
from chatapp.llm.reasoning.families import family_of
from chatapp.llm.reasoning.tags import TagSplitter
from chatapp.llm.request import LlmRequest
from chatapp.llm.retries import Attempts, Deadlines, Timer
from chatapp.llm.streams.mending import counted
from chatapp.llm.streams.sources import settle, source_of
from chatapp.llm.wire import RECORDER, recorded
from chatapp.telemetry import measuring

logger = logging.getLogger(__name__)

IN_THE_MIDDLE = {ErrorKind.UNREACHABLE: ErrorKind.CUT, ErrorKind.UNKNOWN: ErrorKind.OVERLOADED}
KNOWN_HERE = frozenset({OFFLINE, *PROTOCOLS})  # Other protocols are known only to litellm.
DEADLINES = Deadlines(first_token=settings.FIRST_TOKEN_SECONDS)
TAGGED, OPENED = frozenset(settings.REASONING_TAGS), frozenset(settings.REASONING_OPENED)


async def stream(
    request: LlmRequest,
    deadlines: Deadlines | None = None,
    attempts: Attempts | None = None,
    accepted_as: str = "",
) -> AsyncGenerator[Chunk, None]:
    """Yield the answer as it comes; the last chunk of every complete answer is a `Finish`.

    `accepted_as` is the id of an answer in the background that this request asked for before: it is
    read again, from its start, and nothing is asked for.

    Raise `ProviderError`. Only a request that failed before its first chunk is retried.
    """
    deadlines = deadlines or DEADLINES
    attempts = attempts or Attempts()
    # The time to load litellm must not count as the provider's.
    await _load(is_needed=litellm_name(request.model).partition("/")[0] not in KNOWN_HERE)
    connection = await in_database(allowed_connection, request.model)
    await _load(is_needed=needs_litellm(connection, request))
    timer = Timer(deadlines)
    while True:
        attempts.made += 1
        has_begun, came_to = False, "stopped"
        chunks = _attempt(request, connection, timer, attempts, accepted_as)
        try:
            async for chunk in chunks:
                has_begun = True
                yield chunk
            came_to = "ok"
            return
        except ProviderError as error:
            came_to = error.kind
            pause = attempts.pause_after(error, deadlines.retry_pause)
            if has_begun or pause is None:
                raise
        finally:
            measuring.provider_asked(request.model, came_to, attempts.made)
            await chunks.aclose()
        await asyncio.sleep(pause)
        timer.attempt()


async def _load(*, is_needed: bool) -> None:
    if is_needed and not is_imported():
        await asyncio.to_thread(litellm)


async def _attempt(
    request: LlmRequest, connection: Connection, timer: Timer, attempts: Attempts, accepted_as: str
) -> AsyncGenerator[Chunk, None]:
    attempts.reading = reading = Reading(_splitter(request.model, connection))
    opened: Any = None
    failed: Exception | None = None
    try:
        with _sending(timer, connection, attempts):
            opened = await timer.opened(_opened(request, connection, accepted_as))
        source, direct = source_of(opened)
        next_of = timer.following if direct else partial(_asking, timer, connection, attempts)
        async with aclosing(source):
            while (together := await next_of(source)) is not None:
                for raw in together:
                    for delta in reading.read(raw):
                        yield delta
        if not direct:
            settle(reading, opened)
    # The error is kept until the connection is closed, because its meaning depends on what had come
    # by then: an answer that had reached its end is complete in spite of the error.
    except Exception as error:
        failed = error
    finally:
        if opened is not None:
            await opened.aclose()
    left = attempts.have_left(failed, is_open=opened is not None)
    for chunk in _end(reading, request, failed, reached=opened is not None and left, left=left):
        yield chunk


async def _opened(request: LlmRequest, to: Connection, accepted_as: str) -> Any:
    if accepted_as:
        return await background.read_again(accepted_as, to)
    if to.model == DEMO_MODEL:
        return await mirror.opened(**request.body())
    ask = ask_by_litellm if needs_litellm(to, request) else compatible.opened
    return await ask(request, to)


async def ask_by_litellm(request: LlmRequest, to: Connection) -> Any:
    """Open a stream by litellm, which must not choose another API than ours."""
    arguments = request.body() | to.arguments()
    if family_of(request.model) in OFFERED_BY:
        arguments |= CHAT_ONLY
    return await litellm().acompletion(**arguments, **ONCE)


def _splitter(model: str, to: Connection) -> TagSplitter | None:
    """Return a splitter for thinking tags; None if tags are ordinary text, as they usually are when
    the protocol's own maker answers.
    """
    opened = model in OPENED
    tagged = family_of(model) in TAGGED and not to.is_at_makers
    return TagSplitter(opened=opened) if opened or tagged else None


async def _asking(timer: Timer, to: Connection, attempts: Attempts, source: Any) -> Any:
    """Return the next chunks. Some libraries, such as Gemini's, send the request only now."""
    with _sending(timer, to, attempts):
        return await timer.following(source)


@contextmanager
def _sending(timer: Timer, connection: Connection, attempts: Attempts) -> Iterator[None]:
    with (
        recorded(attempts.sent),
        restricted(applies=connection.is_guarded),
        watched(timer.alive),
        counted(attempts.count),
    ):
        yield


def _end(
    reading: Reading, request: LlmRequest, failed: Exception | None, *, reached: bool, left: bool
) -> Iterator[Chunk]:
    # Text that might have been the start of a tag is no tag, since nothing follows it.
    yield from reading.rest()
    if failed and reading.finish is None:
        raise _explained(failed, request, reached=reached, left=left) from None
    # Some servers reset the connection after the last byte, when the answer is complete.
    if failed:
        _log(failed, request.model, "after its end")
    if reading.usage is not None:
        yield reading.usage
    # A stream without a reason to finish was cut off, for example by a proxy's time limit. Its
    # usage is yielded all the same, because it has to be paid for.
    if reading.finish is None:
        raise refusal(ErrorKind.CUT if reading.started else ErrorKind.BAD_RESPONSE, request.model)
    yield Finish(reading.finish)


def _explained(
    error: Exception, request: LlmRequest, *, reached: bool, left: bool
) -> ProviderError:
    """Explain an error. `reached` says whether the provider had accepted the request."""
    model, effort = request.model, request.reasoning_effort or ""
    if refused := refused_by_us(error):
        return refused
    _log(error, model, "while answering" if reached else "when asked")
    kind = classify(error)
    # After the provider accepted the request, "unreachable" means a broken connection.
    if reached:
        kind = IN_THE_MIDDLE.get(kind, kind)
    # A missing key is the cause, whatever a library calls the error.
    elif (kind is ErrorKind.AUTH or not was_sent(error)) and (
        (variable := key_missing(model)) is not None
    ):
        return missing_key(model, variable, left=left)
    return refusal(kind, model, retry_after=retry_after(error), left=left, effort=effort)


def _log(error: Exception, model: str, when: str) -> None:
    """Log only the names of classes: messages of the libraries quote providers, keys and people."""
    names = [name for name in class_names(error) if name not in {"Exception", "BaseException"}]
    unknown = not {"OpenAIError", "HTTPError", "ErrorReported"}.intersection(names)
    chain = ", ".join(dict.fromkeys(names))
    logger.warning("%s failed %s: %s", model, when, chain, exc_info=error if unknown else None)


async def close() -> None:
    """Close all connections, once no more calls will be made."""
    await close_clients()
    if is_imported():
        await close_shared(litellm())


async def close_clients() -> None:
    """Close the clients and the connections of this event loop."""
    await RECORDER.close()
    if is_imported():
        await close_cached(litellm())
