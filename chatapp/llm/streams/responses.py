"""Read the events of OpenAI's Responses API as chunks of its older protocol.

litellm does this, too, but it passes on reasoning only at the end of a whole answer, and neither
refusals nor errors.
"""

from collections.abc import Callable, Iterator
from typing import Any

from chatapp.llm.streams.events import Node, reported

FINISHED = {"max_output_tokens": "length", "content_filter": "content_filter"}
FAILED = frozenset({"error", "response.failed"})
BETWEEN = "\n\n"  # The parts of a summary are paragraphs, and so are several texts.
TEXTS = frozenset({"response.output_text.delta", "response.refusal.delta"})
THOUGHTS = frozenset({"response.reasoning_text.delta", "response.reasoning_summary_text.delta"})
PART = "response.reasoning_summary_part.added"
BEGINNING, END = BOUNDS = ("response.output_item.added", "response.output_item.done")
ARGUMENTS = "response.function_call_arguments.delta"
CREATED = "response.created"
ENDS = frozenset({"response.completed", "response.incomplete"})


class Responses:
    """A reader of one response's events; `read` yields the chunks of each.

    Reasoning that comes after a call, or after a second text, cannot be sent again in its place. It
    is kept without its seal.
    """

    def __init__(self) -> None:
        self._calls: dict[str, int] = {}  # The numbers of calls by the numbers of their items.
        self._heads: dict[str, Any] = {}  # The ids of calls whose names have come, by item.
        self._given: set[str] = set()  # The items of calls whose arguments have begun.
        self._texts = 0

    def read(self, event: Any) -> Iterator[Node]:
        if not isinstance(event, Node) or not isinstance(event.type, str):
            return
        if event.type in FAILED:
            raise reported(_error_in(event))
        if (read := READERS.get(event.type)) is not None:
            yield from read(self, event)

    def created(self, event: Node) -> Iterator[Node]:
        """Yield the id of a response that goes on in the background."""
        response = _object(event.response)
        if response.background is True and isinstance(response.id, str):
            yield Node(accepted=response.id)

    def text(self, event: Node) -> Iterator[Node]:
        yield _chunk(content=event.delta)

    def thought(self, event: Node) -> Iterator[Node]:
        if isinstance(event.delta, str):
            yield _chunk(reasoning_items=[{"text": event.delta}])

    def summary(self, event: Node) -> Iterator[Node]:
        """Begin a part of a summary."""
        if event.summary_index:
            yield _chunk(reasoning_items=[{"text": BETWEEN}])

    def begun(self, event: Node) -> Iterator[Node]:
        item = _object(event.item)
        if item.type == "message":
            self._texts += 1
            if self._texts > 1:
                yield _chunk(content=BETWEEN)
        if item.type == "function_call":
            yield self._call(event, item.arguments, item)

    def arguments(self, event: Node) -> Iterator[Node]:
        yield self._call(event, event.delta)

    def done(self, event: Node) -> Iterator[Node]:
        item = _object(event.item)
        if item.type == "function_call":
            yield from self._completed(event, item)
        is_in_place = not self._calls and self._texts < 2
        if item.type == "reasoning" and item.encrypted_content and is_in_place:
            yield _chunk(reasoning_items=[item])

    def ended(self, event: Node) -> Iterator[Node]:
        response = _object(event.response)
        reason = "tool_calls" if self._calls else "stop"
        if event.type == "response.incomplete":
            details = _object(response.incomplete_details)
            reason = FINISHED.get(str(details.reason), "length")
        yield _chunk(finish=reason, usage=_usage(response.usage))

    def _completed(self, event: Node, item: Node) -> Iterator[Node]:
        """Yield what the pieces of a call lacked: its name, its arguments, or both."""
        place = str(event.output_index)
        if place not in self._heads and item.call_id in self._heads.values():
            return  # The same call has another place.
        head = None if place in self._heads else item
        arguments = None if place in self._given else item.arguments
        if head or arguments:
            yield self._call(event, arguments, head)

    def _call(self, event: Node, arguments: Any, item: Node | None = None) -> Node:
        place = str(event.output_index)
        number = self._calls.setdefault(place, len(self._calls))
        if arguments:
            self._given.add(place)
        if item:
            self._heads[place] = item.call_id
        head = item or Node()
        function = Node(name=head.name, arguments=arguments or "")
        return _chunk(tool_calls=[Node(index=number, id=head.call_id, function=function)])


def _error_in(event: Node) -> Any:
    """Return the error of an event. The rest of a response may quote the request."""
    if isinstance(event.response, Node):
        return event.response.error or Node()
    return event.error or event


READERS: dict[str, Callable[[Responses, Node], Iterator[Node]]] = {
    CREATED: Responses.created,
    **dict.fromkeys(TEXTS, Responses.text),
    **dict.fromkeys(THOUGHTS, Responses.thought),
    PART: Responses.summary,
    BEGINNING: Responses.begun,
    ARGUMENTS: Responses.arguments,
    END: Responses.done,
    **dict.fromkeys(ENDS, Responses.ended),
}


def _chunk(finish: str | None = None, usage: Node | None = None, **delta: Any) -> Node:
    return Node(choices=[Node(delta=Node(delta), finish_reason=finish)], usage=usage)


def _object(value: Any) -> Node:
    """Return an empty object in place of what should be one but is not."""
    return value if isinstance(value, Node) else Node()


def _usage(usage: Any) -> Node | None:
    if not isinstance(usage, Node):
        return None
    return Node(
        prompt_tokens=usage.input_tokens,
        completion_tokens=usage.output_tokens,
        prompt_tokens_details=usage.input_tokens_details,
        completion_tokens_details=usage.output_tokens_details,
    )
