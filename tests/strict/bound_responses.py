"""A stand-in for OpenAI's newer models, which drop reasoning that follows a changed request.

Instructions, tools and all items before a reasoning item must be those that it was written after.
Otherwise it is dropped, and so is each one after it; the response reports that. The first reasoning
items of the conversation may be missing, but none between two others.
"""

from collections.abc import Iterator, Mapping, Sequence
from hashlib import sha256
from typing import Any

from tests.strict.bound_claude import Bond, Mismatch, Reason
from tests.strict.checks import sign
from tests.strict.openai_responses import BOND, Events, Item, OpenAIResponses
from tests.strict.server import Said


class BoundResponses(OpenAIResponses):
    model = "openai/responses/gpt-5.6"

    def mismatches(self, body: Mapping[str, Any]) -> list[Mismatch]:
        return mismatches(body)

    def thoughts(self, body: Mapping[str, Any]) -> list[Item]:
        return thoughts_in(body)

    def report(self, body: Mapping[str, Any]) -> Mapping[str, Any]:
        found = [{"type": "reasoning_removed", **each._asdict()} for each in mismatches(body)]
        return {"input_transformations": found}

    def items(
        self, said: Said, number: int, body: Mapping[str, Any]
    ) -> Iterator[tuple[Item, Events]]:
        thoughts = thoughts_in(body)
        thought, before = _name(thoughts[-1]) if thoughts else "", list[Item]()
        for item, events in super().items(said, number, body):
            if item["type"] != "reasoning":
                before.append(_sent_again(item))
                yield item, events
                continue
            bond = Bond(body["model"], thought, _prefix(body, [*body["input"], *before]))
            sealed = f"{item['encrypted_content']}{BOND}{'|'.join(bond)}"
            whole = {**item, "encrypted_content": sealed}
            thought = _name(whole)
            yield whole, events


def mismatches(body: Mapping[str, Any]) -> list[Mismatch]:
    """List the reasoning items that the request's model drops, in their order."""
    found: list[Mismatch] = []
    thought, is_changed = "", False
    for index, item in enumerate(body["input"]):
        if item["type"] != "reasoning":
            continue
        bond, path = _bond(item), f"input[{index}]"
        if bond.model != body["model"]:
            found.append(Mismatch(path, Reason.MODEL))
            continue
        is_changed |= bond.prefix != _prefix(body, body["input"][:index])
        is_changed |= bool(thought) and bond.thought != thought
        if is_changed:
            found.append(Mismatch(path, Reason.PREFIX))
        thought = _name(item)
    return found


def thoughts_in(body: Mapping[str, Any]) -> list[Item]:
    return [item for item in body["input"] if item["type"] == "reasoning"]


def _prefix(body: Mapping[str, Any], items: Sequence[Item]) -> str:
    """Sign everything before a reasoning item but reasoning, for which a bond has its own field."""
    spoken = [item for item in items if item["type"] != "reasoning"]
    return sign([body.get("instructions", ""), body.get("tools", []), spoken], 32)


def _sent_again(item: Item) -> Item:
    """Return an item of an answer in the form in which a later request contains it."""
    if item["type"] == "message":
        text = {"type": "output_text", "text": item["content"][0]["text"]}
        return {"type": "message", "role": "assistant", "content": [text]}
    return {name: value for name, value in item.items() if name != "id"}


def _name(item: Item) -> str:
    return sha256(item["encrypted_content"].encode()).hexdigest()[:12]


def _bond(item: Item) -> Bond:
    found = item["encrypted_content"].partition(BOND)[2].split("|")
    return Bond(*found) if len(found) == len(Bond._fields) else Bond("", "", "")
