"""Generate valid, nearly valid and invalid frames for the socket's commands, from their models."""

import json
from collections.abc import Mapping
from types import UnionType
from typing import Any, get_args
from uuid import UUID

from hypothesis import strategies as st
from pydantic import BaseModel

from chatapp.socket import protocol

MODELS: tuple[type[BaseModel], ...] = get_args(protocol.AnyCommand)
TEXTS = (
    *(
        "Hello",
        "",
        "   ",
        "\x00",
        "\ud800",
        "\u202egnp.exe",
        "<script>alert(1)</script>",
        "x" * 9_000,
    ),
    *("/", "/context", "/compact", "/settings history_length=2", "/settings \x00", "/nothing"),
    *("```", "[" * 2_000, "\u0301" * 500, "👩‍👩‍👧", "{{ 7 }}", "%s %n %%", "'; DROP TABLE x; --"),
)
QUERIES = (
    *("historyLength=2", "historyLength=-1", "historyLength=1e400", "historyLength=%00", "=&=&;"),
    *("a=1&a=2", "%", "%ff", "?" * 3_999, "x" * 4_001, "\ud800", "debug=true&agent=demo"),
)
NAMES = ("demo", "", "nobody", "../demo", "demo\x00", "é", "x" * 51)
WHOLE = (-(2**63), -1, 0, 1, 2, 3, 2**31 - 1, 2**31, 2**63 - 1, 2**63, 10**400)
SCALARS = st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=20)
ANY_JSON = st.recursive(
    SCALARS,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner),
    max_leaves=5,
)
PLACES: Mapping[str, tuple[Any, ...]] = {
    "text": TEXTS,
    "query": QUERIES,
    **dict.fromkeys(("agent", "network", "model"), NAMES),
}
COMMANDS = {
    name: model for model in MODELS for name in get_args(model.model_fields["type"].annotation)
}


def frames(right: Mapping[str, Any], ids: tuple[str, ...], command: str) -> st.SearchStrategy[str]:
    """Draw the JSON of one command: a valid frame, in which up to two fields are replaced."""
    fields = COMMANDS[command].model_fields
    fitting = {name: st.just(right[name]) for name in fields if name in right}
    needed = {name: fitting.pop(name) for name in tuple(fitting) if fields[name].is_required()}
    if "client_msg_id" in fields:
        needed["client_msg_id"] = st.uuids().map(str)
    whole = st.fixed_dictionaries({"type": st.just(command), **needed}, optional=fitting)
    wrong = {name: _value(name, field.annotation, ids) for name, field in fields.items()}
    spoilt = [st.fixed_dictionaries({name: value | ANY_JSON}) for name, value in wrong.items()]
    unknown = st.dictionaries(st.sampled_from(("role", "messages")), ANY_JSON, max_size=1)
    nothing: st.SearchStrategy[dict[str, Any]] = st.just({})
    changes = st.one_of(nothing, nothing, unknown, *spoilt)
    return st.tuples(whole, changes, changes).map(_frame)


def _frame(parts: tuple[dict[str, Any], ...]) -> str:
    return json.dumps({name: value for part in parts for name, value in part.items()})


def _value(name: str, annotation: Any, ids: tuple[str, ...]) -> st.SearchStrategy[Any]:
    kinds = _kinds(annotation)
    if name in PLACES:
        return st.sampled_from(PLACES[name]) | st.text(max_size=40)
    if kinds & {list, tuple}:
        inner = st.sampled_from(ids) if UUID in kinds else st.sampled_from(WHOLE)
        return st.lists(inner, max_size=4)
    if UUID in kinds:
        return st.sampled_from(ids) | st.uuids().map(str)
    return st.booleans() if bool in kinds else st.sampled_from(WHOLE)


def _kinds(annotation: Any) -> set[Any]:
    """Return all types that occur in an annotation."""
    inner = get_args(annotation)
    origin = getattr(annotation, "__origin__", annotation)
    found = {origin} if not isinstance(annotation, UnionType) else set()
    return found.union(*map(_kinds, inner)) if inner else found
