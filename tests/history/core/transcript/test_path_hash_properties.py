"""The hash of a message changes if, and only if, what a client sends again changes."""

from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st

from history.core.transcript.messages import Message, Role, ToolCall
from history.core.transcript.parts import File, Image, Reasoning, ReasoningForm
from history.core.transcript.path_hash import path_hashes
from tests.history.core.strategies import thorough

BLANK = st.text(alphabet=" \t\n\r", max_size=3)
TEXTS = st.text(max_size=12)
DIGESTS = st.sampled_from(["a" * 64, "b" * 64, "c" * 64])
ARGUMENTS = st.sampled_from(['{"a": 1}', '{"b": [true, null]}', "", "no JSON", "[1]", "{}"])
CALLS = st.builds(ToolCall, TEXTS, st.sampled_from(["search", "fetch"]), ARGUMENTS)
THOUGHTS = st.builds(Reasoning, st.sampled_from(ReasoningForm), TEXTS)
IMAGES = st.builds(Image, DIGESTS, DIGESTS, st.just("image/png"), TEXTS)
FILES = st.builds(File, DIGESTS, DIGESTS, st.just("application/pdf"), TEXTS, text=TEXTS)
PARTS = st.lists(THOUGHTS | IMAGES | FILES, max_size=3).map(tuple)
MESSAGES = st.builds(
    Message,
    st.integers(0, 9),
    st.sampled_from(Role),
    TEXTS,
    st.lists(CALLS, max_size=2).map(tuple),
    parts=PARTS,
)
PATHS = st.lists(MESSAGES, min_size=1, max_size=5)


@st.composite
def retold(draw, message):
    """Draw the same message, changed in everything that its hash does not cover."""
    calls = [replace(call, id=draw(TEXTS), tokens=7) for call in message.tool_calls]
    parts = [part for part in message.parts if not isinstance(part, Reasoning)]
    parts = [replace(part, digest=draw(DIGESTS), tokens=7, name=draw(TEXTS)) for part in parts]
    parts = [replace(p, text=draw(TEXTS)) if isinstance(p, File) else p for p in parts]
    return replace(
        message,
        position=draw(st.integers(0, 99)),
        text=draw(BLANK) + message.text + draw(BLANK),
        tool_calls=tuple(calls),
        tool_call_id=draw(st.none() | TEXTS),
        tokens=draw(st.integers(0, 99)),
        parts=(*draw(st.lists(THOUGHTS, max_size=2)), *parts),
    )


@thorough
@given(st.data(), PATHS)
def test_what_no_client_sends_again_changes_nothing(data, path):
    again = [data.draw(retold(message)) for message in path]

    assert path_hashes(again) == path_hashes(path)


def sendable(message):
    """Return what a client sends again of a message; missing arguments count as `{}`."""
    files = [part.supplied for part in message.parts if not isinstance(part, Reasoning)]
    calls = [(call.name, call.arguments or "{}") for call in message.tool_calls]
    return message.role, message.text.strip(), files, calls


@thorough
@given(PATHS, PATHS)
def test_two_paths_have_the_hashes_of_their_common_beginning_in_common(one, other):
    common = 0
    for here, there in zip(one, other, strict=False):
        if sendable(here) != sendable(there):
            break
        common += 1

    assert path_hashes(one)[:common] == path_hashes(other)[:common]
    assert not set(path_hashes(one)[common:]) & set(path_hashes(other)[common:])


@thorough
@given(PATHS, st.data())
def test_a_text_changed_anywhere_changes_all_that_follow(path, data):
    place = data.draw(st.integers(0, len(path) - 1))
    other = [*path]
    other[place] = replace(path[place], text=f"{path[place].text.strip()}.")

    before, after = path_hashes(path), path_hashes(other)

    assert before[:place] == after[:place]
    assert not set(before[place:]) & set(after[place:])
