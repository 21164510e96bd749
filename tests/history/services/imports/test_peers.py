"""Exports of Claude, Open WebUI and LibreChat are imported, from files made for the tests."""

from base64 import b64encode

import pytest

from history.core.transcript.parts import Reasoning
from history.services.imports.chats import ImportedFile, Why
from history.services.imports.tree import branches_of
from tests.history.services.imports.files import chat_in, chats_in, zipped

ROOT = "00000000-0000-4000-8000-000000000000"


def human(id_, parent, text, **fields):
    blocks = [{"type": "text", "text": text}]
    own = {"uuid": id_, "sender": "human", "text": text, "content": blocks}
    return own | {"parent_message_uuid": parent, "created_at": "2025-03-01T10:00:00.5Z"} | fields


def assistant(id_, parent, *blocks):
    return human(id_, parent, "") | {"sender": "assistant", "content": list(blocks)}


def claude(*messages, **fields):
    return {"uuid": "c", "name": "A trip", "chat_messages": list(messages)} | fields


THOUGHT = {"type": "thinking", "thinking": "Trains?"}
USE = {"type": "tool_use", "id": "t1", "name": "web_search", "input": {"q": "trains"}}
RESULT = {"type": "tool_result", "tool_use_id": "t1", "content": [{"type": "text", "text": "10h"}]}
SAID = {"type": "text", "text": "By train."}


def told(chat):
    return [(m.id, m.parent, str(m.role), m.text) for m in chat.messages]


def test_claudes_blocks_become_messages_in_their_order():
    chat = chat_in(
        [claude(human("a", ROOT, "How?"), assistant("b", "a", THOUGHT, USE, RESULT, SAID))]
    )

    assert told(chat) == [
        ("a", None, "user", "How?"),
        ("b/1", "a", "assistant", ""),
        ("b/2", "b/1", "tool", "10h"),
        ("b", "b/2", "assistant", "By train."),
    ]
    asked, result = chat.messages[1:3]
    assert [(c.id, c.name, c.arguments) for c in asked.calls] == [
        ("t1", "web_search", '{"q": "trains"}')
    ]
    assert result.call_id == "t1"
    (thought,) = asked.parts
    assert isinstance(thought, Reasoning)


def test_claudes_versions_and_files():
    pasted = {"file_name": "notes.txt", "extracted_content": "Bread"}
    files = [{"file_name": "cat.png"}, {"file_name": "gone.png"}]
    chats = [
        claude(
            human("a", ROOT, "One", attachments=[pasted], files=files),
            human("a2", ROOT, "Two"),
            assistant("b", "a2", SAID, {"type": "hologram"}),
            current_leaf_message_uuid="b",
        )
    ]

    chat = chat_in(zipped({"conversations.json": chats, "files/cat.png": b"c", "users.json": []}))

    found = branches_of(chat.messages, chat.current)
    assert [[m.id for m in line.messages] for line in found.lines] == [["a"], ["a2", "b"]]
    assert found.current == 1
    assert chat.messages[0].parts == (
        ImportedFile("notes.txt", b"Bread"),
        ImportedFile("cat.png", member="files/cat.png"),
        ImportedFile("gone.png"),
    )
    assert [(s.why, s.where) for s in chat.skipped] == [
        (Why.NO_FILE, "gone.png"),
        (Why.UNKNOWN_PART, "b"),
    ]


def test_what_claudes_tools_found_and_made_is_kept():
    page = {"type": "knowledge", "title": "Trains", "url": "https://x.org", "text": "10h"}
    artifact = {"command": "create", "id": "a", "type": "text/html", "content": "<b>10h</b>"}
    found = RESULT | {"content": [page, {"type": "image", "file_uuid": "f"}]}
    made = {"type": "tool_use", "id": "t2", "name": "artifacts", "input": artifact}

    chat = chat_in([claude(human("a", ROOT, "How?"), assistant("b", "a", USE, found, made))])

    assert [m.text for m in chat.messages] == ["How?", "", "10h", ""]
    assert chat.messages[-1].calls[0].name == "artifacts"
    assert "<b>10h</b>" in chat.messages[-1].calls[0].arguments
    assert [(s.why, s.figures) for s in chat.skipped] == [(Why.UNKNOWN_PART, {"kind": "image"})]


def test_claudes_older_exports_name_no_parents():
    old = [{"uuid": n, "sender": s, "text": n} for n, s in (("a", "human"), ("b", "assistant"))]

    chat = chat_in([claude(*old)])

    assert told(chat) == [("a", None, "user", "a"), ("b", "a", "assistant", "b")]


PNG = "data:image/png;base64," + b64encode(b"png").decode()
REASONED = (
    '<details type="reasoning" done="true"><summary>Thought</summary>\n> Hm\n> ok\n</details>\nYes'
)


def turn(id_, parent, role, content, *children, **fields):
    node = {"id": id_, "parentId": parent, "childrenIds": list(children), "role": role}
    return {id_: node | {"content": content, "timestamp": 1_700_000_000} | fields}


TREE = (
    turn("a", None, "user", "Well?", "b2", "b", files=[{"type": "image", "url": PNG}])
    | turn("b", "a", "assistant", "No", model="llama3")
    | turn("b2", "a", "assistant", REASONED, model="qwen3")
)
HISTORY = {"messages": TREE, "currentId": "b2"}
BARE = {"models": ["qwen3"], "history": HISTORY, "messages": []}
OPEN_WEBUI = {"id": "w", "title": "Well", "created_at": 1_700_000_000, "chat": BARE}


@pytest.mark.parametrize(
    "content", [[OPEN_WEBUI], OPEN_WEBUI, BARE | {"title": "Well"}],
    ids=["all chats", "one chat", "a bare one"],
)  # fmt: skip
def test_open_webuis_tree(content):
    chat = chat_in(content)

    assert (chat.title, chat.current) == ("Well", "b2")
    assert told(chat) == [
        ("a", None, "user", "Well?"),
        ("b2", "a", "assistant", "Yes"),
        ("b", "a", "assistant", "No"),
    ]
    assert [part.data for part in chat.messages[0].parts] == [b"png"]
    assert (chat.messages[1].model, chat.messages[1].parts[0].text) == ("qwen3", "Hm\nok")


ITEMS = [
    {"type": "reasoning", "content": [{"type": "output_text", "text": "Add."}], "summary": None},
    {"type": "message", "content": [{"type": "output_text", "text": "Let me see."}]},
    {"type": "function_call", "call_id": "1", "name": "sum", "arguments": '{"a": 2}'},
    {"type": "function_call_output", "call_id": "1", "output": [{"type": "text", "text": "4"}]},
    {"type": "open_webui:code_interpreter", "code": "2+2", "output": {"result": "4"}},
    {"type": "hologram"},
    {"type": "message", "content": [{"type": "output_text", "text": "It is 4."}]},
]
FOLDED = (
    '<details type="reasoning" done="true" duration="2">\n<summary>Thought</summary>\n'
    "&gt; Add.\n</details>\nLet me see.\n"
    '<details type="tool_calls" done="true" id="1" name="sum" '
    'arguments="&quot;{\\&quot;a\\&quot;: 2}&quot;" result="&quot;4&quot;" files="">\n'
    "<summary>Tool Executed</summary>\n</details>\n"
    '<details type="code_interpreter" done="true" output="{&quot;result&quot;: &quot;4&quot;}">\n'
    "<summary>Analyzed</summary>\n```python\n2+2\n```\n</details>\nIt is 4."
)


@pytest.mark.parametrize(
    "said", [{"content": "", "output": ITEMS}, {"content": FOLDED}], ids=["items", "HTML"]
)
def test_open_webuis_answers_in_parts(said):
    tree = turn("a", None, "user", [{"type": "text", "text": "2+2?"}]) | turn(
        "b", "a", "assistant", "", model="qwen3"
    )
    tree["b"] |= said

    chat = chat_in({"id": "w", "chat": {"history": {"messages": tree}, "models": []}})

    assert told(chat) == [
        ("a", None, "user", "2+2?"),
        ("b/1", "a", "assistant", "Let me see."),
        ("b/2", "b/1", "tool", "4"),
        ("b/3", "b/2", "assistant", ""),
        ("b/4", "b/3", "tool", '{"result": "4"}'),
        ("b", "b/4", "assistant", "It is 4."),
    ]
    assert chat.messages[1].parts[0].text == "Add."
    calls = [call for message in chat.messages for call in message.calls]
    assert [(call.name, call.arguments) for call in calls] == [
        ("sum", '{"a": 2}'),
        ("code_interpreter", '{"code": "2+2"}'),
    ]
    unknown = [(s.why, s.figures["kind"]) for s in chat.skipped]
    assert unknown == ([(Why.UNKNOWN_PART, "hologram")] if "output" in said else [])


@pytest.mark.parametrize(
    "beginning",
    ['<details type="reasoning">', '<details type="tool_calls" a="', "<details><summary>"],
)
def test_folds_that_never_end_are_read_quickly(beginning):
    content = beginning * 200_000
    tree = turn("a", None, "user", "Hi") | turn("b", "a", "assistant", content)

    chat = chat_in({"id": "w", "chat": {"history": {"messages": tree}, "models": []}})

    assert chat.messages[1].text == content


def test_open_webuis_chats_keep_their_place_in_the_list():
    chat = chat_in([OPEN_WEBUI | {"archived": True, "pinned": True}])
    assert (chat.is_archived, chat.is_pinned) == (True, True)


def test_open_webuis_list():
    plain = [
        {"role": "user", "content": "Hi"},
        {"role": "ghost"},
        {"role": "assistant", "content": "Oh"},
    ]

    chat = chat_in([{"id": "w", "chat": {"title": "T", "messages": plain}}])

    assert told(chat) == [("0", None, "user", "Hi"), ("2", "0", "assistant", "Oh")]
    assert [s.why for s in chat.skipped] == [Why.UNKNOWN_ROLE]


NOBODY = "00000000-0000-0000-0000-000000000000"


def entry(id_, parent, text, *children, user=False, **fields):
    own = {"messageId": id_, "parentMessageId": parent, "text": text, "isCreatedByUser": user}
    return own | {"createdAt": "2025-05-05T05:05:05.000Z"} | ({"children": list(children)} | fields)


CALLED = [
    {"type": "think", "think": "Add."},
    {"type": "tool_call", "tool_call": {"id": "1", "name": "sum", "args": "{}", "output": "4"}},
    {"type": "text", "text": {"value": "It is 4."}},
]
FLAT = [
    entry("a", NOBODY, "2+2?", user=True),
    entry("b", "a", "", content=CALLED, model="gpt-4o"),
    entry("c", "a", "Five"),
]
NESTED = [entry("a", NOBODY, "2+2?", FLAT[1], FLAT[2], user=True)]


@pytest.mark.parametrize(
    ("name", "messages"), [("messages", FLAT), ("messages", NESTED), ("messagesTree", NESTED)],
    ids=["a list", "nested", "nested, older"],
)  # fmt: skip
def test_librechats_layouts(name, messages):
    chat = chat_in({"conversationId": "l", "endpoint": "openAI", "title": "Sum", name: messages})

    assert (chat.source, chat.title) == ("l", "Sum")
    assert told(chat) == [
        ("a", None, "user", "2+2?"),
        ("b/1", "a", "assistant", ""),
        ("b/2", "b/1", "tool", "4"),
        ("b", "b/2", "assistant", "It is 4."),
        ("c", "a", "assistant", "Five"),
    ]
    assert chat.messages[1].parts[0].text == "Add."


def test_librechats_assistants_and_empty_places():
    function = {"name": "sum", "arguments": '{"a": 2}', "output": "4"}
    code = {"input": "2+2", "outputs": [{"type": "logs", "logs": "4"}, {"type": "image"}]}
    content = [
        None,
        {"type": "tool_call", "tool_call": {"id": "1", "type": "function", "function": function}},
        {
            "type": "tool_call",
            "tool_call": {"id": "2", "type": "code_interpreter", "code_interpreter": code},
        },
        {"type": "image_file", "image_file": {"file_id": "x"}},
        {"type": "error", "error": "Overloaded"},
    ]
    sent = [entry("a", NOBODY, "2+2?", user=True), entry("b", "a", "", content=content)]

    chat = chat_in({"conversationId": "l", "messages": sent})

    calls = [(call.name, call.arguments) for message in chat.messages for call in message.calls]
    assert calls == [("sum", '{"a": 2}'), ("code_interpreter", "2+2")]
    assert [m.text for m in chat.messages] == ["2+2?", "", "4", "", "4", "Overloaded"]
    assert [(s.why, s.where) for s in chat.skipped] == [(Why.NO_FILE, "image")]
    assert chat.messages[1].parts == (ImportedFile("image"),)


def test_a_deep_nest_of_answers_is_read():
    nested = entry("0", NOBODY, "0", user=True)
    whole = nested
    for number in range(1, 400):
        child = entry(str(number), str(number - 1), str(number), user=number % 2 == 0)
        nested["children"] = [child]
        nested = child

    chat = chat_in({"conversationId": "l", "messages": [whole]})

    assert len(branches_of(chat.messages).lines[0].messages) == 400


@pytest.mark.parametrize(
    ("content", "why"),
    [
        pytest.param([claude() | {"chat_messages": 7}], Why.NO_CHAT, id="Claude: a number"),
        pytest.param([claude(7)], Why.NO_MESSAGE, id="Claude: no message"),
        pytest.param([{"chat": 7, "id": "w"}], Why.NO_CHAT, id="Open WebUI: a number"),
        pytest.param([{"chat": {"history": {"messages": {"a": 7}}}}], Why.NO_MESSAGE,
                     id="Open WebUI: no message"),
        pytest.param({"conversationId": "l", "messages": {}}, Why.NO_CHAT, id="LibreChat: none"),
        pytest.param({"conversationId": "l", "messages": [7]}, Why.NO_MESSAGE,
                     id="LibreChat: no message"),
    ],
)  # fmt: skip
def test_what_is_malformed_is_skipped_whole(content, why):
    chats, skipped = chats_in(content)

    assert chats == []
    assert [each.why for each in skipped] == [why]
