"""A failure becomes a kind and a sentence, which never contains the provider's words."""

import json

import httpx
import litellm.exceptions
import openai
import pytest

from chatapp.llm.errors import (
    NAMES,
    SENTENCES,
    STATUSES,
    ErrorKind,
    classify,
    refusal,
    retry_after,
)
from chatapp.llm.streams import events
from tests.provider import LITELLM_WARNS

pytestmark = LITELLM_WARNS


def answered(status, headers=()):
    """Make httpx's error for a status, which is the innermost of litellm's errors."""
    request = httpx.Request("POST", "http://provider.test")
    response = httpx.Response(status, headers=dict(headers), request=request)
    return httpx.HTTPStatusError("sk-secret", request=request, response=response)


def wrapped(outer, inner):
    outer.__cause__ = inner
    return outer


def litellm_error(name, **fields):
    error = getattr(litellm.exceptions, name)
    return error(message="sk-secret", model="m", llm_provider="p", **fields)


@pytest.mark.parametrize(
    ("error", "kind"),
    [
        pytest.param(httpx.ConnectError("x"), ErrorKind.UNREACHABLE, id="nobody listens"),
        pytest.param(httpx.ReadError("x"), ErrorKind.UNREACHABLE, id="a reset"),
        pytest.param(httpx.RemoteProtocolError("x"), ErrorKind.UNREACHABLE, id="a broken end"),
        pytest.param(httpx.ReadTimeout("x"), ErrorKind.TIMEOUT, id="silence"),
        pytest.param(json.JSONDecodeError("x", "{", 0), ErrorKind.BAD_RESPONSE, id="no JSON"),
        pytest.param(KeyError("x"), ErrorKind.UNKNOWN, id="anything else"),
        pytest.param(
            wrapped(litellm_error("InternalServerError"), httpx.ConnectError("x")),
            ErrorKind.UNREACHABLE,
            id="litellm calls it an internal error",
        ),
        pytest.param(
            wrapped(litellm_error("APIConnectionError"), ValueError("x")),
            ErrorKind.UNKNOWN,
            id="litellm calls what it did not expect a connection error",
        ),
        pytest.param(
            wrapped(litellm_error("ContextWindowExceededError"), answered(400)),
            ErrorKind.CONTEXT_TOO_LONG,
            id="too long",
        ),
        pytest.param(
            wrapped(
                litellm_error("UnprocessableEntityError", response=answered(422).response),
                answered(422),
            ),
            ErrorKind.BAD_REQUEST,
            id="unprocessable",
        ),
        pytest.param(
            wrapped(
                litellm_error("MidStreamFallbackError"),
                wrapped(litellm_error("RateLimitError"), answered(429)),
            ),
            ErrorKind.RATE_LIMITED,
            id="in the middle of a stream",
        ),
    ],
)
def test_a_failure_has_a_kind(error, kind):
    assert classify(error) == kind


def test_every_name_is_that_of_a_class():
    modules = (httpx, openai, litellm.exceptions, json, events)
    known = {name for module in modules for name in dir(module)}

    assert set(NAMES) <= known


def test_every_kind_has_a_sentence_with_a_way_out():
    assert set(SENTENCES) == set(ErrorKind) - {ErrorKind.FORBIDDEN}
    for kind in SENTENCES:
        message = refusal(kind, "openai/gpt-4o", variable="OPENAI_API_KEY").message
        assert message.count(".") >= 2 or kind is ErrorKind.MISSING_KEY
        assert "{" not in message


@pytest.mark.parametrize("kind", sorted(set(STATUSES.values())))
def test_a_sentence_names_who_it_speaks_of(kind):
    message = refusal(kind, "openai/gpt-4o").message

    assert "OpenAI" in message or "openai/gpt-4o" in message


@pytest.mark.parametrize(
    ("model", "subject"),
    [
        ("anthropic/claude", "Anthropic"),
        ("some/where", "The provider of some/where"),
        ("alone", "The provider"),
    ],
)
def test_the_provider_has_a_name(model, subject):
    assert refusal(ErrorKind.UNREACHABLE, model).message == (
        f"{subject} can't be reached. Check its address and the network, then retry."
    )


@pytest.mark.parametrize(
    ("value", "seconds"),
    [
        ("2", 2.0),
        ("0.5", 0.5),
        ("", None),
        ("-1", None),
        ("1e9", None),
        ("nan", None),
        ("\u0663", None),
        ("Wed, 21 Oct 2026 07:28:00 GMT", None),
    ],
)
def test_retry_after_is_plain_seconds(value, seconds):
    error = litellm_error("RateLimitError")
    error.litellm_response_headers = httpx.Headers({"Retry-After": value.encode()})

    assert retry_after(error) == seconds


def test_retry_after_is_found_down_the_chain():
    error = wrapped(litellm_error("RateLimitError"), answered(429, {"retry-after": "3"}))

    assert retry_after(error) == 3.0
