"""A message's hash covers only what a client can send again."""

from dataclasses import replace

import pytest

from history.core.transcript.messages import Message, Role, ToolCall
from history.core.transcript.parts import File, Image, Reasoning, ReasoningForm
from history.core.transcript.path_hash import path_hashes

CALL = ToolCall("1", "search", '{"query": "cats", "most": 3}')
PHOTO = Image("a" * 64, "b" * 64, "image/png", "cat.png")
REPORT = File("c" * 64, "d" * 64, "application/pdf", text="Page 1")
MESSAGES = (
    Message(0, Role.USER, "What do cats eat?", parts=(PHOTO, REPORT)),
    Message(1, Role.ASSISTANT, "I'll look.", (CALL,)),
    Message(2, Role.TOOL, "Mice", tool_call_id="1", tool_name="search"),
    Message(3, Role.ASSISTANT, "Mice."),
)
THOUGHT = Reasoning(ReasoningForm.TEXT, "Cats, then.")


def changed(place: int, **changes: object) -> list[str]:
    messages = list(MESSAGES)
    messages[place] = replace(messages[place], **changes)  # type: ignore[arg-type]  # By name.
    return path_hashes(messages)


@pytest.mark.parametrize(
    ("place", "changes"),
    [
        pytest.param(0, {"text": "  What do cats eat?\n"}, id="white-space-at-the-ends"),
        pytest.param(0, {"tokens": 99, "turn": 7, "position": 5}, id="figures"),
        pytest.param(0, {"parts": (replace(PHOTO, digest="e" * 64), REPORT)}, id="as-sent"),
        pytest.param(0, {"parts": (PHOTO, replace(REPORT, text="?"))}, id="extracted-text"),
        pytest.param(0, {"parts": (THOUGHT, PHOTO, REPORT)}, id="reasoning"),
        pytest.param(1, {"tool_calls": (replace(CALL, id="2"),)}, id="id-of-a-call"),
        pytest.param(
            1,
            {"tool_calls": (replace(CALL, arguments='{"most":3,"query":"cats"}'),)},
            id="arguments-written-otherwise",
        ),
        pytest.param(2, {"tool_call_id": "2"}, id="id-of-a-result"),
    ],
)
def test_what_a_client_does_not_send_again_changes_nothing(
    place: int, changes: dict[str, object]
) -> None:
    assert changed(place, **changes) == path_hashes(MESSAGES)


@pytest.mark.parametrize(
    ("place", "changes"),
    [
        pytest.param(0, {"role": Role.SYSTEM}, id="role"),
        pytest.param(0, {"text": "What do dogs eat?"}, id="text"),
        pytest.param(0, {"parts": (PHOTO,)}, id="one-file-fewer"),
        pytest.param(0, {"parts": (REPORT, PHOTO)}, id="order-of-files"),
        pytest.param(1, {"tool_calls": ()}, id="no-call"),
        pytest.param(1, {"tool_calls": (replace(CALL, name="find"),)}, id="name-of-a-call"),
        pytest.param(1, {"tool_calls": (replace(CALL, arguments="{}"),)}, id="arguments"),
        pytest.param(2, {"text": "Birds"}, id="result"),
    ],
)
def test_a_change_is_in_every_hash_from_there_on(place: int, changes: dict[str, object]) -> None:
    now, before = changed(place, **changes), path_hashes(MESSAGES)
    assert now[:place] == before[:place]
    assert not set(now[place:]) & set(before[place:])
