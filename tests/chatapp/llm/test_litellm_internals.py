"""The inner names of litellm and openai that we use: a test names each that an upgrade has changed.

A name that we call must still take our arguments. A name that we replace, set or read must still be
used by the library itself: replacing an unused name would have no effect.
"""

import ast
import inspect
from functools import reduce
from importlib import import_module
from pathlib import Path
from types import CodeType
from typing import Any

import pytest
from litellm import exceptions

from chatapp.llm import litellm_internals
from chatapp.llm.litellm_internals import CHAT_ONLY, ONCE, SIGNED_ID
from chatapp.llm.litellm_setup import litellm
from tests.provider import LITELLM_WARNS

pytestmark = LITELLM_WARNS
HANDLER = "litellm.llms.custom_httpx.http_handler"
WRAPPER = "litellm.litellm_core_utils.streaming_handler:CustomStreamWrapper"
COMPLETIONS = "openai.resources.chat.completions.completions"
OLLAMA = "litellm.llms.ollama.chat.transformation:OllamaChatCompletionResponseIterator"
LOGGING = "litellm.litellm_core_utils.litellm_logging:Logging"
OPENAI = "litellm.llms.openai.chat.gpt_transformation:OpenAIChatCompletionStreamingHandler"
OPENROUTER = "litellm.llms.openrouter.chat.transformation:OpenRouterChatCompletionStreamingHandler"
FACTORY = "litellm.litellm_core_utils.prompt_templates.factory"
CLAUDE = "litellm:AnthropicConfig"
RESPONSES_STREAM = "litellm.responses.streaming_iterator:ResponsesAPIStreamingIterator"
OPENAI_RESPONSES = "litellm.llms.openai.responses.transformation:OpenAIResponsesAPIConfig"
RESPONSES = "litellm.completion_extras.litellm_responses_transformation.transformation"
CALLED = {
    "litellm.utils:get_optional_params": [
        *("model", "custom_llm_provider", "drop_params", "reasoning_effort"),
    ],
    f"{CLAUDE}.model_supports_effort_param": ["model", "custom_llm_provider"],
    f"{CLAUDE}.validate_effort_for_model": ["model", "effort", "custom_llm_provider"],
    f"{OLLAMA}.chunk_parser": ["self", "chunk"],
    f"{LOGGING}.response_cost_calculator": ["self", "result"],
    f"{OPENAI_RESPONSES}.should_fake_stream": ["self", "model"],
    "openai:AsyncStream.__init__": ["response"],
    "openai:AsyncOpenAI.__init__": ["api_key", "base_url", "http_client", "max_retries"],
    "openai.resources.responses:AsyncResponses.retrieve": ["response_id", "stream"],
}
USED = [
    ("create_async_transport", f"{HANDLER}:AsyncHTTPHandler.create_client"),
    ("create_async_transport", "litellm.llms.openai.common_utils:BaseOpenAILLM"),
    ("async_maybe_transform", f"{COMPLETIONS}:AsyncCompletions.create"),
    (
        "response_cost_calculator",
        "litellm.litellm_core_utils.llm_response_utils.response_metadata:ResponseMetadata",
    ),
    ("chunk_parser", "litellm.llms.base_llm.base_model_iterator:BaseModelResponseIterator"),
    ("should_fake_stream", "litellm.llms.custom_httpx.llm_http_handler:BaseLLMHTTPHandler"),
    ("REPEATED_STREAMING_CHUNK_LIMIT", WRAPPER),
    ("completion_stream", f"{WRAPPER}.__init__"),
    ("received_finish_reason", f"{WRAPPER}.__init__"),
    ("intermittent_finish_reason", f"{WRAPPER}.__init__"),
    ("chunks", f"{WRAPPER}.__init__"),
    ("http_response", f"{OPENAI}.__init__"),
    ("streaming_response", "litellm.llms.base_llm.base_model_iterator:BaseModelResponseIterator"),
    ("response", "litellm.responses.streaming_iterator:BaseResponsesAPIStreamingIterator.__init__"),
    ("reasoning_items", f"{RESPONSES}:_get_reasoning_items"),
    ("http_response", f"{OPENROUTER}.__init__"),
    ("litellm_response_headers", "litellm.litellm_core_utils.exception_mapping_utils"),
    ("original_exception", "litellm.exceptions:MidStreamFallbackError.__init__"),
    ("in_memory_llm_clients_cache", "litellm.llms.openai.common_utils:BaseOpenAILLM"),
    ("cache_dict", "litellm:in_memory_llm_clients_cache.__class__.__mro__"),
    ("ttl_dict", "litellm:in_memory_llm_clients_cache.__class__.__mro__"),
    ("module_level_aclient", "litellm.llms.anthropic.chat.handler"),
]
CLASSES = [
    RESPONSES_STREAM,
    OPENAI,
    OPENROUTER,
    "openai:AsyncStream",
    "openai:NotGiven",
    "openai:Omit",
]


def found(name: str) -> Any:
    """Return the object named `module:attribute.attribute`; an AttributeError says which part is
    gone.
    """
    module, _, path = name.partition(":")
    return reduce(getattr, filter(None, path.split(".")), import_module(module))


def words_of(thing: Any) -> set[str]:
    """Return all names and texts in the code of a function, a class, a module, or several of
    them.
    """
    if isinstance(thing, tuple):
        return set().union(*map(words_of, thing))
    if inspect.isfunction(thing):
        return words_in(inspect.unwrap(thing).__code__)
    if not inspect.isclass(thing) and not inspect.ismodule(thing):
        return set()
    own = (inspect.unwrap(getattr(each, "__func__", each)) for each in vars(thing).values())
    return set().union(*(words_in(each.__code__) for each in own if inspect.isfunction(each)))


def words_in(code: CodeType) -> set[str]:
    inner = (words_in(each) for each in code.co_consts if isinstance(each, CodeType))
    texts = (each for each in code.co_consts if isinstance(each, str))
    return {*code.co_names, *texts}.union(*inner)


@pytest.mark.parametrize("name", CALLED)
def test_what_is_called_takes_our_arguments(name):
    litellm()

    assert set(CALLED[name]) <= inspect.signature(found(name)).parameters.keys()


@pytest.mark.parametrize(("name", "user"), USED)
def test_what_is_replaced_or_read_is_what_the_library_uses(name, user):
    litellm()

    assert name in words_of(found(user))


@pytest.mark.parametrize(
    "name", ["num_retries", "max_retries", "_skip_mcp_handler", "_skip_responses_api_bridge"]
)
def test_what_a_call_is_told_is_understood(name):
    completion = inspect.unwrap(litellm().completion)

    assert name in (ONCE | CHAT_ONLY).keys() & {
        *words_of(completion),
        *inspect.signature(completion).parameters,
    }


@pytest.mark.parametrize("name", CLASSES)
def test_what_is_recognised_is_a_class(name):
    assert inspect.isclass(found(name))


def test_the_mark_of_a_signature_is_litellms():
    assert found(f"{FACTORY}:THOUGHT_SIGNATURE_SEPARATOR") == SIGNED_ID


def test_an_error_in_the_middle_of_a_stream_says_what_it_wraps():
    cause = ValueError()
    error = exceptions.MidStreamFallbackError("", "model", "openai", cause)

    assert litellm_internals.wrapped_in(error) is cause


def test_every_name_that_is_imported_is_looked_at():
    tree = ast.parse(Path(litellm_internals.__file__).read_text())
    imports = [node for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)]
    names = {f"{node.module}.{alias.name}" for node in imports for alias in node.names}
    outside = {name for name in names if name.startswith(("litellm.", "openai."))}
    looked_at = [name.replace(":", ".") for name in (*CALLED, *CLASSES, *(u for _, u in USED))]

    assert {
        name for name in outside if not any(each.startswith(name) for each in looked_at)
    } == set()
