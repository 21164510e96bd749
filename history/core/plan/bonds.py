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

NAME = 12  # Hexadecimal digits in the name of a block of reasoning.
STAND_IN = "stand-in"  # litellm adds a tool to a request to Claude that has calls but no tools.


def bond_of(items: Sequence[Message | Injected], tools: str, model: str) -> Bond:
    """Return the bond of the answer to a request; `tools` is the digest of the request's tools."""
    messages = [message for message in items if _thoughts(message)]
    *_, prefix = prefixes(items, tools)
    return Bond(model, prefix, _name(_thoughts(messages[-1])[-1]) if messages else "")


def fitting(
    items: Sequence[Message | Injected], tools: str, shortened: Collection[int] = ()
) -> frozenset[int]:
    """Return the positions of the messages whose reasoning can be sent in this request.

    All reasoning in the request must be bound to one model. `shortened` are the positions of
    messages whose texts are not sent as they are stored.
    """
    chain, after = set[int](), None  # Any block may be the newest of the chain.
    for item, prefix in reversed(list(zip(items, prefixes(items, tools), strict=False))):
        if not isinstance(item, Message) or not (thoughts := _thoughts(item)):
            continue
        bond, is_cut = thoughts[0].bond, thoughts[-1].at > 0 and item.position in shortened
        if not bond or is_cut or bond.prefix != prefix:
            continue
        if after in {None, _name(thoughts[-1])}:
            chain.add(item.position)
            after = bond.after  # Empty if no block came before, so no older one fits.
    return frozenset(chain)


def prefixes(items: Sequence[Message | Injected], tools: str) -> Iterator[str]:
    """Yield the digest of everything before each item, and finally the digest of all items.

    Each digest covers the tools, and all system messages at the start, because Claude gets these
    apart from the other messages.
    """
    system = [item.text for item in takewhile(_is_system, items)]
    tools = tools or (STAND_IN if any(map(_has_calls, items)) else "")
    running = hashlib.sha256(canonical([tools, system]).encode())
    for place, item in enumerate(items):
        yield running.hexdigest()[: 2 * NAME]
        if place >= len(system):
            running.update(canonical(_without_reasoning(item)).encode())
    yield running.hexdigest()[: 2 * NAME]


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
