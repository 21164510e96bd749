"""DeepSeek's thinking models: in a tool loop, each call must come back with its reasoning."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, ClassVar

from tests.provider import delta
from tests.strict.openai_chat import OpenAIChat
from tests.strict.server import Said


class DeepSeek(OpenAIChat):
    model = "deepseek/deepseek-reasoner"
    known: ClassVar[Mapping[str, frozenset[str]]] = {
        **OpenAIChat.known,
        "assistant": OpenAIChat.known["assistant"] | {"reasoning_content", "prefix"},
    }

    def environment(self, url: str) -> dict[str, str]:
        return {"DEEPSEEK_API_KEY": "sk-strict", "DEEPSEEK_API_BASE": url}

    def refusals(self, messages: Sequence[Mapping[str, Any]]) -> Iterator[str]:
        yield from super().refusals(messages)
        users = [n for n, message in enumerate(messages) if message["role"] == "user"]
        for index, message in enumerate(messages):
            if not message.get("tool_calls") or (users and index < users[-1]):
                continue
            if not message.get("reasoning_content"):
                yield (
                    "Missing `reasoning_content` field in the assistant message at message index"
                    f" {index}. For more information, please refer to the thinking mode guide."
                )

    def thinking(self, said: Said) -> Iterator[bytes]:
        for text in said.thinking:
            yield delta(content=None, reasoning_content=text)
