"""A tree of messages is imported as branches."""

import pytest

from history.core.transcript.messages import Role, ToolCall
from history.services.imports.chats import ImportedMessage, Unreadable, Why
from history.services.imports.pairing import Pairs
from history.services.imports.tree import MOST_BRANCHES, branches_of


def said(id_, parent=None, role=Role.USER, **fields):
    return ImportedMessage(id_, parent, role, text=id_, **fields)


def tree(*pairs):
    return [said(name, parent) for name, parent in pairs]


def told(found):
    return [(line.of, line.through, [m.id for m in line.messages]) for line in found.lines]


LINEAR = tree(("a", None), ("b", "a"), ("c", "b"))
EDITED = tree(("a", None), ("b", "a"), ("c", "b"), ("b2", "a"), ("c2", "b2"), ("c3", "b"))


@pytest.mark.parametrize(
    ("messages", "current", "lines", "opened"),
    [
        pytest.param(LINEAR, None, [(None, -1, ["a", "b", "c"])], 0, id="one line"),
        pytest.param(LINEAR[::-1], None, [(None, -1, ["a", "b", "c"])], 0, id="in any order"),
        pytest.param(
            EDITED,
            "c2",
            [(None, -1, ["a", "b", "c"]), (0, 0, ["b2", "c2"]), (0, 1, ["c3"])],
            1,
            id="edited and asked again",
        ),
        pytest.param(
            tree(("a", None), ("b", "a"), ("z", None)),
            None,
            [(None, -1, ["a", "b"]), (None, -1, ["z"])],
            1,
            id="two beginnings",
        ),
        pytest.param([], None, [], 0, id="nothing"),
    ],
)
def test_a_tree_becomes_branches(messages, current, lines, opened):
    found = branches_of(messages, current)

    assert told(found) == lines
    assert found.current == opened
    assert not found.skipped


@pytest.mark.parametrize(
    ("messages", "why", "kept"),
    [
        pytest.param(tree(("a", None), ("b", "lost")), Why.NO_PARENT, {"a", "b"}, id="no parent"),
        pytest.param(tree(("a", None), ("a", None)), Why.DUPLICATE_ID, {"a"}, id="one id twice"),
        pytest.param(tree(("a", None), ("x", "y"), ("y", "x")), Why.CYCLE, {"a"}, id="a circle"),
        pytest.param(tree(("x", "x")), Why.CYCLE, set(), id="its own parent"),
    ],
)
def test_what_is_no_tree_is_said(messages, why, kept):
    found = branches_of(messages)

    assert [skipped.why for skipped in found.skipped] == [why]
    assert {message.id for line in found.lines for message in line.messages} == kept


def test_a_chain_of_many_messages_needs_no_recursion():
    names = [str(number) for number in range(20_000)]
    messages = tree(*zip(names, [None, *names], strict=False))

    assert len(branches_of(messages).lines[0].messages) == 20_000


def test_a_result_that_leaves_its_call_takes_a_copy_of_it_along():
    call = said("b", "a", Role.ASSISTANT, calls=(ToolCall("1", "look", "{}"),))
    results = [said("r", "b", Role.TOOL, call_id="1"), said("s", "b", Role.TOOL, call_id="1")]

    found = branches_of([said("a"), call, *results])

    assert told(found) == [(None, -1, ["a", "b", "r"]), (0, 0, ["b#1", "s"])]


RESULTS = [said(str(n), str(n - 1) if n else None, Role.TOOL) for n in range(3_000)]
FORKS = [said(f"f{n}", "2999", Role.TOOL) for n in range(1_000)]
ROOTS = [said(str(n)) for n in range(MOST_BRANCHES + 1)]


@pytest.mark.parametrize("messages", [RESULTS + FORKS, ROOTS], ids=["copies", "branches"])
def test_a_tree_that_would_grow_beyond_its_file_is_refused(messages):
    with pytest.raises(Unreadable) as caught:
        branches_of(messages)
    assert caught.value.skipped.why is Why.TOO_MANY


def pairs_of(messages):
    return [
        (m.role, [c.id for c in m.calls] or m.call_id)
        for m in Pairs().paired(messages)
        if m.calls or m.role is Role.TOOL
    ]


ASKED, RESULT = Role.ASSISTANT, Role.TOOL


def asks(*ids):
    return said("q", role=ASKED, calls=tuple(ToolCall(id_, "look.up", "{}") for id_ in ids))


@pytest.mark.parametrize(
    ("messages", "pairs"),
    [
        pytest.param(
            [asks("1", "2"), said("r", role=RESULT, call_id="2")],
            [(ASKED, ["1", "2"]), (RESULT, "2")],
            id="by id",
        ),
        pytest.param([asks("1"), said("r", role=RESULT)], [(ASKED, ["1"]), (RESULT, "1")],
                     id="by place"),
        pytest.param([said("r", role=RESULT, tool_name="web")],
                     [(ASKED, ["imported_0"]), (RESULT, "imported_0")], id="no call"),
        pytest.param(
            [asks("1"), said("r", role=RESULT), asks("1"), said("s", role=RESULT, call_id="1")],
            [(ASKED, ["1"]), (RESULT, "1"), (ASKED, ["imported_1"]), (RESULT, "imported_1")],
            id="an id twice",
        ),
    ],
)  # fmt: skip
def test_calls_and_results_are_paired(messages, pairs):
    assert pairs_of(messages) == pairs


def test_a_call_has_a_name_that_providers_take():
    (message,) = Pairs().paired([asks("1")])

    assert message.calls[0].name == "look_up"


def test_a_new_id_is_never_one_that_the_file_uses():
    messages = [
        said(f"{n}", role=Role.ASSISTANT, calls=(ToolCall(id_, "t", "{}"),))
        for n, id_ in enumerate(("imported_1", "imported_1", "", "imported_2"))
    ]

    ids = [call.id for message in Pairs().paired(messages) for call in message.calls]

    assert len(set(ids)) == 4
