"""All families of strict providers, for tests that try each of them."""

from tests.strict.bound_claude import BoundClaude
from tests.strict.bound_responses import BoundResponses
from tests.strict.claude import Claude
from tests.strict.compatible import VLLM, OpenRouter
from tests.strict.deepseek import DeepSeek
from tests.strict.gemini import Gemini
from tests.strict.ollama import Ollama
from tests.strict.openai_chat import OpenAIChat
from tests.strict.openai_responses import OpenAIResponses

WITHOUT_EFFORT = frozenset({Ollama.model})  # Families whose servers refuse a reasoning effort.
FAMILIES = (
    *(OpenAIChat, DeepSeek, Claude, BoundClaude, Gemini, Ollama, OpenRouter, VLLM),
    *(OpenAIResponses, BoundResponses),
)
