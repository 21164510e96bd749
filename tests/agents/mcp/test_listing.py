"""A server's list of tools, and which of its tools are offered."""

import re
from dataclasses import dataclass, field
from types import SimpleNamespace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agents.mcp.listing import LONGEST_SCHEMA, free_name, listing


@dataclass
class Told:
    name: str
    description: str | None = None
    input_schema: object = field(default_factory=lambda: {"type": "object"})
    annotations: object = None


def names(*told, only=()):
    return [tool["name"] for tool in listing("files", map(Told, told), only).tools]


def notes(*told, only=()):
    return listing("files", told, only).notes


@pytest.mark.parametrize(
    ("tool", "name"),
    [
        pytest.param("read", "files__read", id="the server's name comes first"),
        pytest.param("read.all/now", "files__read_all_now", id="other characters become lines"),
        pytest.param("lé", "files__l_", id="so do letters beyond ASCII"),
        pytest.param("x" * 80, "files__" + "x" * 57, id="a long name is cut"),
    ],
)
def test_a_name_is_what_providers_accept(tool, name):
    assert names(tool) == [name]


def test_names_that_come_to_the_same_are_told_apart_and_said_so():
    found = listing("files", [Told("a.b"), Told("a_b"), Told("a b")])

    assert [tool["name"] for tool in found.tools] == ["files__a_b", "files__a_b_2", "files__a_b_3"]
    assert found.notes == [
        "'a_b' is called files__a_b_2, because files__a_b is taken.",
        "'a b' is called files__a_b_3, because files__a_b is taken.",
    ]


@given(st.lists(st.text(min_size=1, max_size=90), max_size=30))
def test_names_are_always_acceptable_and_never_twice_the_same(told):
    found = names(*told)

    assert len(set(found)) == len(found)
    assert [name for name in found if not re.fullmatch("[A-Za-z0-9_-]{1,64}", name)] == []


def test_a_taken_name_of_full_length_makes_room_for_its_number():
    assert free_name("x" * 64, ["x" * 64]) == "x" * 62 + "_2"


@pytest.mark.parametrize(
    ("schema", "reason"),
    [
        pytest.param({"type": "array"}, "a JSON schema of an object", id="not an object's"),
        pytest.param({}, "a JSON schema of an object", id="no type"),
        pytest.param([1], "a JSON schema of an object", id="a list"),
        pytest.param({"type": "object", "x": "\0"}, "a JSON schema of an object", id="a NUL"),
        pytest.param({"type": "object", "x": "\ud800"}, "a JSON schema", id="half a character"),
        pytest.param({"type": "object", "x": float("nan")}, "a JSON schema", id="no number"),
        pytest.param(
            {"type": "object", "x": "y" * LONGEST_SCHEMA}, "the limit is 10,000", id="too long"
        ),
    ],
)
def test_a_schema_that_cannot_be_passed_on_costs_its_tool(schema, reason):
    found = listing("files", [Told("odd", input_schema=schema), Told("even")])

    assert [tool["name"] for tool in found.tools] == ["files__even"]
    assert len(found.notes) == 1
    assert found.notes[0].startswith("'odd' is left out because ")
    assert reason in found.notes[0]


@pytest.mark.parametrize(
    "name", [pytest.param(n, id=repr(n[:5])) for n in ("", "\0", "x" * 201, "a\nb")]
)
def test_a_name_that_cannot_be_said_costs_its_tool(name):
    assert names(name) == []


def test_schemas_share_a_room():
    big = {"type": "object", "description": "y" * 9_900}
    found = listing("files", [Told(f"t{n}", input_schema=big) for n in range(40)])

    assert len(found.tools) == 25
    assert found.notes[0] == (
        "'t25' is left out because the schemas of the earlier tools already use up the limit."
    )


def test_a_long_description_is_cut_and_cleaned():
    (tool,) = listing("files", [Told("read", "a\x1bb\n" + "c" * 2_000)]).tools

    assert len(tool["description"]) == 1_024
    assert tool["description"].startswith("a b\nccc")
    assert tool["description"].endswith("c…")


def test_only_those_that_are_named_are_offered():
    assert names("read", "write", only=["read"]) == ["files__read"]


def test_a_name_that_the_server_does_not_know_is_said_so():
    assert notes(Told("read"), only=["raed"]) == [
        "'raed' is listed, but the server has no such tool."
    ]


@pytest.mark.parametrize(
    ("annotations", "expected"),
    [
        pytest.param(None, False, id="nothing is said"),
        pytest.param(SimpleNamespace(read_only_hint=None), False, id="not of this"),
        pytest.param(SimpleNamespace(read_only_hint=False), False, id="it changes something"),
        pytest.param(SimpleNamespace(read_only_hint=True), True, id="it only reads"),
    ],
)
def test_what_a_server_says_of_reading_is_kept(annotations, expected):
    (tool,) = listing("files", [Told("read", annotations=annotations)]).tools

    assert tool["reads_only"] is expected
