"""The protocols a provider may speak, by litellm's names, with their makers' own addresses.

Many other servers speak OpenAI's protocol: they are providers of the protocol `openai` with an
address of their own.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from urllib.parse import urlsplit

SLUG = re.compile(r"[a-z][a-z0-9_-]{0,29}")
OFFLINE = "demo"  # The prefix of the offline model.
WITHOUT_REASONING = ("openai", "hosted_vllm")  # Their reasoning need not be sent back.
CLAUDE_KEYS = ("ANTHROPIC_API_KEY", "ANTHROPIC_AUTH_TOKEN")


class SlugFault(StrEnum):
    """What can be wrong with a provider's name, in the words of errors about the environment."""

    FORM = "use lower-case letters, digits, hyphens and underscores, starting with a letter"
    TAKEN = "{slug} already means something else"


@dataclass(frozen=True, slots=True)
class Protocol:
    """A protocol, with the `address` of its maker. A protocol without an address is for servers of
    your own, and needs no key. `keys` are the variables that may hold the maker's key; if `keys` is
    empty, only the usual variable may.
    """

    name: str
    label: str
    address: str = ""
    keys: tuple[str, ...] = ()

    def key_variables(self) -> tuple[str, ...]:
        """Name the variables that may hold the key, the usual one first."""
        if not self.address:
            return ()
        return self.keys or (f"{variable_prefix(self.name)}_API_KEY",)

    def is_makers(self, address: str) -> bool:
        """Whether an address is on the server of the maker; an empty one stands for the maker's."""
        return bool(self.address) and _host(address or self.address) == _host(self.address)


PROTOCOLS: Mapping[str, Protocol] = {
    protocol.name: protocol
    for protocol in (
        Protocol("openai", "OpenAI, or compatible", "https://api.openai.com/v1"),
        Protocol("anthropic", "Anthropic", "https://api.anthropic.com", CLAUDE_KEYS),
        Protocol(
            "gemini",
            "Google Gemini",
            "https://generativelanguage.googleapis.com/v1beta",
            ("GEMINI_API_KEY", "GOOGLE_API_KEY"),
        ),
        Protocol("mistral", "Mistral", "https://api.mistral.ai/v1"),
        Protocol("deepseek", "DeepSeek", "https://api.deepseek.com/beta"),
        Protocol("groq", "Groq", "https://api.groq.com/openai/v1"),
        Protocol("openrouter", "OpenRouter", "https://openrouter.ai/api/v1"),
        Protocol("xai", "xAI", "https://api.x.ai/v1"),
        Protocol(
            "together_ai", "Together AI", "https://api.together.ai/v1", ("TOGETHERAI_API_KEY",)
        ),
        Protocol("fireworks_ai", "Fireworks AI", "https://api.fireworks.ai/inference/v1"),
        Protocol("ollama_chat", "Ollama"),
        Protocol("hosted_vllm", "vLLM"),
    )
}


def named_protocols(pairs: Mapping[str, str]) -> dict[str, str]:
    """Check the protocols that the environment names, by slug. Raise ValueError."""
    for slug, protocol in pairs.items():
        if fault := slug_fault(slug, protocol):
            raise ValueError(f"{slug}: {fault.format(slug=slug)}")
        if protocol not in PROTOCOLS:
            raise ValueError(f"{slug}: {protocol!r} is not one of {', '.join(PROTOCOLS)}")
    return dict(pairs)


def slug_fault(slug: str, protocol: str) -> SlugFault | None:
    """Say why a provider cannot have this name, if it cannot."""
    if not SLUG.fullmatch(slug):
        return SlugFault.FORM
    is_taken = slug == OFFLINE or (slug in PROTOCOLS and slug != protocol)
    return SlugFault.TAKEN if is_taken else None


def _host(address: str) -> str | None:
    try:
        return urlsplit(address).hostname
    except ValueError:
        return None


def variable_prefix(slug: str) -> str:
    """Return the prefix of a provider's variables, as litellm names them."""
    return slug.removesuffix("_chat").replace("-", "_").upper()
