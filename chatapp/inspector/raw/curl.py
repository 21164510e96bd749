"""Write a request, as sent or as its provider takes it, as a curl command without any key."""

import json
import shlex
from collections.abc import Mapping
from typing import Any
from urllib.parse import urlsplit

from chatapp import env
from chatapp.llm.litellm_setup import litellm
from chatapp.llm.providers.responses import API_PREFIX
from chatapp.llm.reasoning.deltas import ITEMS
from chatapp.llm.request import FROM_RESPONSES, IN_BACKGROUND
from chatapp.llm.wire import KEY
from history.services.explain.raw.wire import ShownWire
from history.services.wire.storing import digest_of

PATH = "/chat/completions"
ADDRESS, BASE = "$API_ADDRESS", "$API_BASE"
KNOWN = {  # Addresses that speak OpenAI's format; litellm knows those of most other providers.
    "openai": "https://api.openai.com/v1",
    "anthropic": "https://api.anthropic.com/v1",
    "gemini": "https://generativelanguage.googleapis.com/v1beta/openai",
    "openrouter": "https://openrouter.ai/api/v1",
}
CONFIGURED = {"openai": "OPENAI_API_BASE", "ollama_chat": "OLLAMA_API_BASE"}
BEFORE_PATH = {"ollama_chat": "/v1"}
# What litellm does not send to providers, or only to OpenAI's Responses API, and not at this path.
OURS = frozenset({"cache_control_injection_points", ITEMS, *FROM_RESPONSES, *IN_BACKGROUND})
END = "REQUEST"
OTHER_FORM = "# OpenAI's Responses API, for which this was planned, takes it in another form."
REDACTED = "# It is not the request that left: what you may not see is replaced or left out."


def curl(body: Mapping[str, Any], *, notes: str, shows_address: bool) -> str:
    """Write the command below `notes`. Without `shows_address` the reader fills in the address."""
    model, provider, address = _provider(str(body["model"]))
    base = address if shows_address and address else BASE
    messages = [_without_ours(message) for message in body["messages"]]
    request = {**_without_ours(body), "model": model, "messages": messages}
    lines = [
        *(f"# {note}" for note in notes.splitlines()),
        *([OTHER_FORM] if API_PREFIX in str(body["model"]) else []),
        f"# {KEY} is your key{_where(base, provider)}.",
        f'curl {_quoted(base + PATH)} --no-buffer -H "Authorization: Bearer {KEY}" \\',
        f"  -H 'Content-Type: application/json' --data-binary @- <<'{END}'",
        json.dumps(request, indent=2, ensure_ascii=False),
        END,
    ]
    return "\n".join(lines) + "\n"


def _without_ours(fields: Mapping[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in fields.items() if name not in OURS}


def _where(base: str, provider: str) -> str:
    return f", {BASE} the address of {provider} up to {PATH}" if base == BASE else ""


def _quoted(address: str) -> str:
    """Quote an address for the shell, which may expand only the variable that the reader sets."""
    return f'"{address}"' if address.startswith(BASE) else shlex.quote(address)


def _provider(model: str) -> tuple[str, str, str]:
    """Return the provider's name for the model, the provider, and its address; empty if unknown."""
    try:
        name, provider, _, address = litellm().get_llm_provider(model)
    except Exception:  # litellm raises an exception of its own class.
        return model, "the provider", ""
    variable = CONFIGURED.get(provider)
    configured = env.read(variable, str) if variable else ""
    base = _without_credentials(configured or address or KNOWN.get(provider, ""))
    name = name.removeprefix(API_PREFIX)
    return name, provider, base + BEFORE_PATH.get(provider, "") if base else ""


def _without_credentials(address: str) -> str:
    parts = urlsplit(address)
    host = parts.netloc.rpartition("@")[2]
    return parts._replace(netloc=host, query="", fragment="").geturl().rstrip("/")


def wire_curl(wire: ShownWire) -> str:
    """Write the command that sends exactly these bytes; `head` drops the final line break.

    A reader who may not see the address must fill it in.
    """
    unknown = "" if wire.address else f", {ADDRESS} the provider's address for chats"
    is_whole = digest_of(wire.text.encode()) == wire.digest
    headers = {"content-type": "application/json", **wire.headers}
    lines = [
        f"# {KEY} is your key{unknown}.",
        *([] if is_whole else [REDACTED]),
        f"head -c {len(wire.text.encode())} <<'{END}' |",
        wire.text,
        END,
        f"curl {_quoted_with_key(wire.address or ADDRESS)} --no-buffer \\",
        *(f"  -H {_quoted_with_key(f'{name}: {value}')} \\" for name, value in headers.items()),
        "  --data-binary @-",
    ]
    return "\n".join(lines) + "\n"


def _quoted_with_key(text: str) -> str:
    """Quote a text for the shell, which may expand only the variables that we put in."""
    if text == ADDRESS:
        return f'"{text}"'
    return shlex.quote(text).replace(KEY, f"'\"{KEY}\"'")
