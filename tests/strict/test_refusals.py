"""The strict providers refuse what the real ones refuse, and nothing else."""

import json
from urllib.error import HTTPError
from urllib.request import Request, urlopen

import pytest

from tests.patience import PATIENCE
from tests.provider import Call
from tests.strict.checks import sign
from tests.strict.claude import Claude
from tests.strict.compatible import OneWay
from tests.strict.deepseek import DeepSeek
from tests.strict.families import FAMILIES
from tests.strict.gemini import UNSIGNED, Gemini
from tests.strict.ollama import Ollama
from tests.strict.openai_chat import OpenAIChat
from tests.strict.openai_responses import OpenAIResponses
from tests.strict.server import Said, StrictProvider

ASKED = {"role": "user", "content": "Hi"}
CHAT = "/v1/chat/completions"
RESULT = {"role": "tool", "tool_call_id": "c1", "content": "1"}
THINKING = {"thinking": {"type": "enabled", "budget_tokens": 1024}}
USED = {"type": "tool_use", "id": "t1", "name": "f", "input": {}}
ANSWERED = {"role": "user", "content": [{"type": "tool_result", "tool_use_id": "t1"}]}
THOUGHT = {"type": "thinking", "thinking": "Hm", "signature": sign(["", "Hm"], 300)}
SAID = {"text": "Hi"}
RESPONSE = {"role": "user", "parts": [{"functionResponse": {"name": "f", "response": {}}}]}
F = {"name": "f", "args": {}}


def called(**more):
    call = {"id": "c1", "type": "function", "function": {"name": "f", "arguments": "{}"}}
    return {"role": "assistant", "content": None, "tool_calls": [call], **more}


def claude(*messages, **more):
    return {"model": "m", "max_tokens": 2048, "messages": [ASKED, *messages], **more}


def by(*blocks):
    return {"role": "assistant", "content": list(blocks)}


def gemini(*parts):
    said = [{"role": "user", "parts": [SAID]}, {"role": "model", "parts": list(parts)}]
    return {"contents": [*said, RESPONSE]}


GEMINI = "/models/gemini:streamGenerateContent"
RESPONSES = "/v1/responses"
QUESTION = {"type": "message", "role": "user", "content": [{"type": "input_text", "text": "Hi"}]}
REASONED = {"type": "reasoning", "id": "rs_1", "summary": []}
SEALED = {**REASONED, "encrypted_content": sign(["rs_1", []], 300)}
USE = {"type": "function_call", "call_id": "c1", "name": "f", "arguments": "{}"}
OUTPUT = {"type": "function_call_output", "call_id": "c1", "output": "1"}
TABLE = [
    (OpenAIResponses, RESPONSES, {"input": [QUESTION, SEALED, USE, OUTPUT]}, ""),
    (OpenAIResponses, RESPONSES, {"input": [QUESTION, USE, OUTPUT]}, ""),
    (OpenAIResponses, RESPONSES, {"input": []}, "Missing required parameter"),
    (OpenAIResponses, RESPONSES, {"input": [ASKED]}, "Invalid value for 'input[0].type'"),
    (OpenAIResponses, RESPONSES, {"input": [QUESTION, USE]}, "No tool output found"),
    (OpenAIResponses, RESPONSES, {"input": [QUESTION, OUTPUT]}, "No tool call found"),
    (OpenAIResponses, RESPONSES, {"input": [QUESTION, SEALED, QUESTION]}, "required following"),
    (OpenAIResponses, RESPONSES, {"input": [REASONED, USE, OUTPUT]}, "Items are not persisted"),
    (OpenAIResponses, RESPONSES, {"input": [{**SEALED, "id": "rs_2"}, USE]}, "not be verified"),
    (OpenAIResponses, RESPONSES, {"input": [QUESTION], "temperature": 0.3}, "Unsupported"),
    (OpenAIResponses, RESPONSES, {"input": [QUESTION], "messages": []}, "Extra inputs"),
    (OpenAIResponses, CHAT, {"input": [QUESTION]}, "unknown path"),
    (OpenAIChat, CHAT, {"messages": [ASKED, called(), RESULT]}, ""),
    (OpenAIChat, CHAT, {"messages": [ASKED, called(reasoning="x"), RESULT]}, "Extra inputs"),
    (OpenAIChat, CHAT, {"messages": [ASKED, called(), ASKED]}, "did not have response"),
    (OpenAIChat, CHAT, {"messages": [ASKED, RESULT]}, "must be a response"),
    (OneWay, CHAT, {"messages": [ASKED, called(reasoning_content="Hm"), RESULT]}, "Extra inputs"),
    (OneWay, CHAT, {"messages": [ASKED, called(), RESULT]}, ""),
    (DeepSeek, CHAT, {"messages": [ASKED, called(), RESULT]}, "Missing `reasoning_content`"),
    (DeepSeek, CHAT, {"messages": [ASKED, called(reasoning_content="Hm"), RESULT]}, ""),
    (DeepSeek, CHAT, {"messages": [ASKED, called(), RESULT, ASKED]}, ""),
    (Claude, "/v1/messages", claude(by(THOUGHT, USED), ANSWERED, **THINKING), ""),
    (Claude, "/v1/messages", claude(by(USED), ANSWERED), ""),
    (Claude, "/v1/messages", claude(by(USED), ANSWERED, **THINKING), "found `tool_use`"),
    (Claude, "/v1/messages", claude(by({**THOUGHT, "thinking": "H"})), "Invalid `signature`"),
    (Claude, "/v1/messages", claude(by({"type": "text", "text": " "})), "non-whitespace"),
    (Claude, "/v1/messages", claude(by(USED), ASKED), "without `tool_result`"),
    (Claude, "/v1/messages", claude(ASKED), "roles must alternate"),
    (Claude, "/v1/messages", claude(temperature=0.3, **THINKING), "only be set to 1"),
    (Gemini, GEMINI, gemini({"functionCall": F, "thoughtSignature": sign(F, 300)}), ""),
    (Gemini, GEMINI, gemini({"functionCall": F, "thoughtSignature": UNSIGNED}), ""),
    (Gemini, GEMINI, gemini({"functionCall": F}), "missing a `thought_signature`"),
    (Gemini, GEMINI, gemini({"functionCall": F, "thoughtSignature": "AAAA"}), "Corrupted"),
    (Gemini, GEMINI, gemini(SAID), "number of function response parts"),
    (Ollama, "/api/chat", {"messages": [ASKED], "think": False}, ""),
    (Ollama, "/api/chat", {"model": "m", "messages": [ASKED], "think": True}, "not support"),
    (Ollama, "/api/chat", {"messages": [{"role": "user", "content": [SAID]}]}, "cannot unmarshal"),
]


@pytest.mark.parametrize(("family", "path", "body", "words"), TABLE)
def test_a_request_is_refused_in_the_providers_words(family, path, body, words):
    refusal = family().refusal(path, body, {})

    assert words in refusal
    assert bool(words) == bool(refusal)


def test_a_refusal_is_an_answer_of_status_400_and_uses_up_no_script():
    with StrictProvider(OpenAIChat()) as provider:
        provider.script(Said(text=["Hel", "lo"]))
        with pytest.raises(HTTPError) as refused:
            posted(provider, {"messages": [RESULT]})
        refused.value.close()
        answer = posted(provider, {"messages": [ASKED]})

    assert (refused.value.code, len(provider.refusals)) == (400, 1)
    assert b'"Hel"' in answer
    assert provider.received[1].body == {"messages": [ASKED]}


def posted(provider, body):
    request = Request(f"{provider.url}{CHAT}", json.dumps(body).encode())
    with urlopen(request, timeout=PATIENCE) as response:
        return response.read()


@pytest.mark.parametrize("family", FAMILIES)
def test_what_a_model_says_is_in_its_events(family):
    thinks = {"model": "m", "messages": [ASKED], "input": [], "thinking": {"type": "enabled"}}
    said = Said(["Hm, ", "sèven"], ["An ", "answer"], [Call("calculator", '{"a": 1}')])
    events = b"".join(family().events(said, 1, thinks)).decode()

    assert all(text in events for text in ("An ", "answer", "calculator"))
    assert ("sèven" in events) is (family is not OpenAIChat)
