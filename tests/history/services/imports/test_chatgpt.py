"""Both layouts of ChatGPT's exports can be imported."""

from datetime import UTC, datetime

import pytest

from history.core.transcript.messages import Role
from history.core.transcript.parts import Reasoning
from history.services.imports.chats import ImportedFile, Why
from tests.history.services.imports.files import chat_in, chatgpt, chats_in, node, said, zipped

PLAIN = chatgpt(
    node("s", "root", "system", weight=0),
    node("a", "s", text="Hi", create_time=1_700_000_001.25),
    node("b", "a", "assistant", "Hello", metadata={"model_slug": "gpt-4o"}),
    current="b",
)


@pytest.mark.parametrize(
    "content",
    [
        pytest.param([PLAIN], id="a list"),
        pytest.param({"conversations": [PLAIN]}, id="a list in an object"),
        pytest.param(PLAIN, id="one chat"),
        pytest.param(zipped({"conversations.json": [PLAIN], "user.json": {"id": "u"}}), id="a zip"),
        pytest.param(
            zipped(
                {
                    "conversations-000.json": [PLAIN],
                    "export_manifest.json": {"files": []},
                    "__MACOSX/._conversations-000.json": b"\0",
                }
            ),
            id="numbered parts",
        ),
    ],
)
def test_each_layout_is_read(content):
    chat = chat_in(content)

    assert (chat.source, chat.title, chat.current) == ("c-1", "A trip", "b")
    assert chat.created == datetime(2023, 11, 14, 22, 13, 20, 500_000, UTC)
    assert said(chat) == [("user", "Hi"), ("assistant", "Hello")]
    first, second = chat.messages
    assert (first.parent, second.parent, second.model) == (None, "a", "gpt-4o")
    assert first.created == datetime(2023, 11, 14, 22, 13, 21, 250_000, UTC)
    assert not chat.skipped


def test_newer_files_name_the_model_once_and_say_what_is_archived():
    own = {"model_slug": "gpt-5-thinking"}
    chat = chat_in(
        [
            chatgpt(
                node("a", "root", text="Q"),
                node("b", "a", "assistant", "one"),
                node("c", "b", "assistant", "two", metadata=own),
                default_model_slug="gpt-5",
                is_archived=True,
            )
        ]
    )

    assert [m.model for m in chat.messages] == ["", "gpt-5", "gpt-5-thinking"]
    assert chat.is_archived


def test_a_long_row_of_silent_nodes_is_walked_once():
    silent = {"content": {"content_type": "reasoning_recap"}}
    many = 20_000
    row = [node(f"s{n}", f"s{n - 1}" if n else "root", "assistant", **silent) for n in range(many)]
    said = [node(f"m{n}", f"s{many - 1}", text=str(n)) for n in range(many)]

    chat = chat_in([chatgpt(*row, *said)])

    assert {m.parent for m in chat.messages} == {None}
    assert len(chat.messages) == many


def test_numbered_parts_are_read_in_their_order():
    parts = {f"conversations-{n:03}.json": [PLAIN | {"title": str(n)}] for n in (2, 0, 1)}

    chats, _ = chats_in(zipped(parts))

    assert [chat.title for chat in chats] == ["0", "1", "2"]


def test_versions_keep_the_order_of_their_parents_children():
    chat = chat_in(
        [
            chatgpt(
                node("a", "root", text="Q", children=["b2", "b1"]),
                node("b1", "a", "assistant", "one"),
                node("b2", "a", "assistant", "two"),
            )
        ]
    )

    assert [m.id for m in chat.messages if m.parent == "a"] == ["b2", "b1"]


def test_a_call_its_output_and_the_thoughts_before_an_answer_are_kept():
    code = {"content_type": "code", "language": "python", "text": "print(4)"}
    thoughts = {"content_type": "thoughts", "thoughts": [{"content": "Easy."}, {"content": "4."}]}
    chat = chat_in(
        [
            chatgpt(
                node("a", "root", text="2+2?"),
                node("b", "a", "assistant", content=code, recipient="python"),
                node("c", "b", "tool", content={"content_type": "execution_output", "text": "4"}),
                node("t", "c", "assistant", content=thoughts),
                node("u", "t", "assistant", content={"content_type": "reasoning_recap"}),
                node("d", "u", "assistant", "It is 4\ue200cite\ue202turn0view1\ue201."),
            )
        ]
    )

    asked, result, answer = chat.messages[1:]
    assert [(c.name, c.arguments) for c in asked.calls] == [("python", '{"input": "print(4)"}')]
    assert (asked.text, result.role, result.text) == ("", Role.TOOL, "4")
    assert (answer.parent, answer.text) == ("c", "It is 4.")
    (thought,) = answer.parts
    assert isinstance(thought, Reasoning)
    assert thought.text == "Easy.\n\n4."


IMAGE = {"content_type": "image_asset_pointer", "asset_pointer": "sediment://file_0a1b"}
MIXED = {"content_type": "multimodal_text", "parts": ["See", IMAGE, "this"]}
BESIDE = {
    "attachments": [{"id": "file_0a1b", "name": "p.jpg"}, {"id": "file-AbC", "name": "n.txt"}]
}


def test_files_are_found_by_their_ids_wherever_they_lie():
    chats = [chatgpt(node("a", "root", content=MIXED, metadata=BESIDE))]
    content = zipped(
        {"conversations.json": chats, "user-1/file_0a1b-x.png": b"p", "file-AbC-n.txt": b"t"}
    )

    (message,) = chat_in(content).messages

    assert message.text == "See\nthis"
    assert message.parts == (
        ImportedFile("image", member="user-1/file_0a1b-x.png", at=3),
        ImportedFile("n.txt", member="file-AbC-n.txt"),
    )


def test_what_is_missing_hidden_or_unknown_is_said_once():
    audio = {"content_type": "multimodal_text", "parts": [{"content_type": "audio_asset_pointer"}]}
    hidden = {"is_visually_hidden_from_conversation": True}
    chat = chat_in(
        [
            chatgpt(
                node("a", "root", content=MIXED, metadata=BESIDE),
                node("b", "a", "assistant", "secret", metadata=hidden),
                node("c", "b", "critic", "Hm"),
                node("d", "c", content=audio),
            )
        ]
    )

    assert [(s.why, s.where or dict(s.figures)) for s in chat.skipped] == [
        (Why.NO_FILE, "file_0a1b"),
        (Why.NO_FILE, "n.txt"),
        (Why.UNKNOWN_ROLE, "c"),
        (Why.UNKNOWN_PART, "d"),
        (Why.HIDDEN, {"count": 1}),
    ]


def test_custom_instructions_are_a_system_message():
    own = {"content_type": "user_editable_context", "user_profile": "Ada", "user_instructions": "!"}
    hidden = {"is_visually_hidden_from_conversation": True}

    chat = chat_in([chatgpt(node("a", "root", content=own, metadata=hidden))])

    assert said(chat) == [("system", "Ada\n\n!")]


@pytest.mark.parametrize(
    "mapping", [None, [], "x", 7], ids=["null", "a list", "a text", "a number"]
)
def test_a_broken_chat_does_not_concern_the_others(mapping):
    chats, skipped = chats_in([PLAIN, {"title": "Broken", "mapping": mapping}, PLAIN])

    assert len(chats) == 2
    assert [(s.why, s.where) for s in skipped] == [(Why.NO_CHAT, "Broken")]


@pytest.mark.parametrize(
    "node",
    [
        {"n": None},
        {"n": {"message": 7, "parent": 7, "children": 7}},
        {"n": {"message": {"author": [], "content": {"parts": {}}}, "parent": "n"}},
        {"n": {"message": {"author": {"role": "user"}, "content": {"parts": [None, 7, {}]}}}},
    ],
)
def test_wrong_types_become_nothing(node):
    assert chat_in([chatgpt(node)]).messages == ()
