"""Servers that speak OpenAI's protocol and show their thinking, such as OpenRouter and vLLM."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, ClassVar

from tests.provider import delta
from tests.strict.checks import is_signed, sign
from tests.strict.openai_chat import OpenAIChat
from tests.strict.server import Headers, Said


class OpenRouter(OpenAIChat):
    """A stand-in for OpenRouter, which streams the signed reasoning of the model's own provider."""

    model = "openrouter/anthropic/claude-sonnet-4.5"
    life = b": OPENROUTER PROCESSING\n\n"
    known: ClassVar[Mapping[str, frozenset[str]]] = {
        **OpenAIChat.known,
        "assistant": OpenAIChat.known["assistant"]
        | {"reasoning", "reasoning_content", "reasoning_details"},
    }

    def environment(self, url: str) -> dict[str, str]:
        return {"OPENROUTER_API_KEY": "sk-strict", "OPENROUTER_API_BASE": f"{url}/v1"}

    def refusal(self, path: str, body: Mapping[str, Any], headers: Headers) -> str:
        loop = _loop(body["messages"]) if body.get("reasoning_effort") else ()
        if loop and not loop[0].get("reasoning_details"):
            return "messages.1: Expected `thinking`, but found `tool_use`"
        return super().refusal(path, body, headers)

    def refusals(self, messages: Sequence[Mapping[str, Any]]) -> Iterator[str]:
        yield from super().refusals(messages)
        for index, message in enumerate(messages):
            for detail in message.get("reasoning_details") or ():
                if not is_signed(detail.get("text"), detail.get("signature")):
                    yield f"messages.{index}: Invalid `signature` in `thinking` block"

    def thinking(self, said: Said) -> Iterator[bytes]:
        kind = {"type": "reasoning.text", "format": "anthropic-claude-v1", "index": 0}
        for text in said.thinking:
            yield delta(content="", reasoning=text, reasoning_details=[{**kind, "text": text}])
        if said.thinking:
            signed = {**kind, "signature": sign("".join(said.thinking))}
            yield delta(content="", reasoning_details=[signed])


def _loop(messages: Sequence[Mapping[str, Any]]) -> Sequence[Mapping[str, Any]]:
    """Return the assistant's messages after the last user message."""
    users = [n for n, message in enumerate(messages) if message["role"] == "user"]
    return [message for message in messages[users[-1] :] if message["role"] == "assistant"]


class VLLM(OpenAIChat):
    """A vLLM server; newer versions call the field for thinking `reasoning`."""

    model = "hosted_vllm/qwen-strict"
    known: ClassVar[Mapping[str, frozenset[str]]] = {
        **OpenAIChat.known,
        "assistant": OpenAIChat.known["assistant"] | {"reasoning", "reasoning_content"},
    }

    def environment(self, url: str) -> dict[str, str]:
        return {"HOSTED_VLLM_API_KEY": "strict", "HOSTED_VLLM_API_BASE": f"{url}/v1"}

    def thinking(self, said: Said) -> Iterator[bytes]:
        for text in said.thinking:
            yield delta(reasoning=text)


class OneWay(OpenAIChat):
    """A server that shows its thinking, but refuses requests that contain thinking."""

    model = "lab/thinker"

    def thinking(self, said: Said) -> Iterator[bytes]:
        for text in said.thinking:
            yield delta(reasoning_content=text)
