"""The offline model shows thinking on request, and names the attachments that it gets."""

from base64 import b64encode
from typing import Any

import pytest

from chatapp.llm.mirror.mind import answer
from tests.history.core.formats.test_openai_content import JPEG, PNG

WITH_FILE = '<file name="the \\"fees\\".pdf" pages="3">\nMy name is Bob. Fees rise.\n</file>\n\n'


def picture(data: bytes, kind: str) -> dict[str, Any]:
    url = f"data:image/{kind};base64,{b64encode(data).decode()}"
    return {"type": "image_url", "image_url": {"url": url}}


def text(words: str) -> dict[str, Any]:
    return {"type": "text", "text": words}


def user(content: Any) -> dict[str, Any]:
    return {"role": "user", "content": content}


@pytest.mark.parametrize("words", ["think aloud", "Thinking out loud", "think it over, think hard"])
def test_it_thinks_only_when_asked_to(words: str) -> None:
    assert "I can see 1 message" in answer([user(f"Please {words}: hello?")]).thoughts
    assert answer([user("I think it is aloud here")]).thoughts == ""


def test_it_thinks_before_a_call_too() -> None:
    reply = answer([user("Think aloud: what is 2 + 3?")], ["calculator"])
    assert [call.name for call in reply.calls] == ["calculator"]
    assert "2 + 3" in reply.thoughts


@pytest.mark.parametrize(
    ("thoughts", "told"), [(0, "none of my earlier"), (1, "one of my"), (2, "2 of my earlier")]
)
def test_it_says_how_many_of_its_thoughts_came_back(thoughts: int, told: str) -> None:
    said = [{"role": "assistant", "content": "Hi", "reasoning_content": "Hm"}] * thoughts
    assert told in answer([user("Hello"), *said, user("think aloud")]).thoughts


@pytest.mark.parametrize(
    ("content", "told"),
    [
        pytest.param([picture(PNG, "png")], "**PNG**, 1 kB, 640 by 480 pixels.", id="png"),
        pytest.param([picture(JPEG, "jpeg"), text("?")], "**JPEG**, 1 kB, 64 by 32", id="jpeg"),
        pytest.param([picture(b"junk", "webp")], "a picture: **WEBP**, 1 kB.", id="unreadable"),
        pytest.param(
            [{"type": "image_url", "image_url": {"url": "https://a/b.png"}}],
            "I never open addresses",
            id="address",
        ),
        pytest.param(
            f"{WITH_FILE}What is it?",
            'I read “the "fees".pdf” (3 pages, 6 words). It begins “My name is Bob.',
            id="file",
        ),
        pytest.param(
            '<file name="a.txt" pages="1">\nHello\n</file>\n\nWhat is it?',
            "“a.txt” (1 page, 1 word)",
            id="a file of one word",
        ),
        pytest.param(
            "[Image omitted: cat.png]\n\nWhat was it?",
            "“&#91;Image omitted: cat.png&#93;” instead of the original",
            id="placeholder",
        ),
    ],
)
def test_it_tells_what_was_attached(content: Any, told: str) -> None:
    assert told in answer([user(content)]).text


def test_a_file_is_not_what_the_user_says() -> None:
    assert "Bob" not in answer([user(WITH_FILE), user("What is my name?")]).text


def test_what_it_quotes_in_brackets_is_no_formula() -> None:
    echoed = answer([user("[Page 1] and [this](https://a.example)")]).text
    assert "\\[" not in echoed
    assert "](" not in echoed
