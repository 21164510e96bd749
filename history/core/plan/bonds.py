"""Find the reasoning that its model accepts back, because nothing before it has changed.

Some models bind each block of reasoning to the request for which they wrote it. In a later request
the oldest blocks may be missing, but none between two others; after a block that does not fit, the
model accepts no other. So the blocks that can be sent form a chain, which is found by starting from
the newest.
"""

import hashlib
from collections.abc import Collection, Iterator, Sequence
from dataclasses import replace
from itertools import takewhile

from history.core.plan.injected import Injected
from history.core.plan.neutral_request import canonical, openai_messages
from history.core.transcript.bond import Bond
from history.core.transcript.messages import Message, Role
from history.core.transcript.parts import Reasoning, in_text, reasoning_in
from history.core.transcript.reasoning_accepted import ReasoningAccepted

NAME = 12  # Hexadecimal digits in the name of a block of reasoning.
STAND_IN = "stand-in"  # litellm adds a tool to a request to Claude that has calls but no tools.


def bond_of(items: Sequence[Message | Injected], tools: str, taking: ReasoningAccepted) -> Bond:
    """Return the bond of the answer to a request; `tools` is the digest of the request's tools."""
    messages = [message for message in items if _thoughts(message)]
    prefix = _Prefix(items, tools, taking)
    for item in items:
        prefix.add(item)
    return Bond(
        taking.bound_to, prefix.digest, _name(_thoughts(messages[-1])[-1]) if messages else ""
    )


def fitting(
    items: Sequence[Message | Injected],
    tools: str,
    taking: ReasoningAccepted,
    shortened: Collection[int] = (),
) -> frozenset[int]:
    """Return the positions of the messages whose reasoning can be sent in this request.

    All reasoning in the request must be bound to one model. `shortened` are the positions of
    messages whose texts are not sent as they are stored.
    """
    chain, after = set[int](), None  # Any block may be the newest of the chain.
    prefix = _Prefix(items, tools, taking)
    for message in reversed(list(_unchanged(items, prefix, shortened))):
        thoughts = _thoughts(message)
        if thoughts[0].bond and after in {None, _name(thoughts[-1])}:
            chain.add(message.position)
            after = thoughts[0].bond.after  # Empty if no block came before, so no older one fits.
    return frozenset(chain)


def _unchanged(
    items: Sequence[Message | Injected], prefix: "_Prefix", shortened: Collection[int]
) -> Iterator[Message]:
    """Yield the messages with reasoning before which nothing has changed, once the reasoning of all
    others is left out. `prefix` is at the start of the items.
    """
    for item in items:
        message = item
        if isinstance(item, Message) and (thoughts := _thoughts(item)):
            bond, is_cut = thoughts[0].bond, thoughts[-1].at > 0 and item.position in shortened
            if bond and not is_cut and bond.prefix == prefix.digest:
                yield item
            else:
                message = replace(item, parts=in_text(item.parts))
        prefix.add(message)


class _Prefix:
    """Everything before an item of a request. Its digest covers the tools, and all system messages
    at the start, because Claude gets these apart from the other messages.
    """

    def __init__(
        self, items: Sequence[Message | Injected], tools: str, taking: ReasoningAccepted
    ) -> None:
        system = [item.text for item in takewhile(_is_system, items)]
        needs_tools = taking.minds_loop and any(map(_has_calls, items))
        tools = tools or (STAND_IN if needs_tools else "")
        self._running = hashlib.sha256(canonical([tools, system]).encode())
        self._ahead = len(system)

    @property
    def digest(self) -> str:
        return self._running.hexdigest()[: 2 * NAME]

    def add(self, item: Message | Injected) -> None:
        if self._ahead:
            self._ahead -= 1
        else:
            self._running.update(canonical(_without_reasoning(item)).encode())


def _is_system(item: Message | Injected) -> bool:
    return item.role is Role.SYSTEM


def _has_calls(item: Message | Injected) -> bool:
    return isinstance(item, Message) and bool(item.tool_calls)


def _without_reasoning(item: Message | Injected) -> list[object]:
    """Return a list: the message as it is sent but without its reasoning, and the places of that
    reasoning in the message's text.
    """
    if isinstance(item, Injected):
        return [*openai_messages((), [item]), []]
    thoughts = _thoughts(item)
    bare = replace(item, parts=in_text(item.parts)) if thoughts else item
    return [*openai_messages([bare]), [thought.at for thought in thoughts if thought.at]]


def _thoughts(item: Message | Injected) -> tuple[Reasoning, ...]:
    return reasoning_in(item.parts) if isinstance(item, Message) and item.parts else ()


def _name(thought: Reasoning) -> str:
    text = canonical([thought.text, dict(thought.fields)])
    return hashlib.sha256(text.encode()).hexdigest()[:NAME]
