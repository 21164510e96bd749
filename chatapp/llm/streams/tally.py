"""Count the characters in a provider's stream, from its bytes alone.

Any reader of the stream should find as many. Five shapes of streams are known: OpenAI's choices
and the items of its Responses API, Claude's blocks, Gemini's candidates and Ollama's messages.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from chatapp.llm.streams import responses
from chatapp.llm.streams.counts import Counts

READ = frozenset(  # Names of fields that are read, both in OpenAI's shape and in Ollama's.
    {
        *("role", "content", "refusal", "tool_calls", "name", "index", "id", "thinking"),
        *("reasoning", "reasoning_content", "reasoning_details", "thinking_blocks"),
        *("provider_specific_fields", "tool_name", "channel", "padding"),
    }
)
TEXT_ALONE = frozenset({"role", "content"})
CLAUDE_TEXTS = {"text": "text", "thinking": "thinking", "redacted_thinking": ""}
CLAUDE_DELTAS = {"text_delta": "text", "thinking_delta": "thinking"}
UNTOLD = frozenset({"signature_delta"})
CLAUDE_EVENTS = frozenset(
    {"message_start", "message_delta", "message_stop", "content_block_stop", "ping", "error"}
)
RESPONSE_ITEMS = frozenset({"message", "reasoning", "function_call"})
GEMINI_READ = frozenset({"text", "thought", "thoughtSignature", "functionCall"})
CANDIDATE_READ = frozenset(
    {"content", "finishReason", "index", "safetyRatings", "avgLogprobs", "tokenCount"}
)
CALL_READ = frozenset({"index", "id", "type", "function", "provider_specific_fields"})
# Fields that stand beside the choices in OpenAI's shape.
SOURCES = frozenset({"citations", "search_results"})
LATE_USAGE = "usage after [DONE]"  # Readers stop at [DONE], and so miss usage reported after it.
REASONING_TEXTS = {"reasoning.text": "text", "reasoning.summary": "summary"}


@dataclass(slots=True)
class Tally(Counts):
    """Counts of a stream, which grow with each event."""

    def count(self, value: Any) -> None:
        """Count the characters of an event's value, whatever shape it has."""
        try:
            self._event(value)
            if self.is_done and value.get("usage"):
                self.unread.add(LATE_USAGE)
        except (AttributeError, IndexError, KeyError, RecursionError, TypeError):
            self.broken += 1

    def _event(self, value: Any) -> None:
        match value:
            case {"choices": [first, *others]}:
                self.is_known = True
                self._choice(first)
                self._name(value, lambda name: name in SOURCES)
                self.unread |= {"choices"} if others else set()
            case {"candidates": [first, *others]}:
                self.is_known = True
                self._candidate(first)
                self.unread |= {"candidates"} if others else set()
            case {"message": Mapping() as message, "done": _}:
                self.is_known = True
                self._openai(message)
            case {"response": str(text), "done": _}:
                self.is_known = True
                self._say(text)
                self._think([value.get("thinking")])
            case {"type": str(kind)} if kind.startswith("response."):
                self._response(kind, value)
            case {"type": str(kind)}:
                self._claude(kind, value)

    def _claude(self, kind: str, event: Mapping[str, Any]) -> None:
        if kind == "message_start":
            self.is_known = True
            self._changed(event.get("message") or {})
        elif kind == "content_block_start":
            self._opened(event["index"], event["content_block"])
        elif kind == "content_block_delta":
            self._goes_on(event["index"], event["delta"])
        elif self._blocks and kind not in CLAUDE_EVENTS:
            self.unread.add(kind)

    def _response(self, kind: str, event: Mapping[str, Any]) -> None:
        self.is_known = True
        if kind in responses.TEXTS:
            self._say(event["delta"])
        elif kind in responses.THOUGHTS:
            self._think([event["delta"]])
        elif kind == responses.PART and event["summary_index"]:
            self._think([responses.BETWEEN])
        elif kind == responses.ARGUMENTS and event["delta"]:
            self._blocks[event["output_index"]] = responses.ARGUMENTS
            self._arguments(event["delta"])
        elif kind in responses.BOUNDS:
            self._bound(kind, event["output_index"], event["item"])
        elif kind in responses.ENDS:
            self._changed(event["response"])

    def _bound(self, kind: str, index: int, item: Mapping[str, Any]) -> None:
        """Count what the beginning or the end of an item adds to its pieces."""
        is_beginning, of = kind == responses.BEGINNING, str(item["type"])
        if of not in RESPONSE_ITEMS:
            self.unread.add(of)
        elif of == "function_call" and item["arguments"] and index not in self._blocks:
            self._blocks[index] = of
            self._arguments(item["arguments"])
        elif of == "message" and is_beginning:
            self._say(responses.BETWEEN if of in self._blocks.values() else "")
            self._blocks[index] = of

    def _choice(self, choice: Mapping[str, Any]) -> None:
        self._openai(choice.get("delta") or choice.get("message") or {})
        self._say(choice.get("text"))

    def _openai(self, delta: Mapping[str, Any]) -> None:
        self._content(delta.get("content"))
        if delta.keys() <= TEXT_ALONE:  # Most deltas have no fields besides their text.
            return
        self._say(delta.get("refusal"))
        self._reasoning(delta)
        for call in delta.get("tool_calls") or ():
            self._arguments((call.get("function") or {}).get("arguments"))
            self._name(call, lambda name: name not in CALL_READ)
        self._name(delta, lambda name: name not in READ)

    def _content(self, content: Any) -> None:
        """Count a text, or a list of parts such as Mistral's reasoning models send."""
        if not isinstance(content, list):
            return self._say(content)
        for part in content:
            kind = part.get("type")
            if kind == "thinking":
                self._think(each.get("text") for each in part["thinking"])
            elif kind == "text":
                self._say(part["text"])
            else:
                self.unread.add(str(kind))
        return None

    def _reasoning(self, delta: Mapping[str, Any]) -> None:
        """Count the reasoning once, although many providers send it under several names."""
        if blocks := delta.get("thinking_blocks"):
            self._think(block.get("thinking") for block in blocks)
        elif details := delta.get("reasoning_details"):
            places = ((each, REASONING_TEXTS.get(each.get("type", ""), "")) for each in details)
            self._think(each.get(place) for each, place in places)
        else:
            names = ("reasoning_content", "reasoning", "thinking")
            texts = (text for name in names if isinstance(text := delta.get(name), str) and text)
            self._think([next(texts, "")])

    def _candidate(self, candidate: Mapping[str, Any]) -> None:
        for part in (candidate.get("content") or {}).get("parts") or ():
            self._gemini(part)
        self._name(candidate, lambda name: name not in CANDIDATE_READ)

    def _gemini(self, part: Mapping[str, Any]) -> None:
        if part.get("thought"):
            self._think([part.get("text")])
        else:
            self._say(part.get("text"))
        if call := part.get("functionCall"):
            self._arguments(call.get("args") or {})
        self._name(part, lambda name: name not in GEMINI_READ)

    def _opened(self, index: int, block: Mapping[str, Any]) -> None:
        kind = self._blocks[index] = str(block["type"])
        if kind == "tool_use":
            self._arguments(block.get("input") or None)
        elif kind in CLAUDE_TEXTS:
            self._piece(kind, block.get(CLAUDE_TEXTS[kind]))
        else:
            self.unread.add(kind)

    def _goes_on(self, index: int, delta: Mapping[str, Any]) -> None:
        kind = str(delta["type"])
        if kind in CLAUDE_DELTAS:
            self._piece(CLAUDE_DELTAS[kind], delta.get(CLAUDE_DELTAS[kind]))
        elif kind == "input_json_delta":
            if self._blocks.get(index) == "tool_use":
                self._arguments(delta["partial_json"])
        elif kind not in UNTOLD:
            self.unread.add(kind.removesuffix("_delta"))

    def _piece(self, kind: str, text: Any) -> None:
        if kind == "text":
            self._say(text)
        else:
            self._think([text])
