"""Find the reasoning that its model accepts back: what precedes it is as it was at the time.

Some models bind each block of reasoning to the request that it came back for. Of the blocks in a
request the first may be missing, but none between two others, and after a block that does not fit
no other one is accepted. So the blocks that can be sent are a chain that is followed from the
newest one back.
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

NAME = 12  # Hexadecimal digits that tell the blocks of one chat apart.


def bond_of(items: Sequence[Message | Injected], tools: str, model: str) -> Bond:
    """Return what the answer to a request is bound to; `tools` is the digest of its tools."""
    sent = [message for message in items if _thoughts(message)]
    *_, prefix = prefixes(items, tools)
    return Bond(model, prefix, _name(_thoughts(sent[-1])[-1]) if sent else "")


def fitting(
    items: Sequence[Message | Injected], tools: str, shortened: Collection[int] = ()
) -> frozenset[int]:
    """Return the positions of the messages whose reasoning can be sent in this request.

    All reasoning in it must be of one model, with its bond. `shortened` are the positions of
    messages whose texts are not sent as they are stored.
    """
    chain, after = set[int](), None  # Any block may be the last one.
    for item, prefix in reversed(list(zip(items, prefixes(items, tools), strict=False))):
        if not isinstance(item, Message) or not (thoughts := _thoughts(item)):
            continue
        bond, is_cut = thoughts[0].bond, thoughts[-1].at > 0 and item.position in shortened
        if not bond or is_cut or bond.prefix != prefix:
            continue
        if after in {None, _name(thoughts[-1])}:
            chain.add(item.position)
            after = bond.after  # Empty if none preceded it: then nothing has this name.
    return frozenset(chain)


def prefixes(items: Sequence[Message | Injected], tools: str) -> Iterator[str]:
    """Yield the digest of what precedes each item, and last of everything.

    The system messages at the start precede even themselves: Claude gets them apart from the rest.
    """
    system = [item.text for item in takewhile(_is_system, items)]
    running = hashlib.sha256(canonical([tools, system]).encode())
    for place, item in enumerate(items):
        yield running.hexdigest()[: 2 * NAME]
        if place >= len(system):
            running.update(canonical(_without_reasoning(item)).encode())
    yield running.hexdigest()[: 2 * NAME]


def _is_system(item: Message | Injected) -> bool:
    return item.role is Role.SYSTEM


def _without_reasoning(item: Message | Injected) -> list[object]:
    """Return what is sent of a message besides its reasoning, and where that parts its text."""
    if isinstance(item, Injected):
        return [*openai_messages((), [item]), []]
    thoughts = _thoughts(item)
    bare = replace(item, parts=in_text(item.parts)) if thoughts else item
    return [*openai_messages([bare]), [thought.at for thought in thoughts if thought.at]]


def _thoughts(item: Message | Injected) -> tuple[Reasoning, ...]:
    return reasoning_in(item.parts) if isinstance(item, Message) and item.parts else ()


def _name(thought: Reasoning) -> str:
    said = canonical([thought.text, dict(thought.fields)])
    return hashlib.sha256(said.encode()).hexdigest()[:NAME]
