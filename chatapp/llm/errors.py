"""Explain to the person who asked why a provider gave no answer.

Errors are recognised by the names of their classes and by HTTP status, so that nothing here imports
litellm. No message quotes the provider, whose text may contain keys, addresses or texts of people.
"""

import re
from collections.abc import Iterator, Mapping
from enum import StrEnum

from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from chatapp.llm.litellm_internals import headers_of, wrapped_in


class ErrorKind(StrEnum):
    # Vitrine itself refused the request, and gives a sentence that says why.
    FORBIDDEN = "forbidden"
    MISSING_KEY = "missing_key"
    AUTH = "auth"
    RATE_LIMITED = "rate_limited"
    UNREACHABLE = "unreachable"
    TIMEOUT = "timeout"
    CONTEXT_TOO_LONG = "context_too_long"
    BAD_REQUEST = "bad_request"
    NOT_FOUND = "not_found"
    OVERLOADED = "overloaded"
    CUT = "cut"
    BAD_RESPONSE = "bad_response"
    UNKNOWN = "unknown"


class ProviderError(Exception):
    """A failed request. `message` is a sentence for a person; `retry_after` is in seconds, None if
    the provider did not say.

    `kind` is an `ErrorKind`, or another word for a failure that a caller detects. `left` is whether
    the request left this process before it failed.
    """

    def __init__(
        self, kind: str, message: str, retry_after: float | None = None, *, left: bool = True
    ) -> None:
        super().__init__(message)
        self.kind = kind
        self.message = message
        self.retry_after = retry_after
        self.left = left


# The first name in the exception's chain that is listed here decides, or else the HTTP status.
NAMES: Mapping[str, ErrorKind] = {
    "TimeoutException": ErrorKind.TIMEOUT,  # An exception of httpx.
    # An exception of openai; litellm's Timeout inherits from it.
    "APITimeoutError": ErrorKind.TIMEOUT,
    "TransportError": ErrorKind.UNREACHABLE,  # An exception of httpx.
    "ContextWindowExceededError": ErrorKind.CONTEXT_TOO_LONG,  # An exception of litellm.
    "TooLongReported": ErrorKind.CONTEXT_TOO_LONG,  # An exception of chatapp.llm.streams.events.
    "JSONDecodeError": ErrorKind.BAD_RESPONSE,
    "APIResponseValidationError": ErrorKind.BAD_RESPONSE,  # Exceptions of both openai and litellm.
}
STATUSES: Mapping[int, ErrorKind] = {
    400: ErrorKind.BAD_REQUEST,
    401: ErrorKind.AUTH,
    402: ErrorKind.RATE_LIMITED,
    403: ErrorKind.AUTH,
    404: ErrorKind.NOT_FOUND,
    408: ErrorKind.TIMEOUT,
    413: ErrorKind.CONTEXT_TOO_LONG,
    422: ErrorKind.BAD_REQUEST,
    429: ErrorKind.RATE_LIMITED,
    **dict.fromkeys((500, 502, 503, 504, 529), ErrorKind.OVERLOADED),
}

SENTENCES = {
    ErrorKind.MISSING_KEY: _("{model} needs a key. Set {variable} in the environment and restart."),
    ErrorKind.AUTH: _(
        "{provider} rejected the key. Check its key, in the environment or on the provider's page."
    ),
    ErrorKind.RATE_LIMITED: _(
        "{provider} reports a rate limit, or that the account is out of credit. Try again later."
    ),
    ErrorKind.UNREACHABLE: _(
        "{provider} can't be reached. Check its address and the network, then retry."
    ),
    ErrorKind.TIMEOUT: _("{provider} took too long. Retry, or choose a faster model."),
    ErrorKind.CONTEXT_TOO_LONG: _(
        "The request is too long for {model}. Lower the history length or its token budget."
    ),
    ErrorKind.BAD_REQUEST: _(
        "{provider} rejected the request as invalid for {model}. Check the agent's model and its"
        " temperature, output limit and tools."
    ),
    ErrorKind.NOT_FOUND: _(
        "The model {model} was not found. Check the agent's model, written as provider/name (such"
        " as openai/gpt-4o), and the provider's address."
    ),
    ErrorKind.OVERLOADED: _("{provider} is having problems. Try again later."),
    ErrorKind.CUT: _(
        "{provider} stopped partway through the answer. The text so far was "
        "kept. Press Continue or Retry."
    ),
    ErrorKind.BAD_RESPONSE: _(
        "{provider} sent an invalid response. Check its address, then retry."
    ),
    ErrorKind.UNKNOWN: _("{model} didn't answer, for an unknown reason. It was logged. Try again."),
}
WITH_EFFORT = _(
    "{provider} rejected the request as invalid for {model}. Check the agent's model and its"
    " temperature, output limit, tools and reasoning effort ({effort})."
)

PROVIDERS: Mapping[str, str] = {
    "openai": "OpenAI",
    "anthropic": "Anthropic",
    "gemini": "Google",
    "mistral": "Mistral",
    "azure": "Azure",
    "ollama": "Ollama",
    "ollama_chat": "Ollama",
    "openrouter": "OpenRouter",
    "groq": "Groq",
}


def refusal(  # noqa: PLR0913 -- all facts that a sentence may name
    kind: ErrorKind,
    model: str,
    *,
    variable: str = "",
    retry_after: float | None = None,
    left: bool = True,
    effort: str = "",
) -> ProviderError:
    """Make the error with the usual sentence for its kind. `variable` is the environment variable
    for the key; `effort` is the requested effort, which may be what was refused.
    """
    sentence = WITH_EFFORT if effort and kind is ErrorKind.BAD_REQUEST else SENTENCES[kind]
    names = {"model": model, "provider": _provider(model), "variable": variable}
    message = sentence.format(**names, effort=effort)
    return ProviderError(kind, message, retry_after, left=left)


def _provider(model: str) -> str:
    name, slash, _rest = model.partition("/")
    if not slash:
        return gettext("The provider")
    if name == "demo":
        return gettext("The offline model")
    return PROVIDERS.get(name) or gettext("The provider of {model}").format(model=model)


def refused_by_us(error: BaseException) -> ProviderError | None:
    """Return the error by which Vitrine itself refused, if a library has wrapped one."""
    return next((link for link in _chain(error) if isinstance(link, ProviderError)), None)


def classify(error: BaseException) -> ErrorKind:
    names = class_names(error)
    for name, kind in NAMES.items():
        if name in names:
            return kind
    kind = STATUSES.get(_status(error), ErrorKind.UNKNOWN)
    if was_sent(error) or not getattr(error, "status_code", None):
        return kind
    # litellm itself sets such a status on a request that it could not send: 400 for a model's name
    # that it does not know, 500 for anything unexpected.
    return {
        ErrorKind.BAD_REQUEST: ErrorKind.NOT_FOUND,
        ErrorKind.OVERLOADED: ErrorKind.UNKNOWN,
    }.get(kind, kind)


def was_sent(error: BaseException) -> bool:
    """Return whether the request reached the network: then the chain contains an error of httpx, or
    an error that a stream reported.
    """
    return not {"HTTPError", "ErrorReported"}.isdisjoint(class_names(error))


def retry_after(error: BaseException) -> float | None:
    """Return the seconds of a Retry-After header; providers don't use its form with a date."""
    for link in _chain(error):
        response = getattr(link, "response", None)
        for headers in (
            headers_of(link),
            getattr(response, "headers", None),
        ):
            value = str((headers or {}).get("retry-after", ""))
            if re.fullmatch(r"\d{1,6}(\.\d{1,6})?", value, re.ASCII):
                return float(value)
    return None


def class_names(error: BaseException) -> list[str]:
    """Return the names of the classes and bases in the error's chain, outermost first, for logs."""
    return [base.__name__ for link in _chain(error) for base in type(link).__mro__]


def _status(error: BaseException) -> int:
    """Return the innermost HTTP status: an error within a stream is wrapped in another error."""
    statuses = [getattr(link, "status_code", None) for link in _chain(error)]
    return next((status for status in reversed(statuses) if isinstance(status, int)), 0)


def _chain(error: BaseException) -> Iterator[BaseException]:
    """Yield the error, then its causes, as litellm and Python record them."""
    link: BaseException | None = error
    for _link in range(12):
        if link is None:
            return
        yield link
        link = wrapped_in(link) or link.__cause__ or link.__context__
