"""A stand-in for Claude's newer models, which bind thinking to everything before it.

A block of thinking is valid if nothing before it has changed: system text, tools, messages, and the
text before it in its own message. The first thinking blocks of the conversation may be missing,
but none between two others. A block after an invalid one is invalid, too. Cache breakpoints are
ignored. A block that another model wrote is always dropped.
"""

from collections.abc import Iterator, Mapping, Sequence
from enum import StrEnum
from hashlib import sha256
from typing import Any, NamedTuple

from tests.strict.checks import first, sign
from tests.strict.claude import BOND, THINKING, Block, Claude, content_of
from tests.strict.server import Headers, Said

# The first number in a call's id; ids of older models in the conversation are smaller.
CALLS = 1_000
BETA = "thinking-binding-controls-2026-08-01"
# The fields that hold a block's signature and bond: of plain and of redacted thinking.
SEALED = ("signature", "data")
ELSEWHERE = (
    "Invalid `signature` in `thinking` block. The block is bound to a different conversation. "
    'Remove the block, or set `thinking.block_binding.prefix_mismatch_behavior` to "drop_block".'
)


class Reason(StrEnum):
    MODEL = "model_binding_mismatch"
    PREFIX = "prefix_binding_mismatch"


class Mismatch(NamedTuple):
    """A block that the model cannot use: its path in the request, and the reason."""

    path: str
    reason: Reason


class Bond(NamedTuple):
    """What a block is bound to: its model, the thinking before it (empty if none), and all else
    before it.
    """

    model: str
    thought: str
    prefix: str


class BoundClaude(Claude):
    """Claude with bound thinking. `is_old`: the account was made before the end of August 2026. For
    such an account, Claude only reports unfitting blocks, unless asked to drop or refuse them.
    """

    model = "anthropic/claude-opus-5-5"

    def __init__(self, *, is_old: bool = False) -> None:
        self.is_old = is_old

    def mismatches(self, body: Mapping[str, Any]) -> "list[Mismatch]":
        return mismatches(body)

    def thoughts(self, body: Mapping[str, Any]) -> list[Block]:
        return [b for m in body["messages"] for b in content_of(m) if b["type"] in THINKING]

    def refusal(self, path: str, body: Mapping[str, Any], headers: Headers) -> str:
        unbound = super().refusal(path, _unbound(body), headers)
        return unbound or first(self._refusals(body, headers))

    def start(self, number: int, body: Mapping[str, Any]) -> dict[str, Any]:
        """Begin a message with a report of the unfitting blocks, dropped or let in."""
        is_let_in = self.is_old and not _wish(body)
        found = [
            {"type": "thinking_mismatch_allowed", **each._asdict()}
            if is_let_in and each.reason is Reason.PREFIX
            else {"type": "thinking_dropped", **each._asdict()}
            for each in mismatches(body)
        ]
        return super().start(number, body) | {"input_transformations": found}

    def blocks(
        self, said: Said, number: int, body: Mapping[str, Any]
    ) -> Iterator[tuple[Block, list[Block]]]:
        thought, before = _last_thought(body["messages"]), list[Block]()
        for block, deltas in super().blocks(said, CALLS + number, body):
            if block["type"] == "text":
                before.append({"type": "text", "text": "".join(said.text)})
            if block["type"] not in THINKING:
                yield block, deltas
                continue
            bond = Bond(body["model"], thought, _prefix(body, len(body["messages"]), before))
            sealed = [_sealed(piece, bond) for piece in (block, *deltas)]
            thought = _name(next(seal for seal in map(_seal, sealed) if seal))
            yield sealed[0], sealed[1:]

    def _refusals(self, body: Mapping[str, Any], headers: Headers) -> Iterator[str]:
        betas = {name.lower(): value for name, value in headers.items()}.get("anthropic-beta", "")
        if _wish(body) and BETA not in betas:
            yield "thinking.block_binding: Extra inputs are not permitted"
        if (_wish(body) or ("allow" if self.is_old else "error")) == "error":
            yield from (
                f"{each.path}: {ELSEWHERE}"
                for each in mismatches(body)
                if each.reason is Reason.PREFIX
            )


def mismatches(body: Mapping[str, Any]) -> list[Mismatch]:
    """List the blocks that the request's model cannot use, in their order."""
    found: list[Mismatch] = []
    thought, is_changed = "", False
    for index, message in enumerate(body["messages"]):
        for place, block in enumerate(content_of(message)):
            if block["type"] not in THINKING:
                continue
            path, bond = f"messages.{index}.content.{place}", _bond(block)
            if bond.model != body["model"]:
                found.append(Mismatch(path, Reason.MODEL))
                continue
            before = content_of(message)[:place]
            is_changed |= bond.prefix != _prefix(body, index, before)
            is_changed |= bool(thought) and bond.thought != thought
            if is_changed:
                found.append(Mismatch(path, Reason.PREFIX))
            thought = _name(_seal(block))
    return found


def _wish(body: Mapping[str, Any]) -> str:
    """Return how the request wants unfitting blocks to be treated; empty if it does not say."""
    binding = body.get("thinking", {}).get("block_binding", {})
    return str(binding.get("prefix_mismatch_behavior", ""))


def _prefix(body: Mapping[str, Any], index: int, before: Sequence[Block]) -> str:
    """Sign everything before a block but thinking, for which a bond has a field of its own."""
    system = _plain(content_of({"content": body.get("system", [])}))
    tools = [_unmarked(tool) for tool in body.get("tools", [])]
    messages = [[each["role"], *_plain(content_of(each))] for each in body["messages"][:index]]
    return sign([system, tools, messages, _plain(before)], 32)


def _plain(blocks: Sequence[Block]) -> list[Any]:
    return [_unmarked(block) for block in blocks if block["type"] not in THINKING]


def _unmarked(value: Any) -> Any:
    """Remove the fields for cache breakpoints, at any depth."""
    if isinstance(value, Mapping):
        return {key: _unmarked(each) for key, each in value.items() if key != "cache_control"}
    return [_unmarked(each) for each in value] if isinstance(value, list) else value


def _last_thought(messages: Sequence[Block]) -> str:
    thoughts = [b for message in messages for b in content_of(message) if b["type"] in THINKING]
    return _name(_seal(thoughts[-1])) if thoughts else ""


def _seal(block: Block) -> str:
    """Return a block's signature, or its sealed data if the thinking is redacted."""
    return str(block.get("signature") or block.get("data") or "")


def _name(seal: str) -> str:
    return sha256(seal.encode()).hexdigest()[:12]


def _bond(block: Block) -> Bond:
    """Return the bond in a block's signature; an empty one if its model binds nothing."""
    found = _seal(block).partition(BOND)[2].split("|")
    return Bond(*found) if len(found) == len(Bond._fields) else Bond("", "", "")


def _sealed(piece: Block, bond: Bond) -> Block:
    """Add the bond to the piece of a block that contains the signature or the sealed data."""
    fields = [name for name in SEALED if piece.get(name)]
    return {**piece, **{name: f"{piece[name]}{BOND}{'|'.join(bond)}" for name in fields}}


def _unbound(body: Mapping[str, Any]) -> dict[str, Any]:
    """Return the request without the field `block_binding`, which older models do not know."""
    thinking = {k: v for k, v in body.get("thinking", {}).items() if k != "block_binding"}
    return {**body, "thinking": thinking} if thinking else dict(body)
