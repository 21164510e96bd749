"""Contents in OpenAI's list form are read, and written again, without a loss."""

import json
import struct
import zlib
from base64 import b64encode
from hashlib import sha256
from typing import Any

import pytest

from history.core.formats.image_size import UNKNOWN, image_size
from history.core.formats.openai_format import ImportedTranscript, read_transcript
from history.core.formats.openai_spelling import spelled
from history.core.formats.reading import FormatError
from history.core.plan.neutral_request import openai_messages
from history.core.transcript.parts import Reasoning
from tests.history.core.formats.test_openai_format import COUNT

PNG = b"\x89PNG\r\n\x1a\n" + struct.pack(">I4sIIBBBBBI", 13, b"IHDR", 640, 480, 8, 2, 0, 0, 0, 0)
JPEG = (
    b"\xff\xd8" + struct.pack(">BBHHH", 0xFF, 0xE0, 6, 0, 0) + bytes.fromhex("ffc0000b0800200040")
)


def data_url(data: bytes, type_: str = "image/png") -> str:
    return f"data:{type_};base64,{b64encode(data).decode()}"


def text(words: str) -> dict[str, Any]:
    return {"type": "text", "text": words}


def image(url: str, **more: str) -> dict[str, Any]:
    return {"type": "image_url", "image_url": {"url": url, **more}}


SOUND = {"type": "input_audio", "input_audio": {"data": "AAAA", "format": "mp3"}}
FILE = {"type": "file", "file": {"filename": "a.pdf", "file_data": data_url(b"%PDF", "x/pdf")}}
CALL = {"id": "c1", "type": "function", "function": {"name": "see", "arguments": "{}"}}


def read(*messages: dict[str, Any]) -> ImportedTranscript:
    return read_transcript(json.loads(json.dumps(messages)), COUNT)


@pytest.mark.parametrize(
    "content",
    [
        pytest.param([image(data_url(PNG)), text("What is this?")], id="image-and-text"),
        pytest.param([image("https://example.org/cat.png", detail="low")], id="address"),
        pytest.param(
            [text("A:"), image(data_url(PNG)), text("B:"), image("https://b")], id="mixed"
        ),
        pytest.param([image(data_url(PNG)), image(data_url(PNG))], id="the-same-twice"),
        pytest.param([image(data_url(PNG), detail="high"), image(data_url(PNG))], id="detail"),
        pytest.param([SOUND, text("Write it down.")], id="audio"),
        pytest.param([text("Read:"), FILE], id="file"),
        pytest.param([{"type": "file", "file": {"file_id": "f-1"}}, text("?")], id="file-id"),
        pytest.param(
            [{"type": "image_url", "image_url": "https://a"}, text("?")], id="bare-address"
        ),
    ],
)
@pytest.mark.parametrize("role", ["user", "tool"])
def test_an_array_is_sent_word_for_word(content: list[dict[str, Any]], role: str) -> None:
    given: list[dict[str, Any]] = [
        {"role": "user", "content": "See"},
        {"role": "assistant", "tool_calls": [CALL]},
    ]
    own = {"role": "tool", "tool_call_id": "c1"} if role == "tool" else {"role": "user"}
    found = read(*given, {**own, "content": content})
    sent = openai_messages(found.messages)[-1]
    assert spelled(sent, found.parts) == {**own, "content": content}


def test_what_a_call_and_an_answer_carry_besides_is_kept() -> None:
    call = {**CALL, "provider_specific_fields": {"thought_signature": "c2ln"}}
    answer = {"role": "assistant", "content": None, "tool_calls": [call]}
    found = read({"role": "user", "content": "See"}, {**answer, "reasoning_content": "Hm."})
    (thought,) = found.messages[1].parts
    assert isinstance(thought, Reasoning)
    assert (thought.text, thought.tokens) == ("Hm.", 3)
    sent = openai_messages(found.messages)[1]
    assert spelled(sent, found.parts) == {**answer, "reasoning_content": "Hm."}
    assert found.adapted == ()


def test_an_image_is_known_by_what_was_supplied_and_counted_by_its_size() -> None:
    found = read({"role": "user", "content": [image(data_url(PNG), detail="low")]})
    (part,) = found.messages[0].parts
    assert part.supplied == sha256(PNG).hexdigest()  # type: ignore[union-attr]  # It's an image.
    assert part.digest != part.supplied  # type: ignore[union-attr]
    assert (found.messages[0].tokens, part.tokens) == (10 + 640 + 480, 640 + 480)


@pytest.mark.parametrize(
    ("data", "size"),
    [
        pytest.param(PNG, (640, 480), id="png"),
        pytest.param(b"GIF89a" + struct.pack("<HH", 7, 5), (7, 5), id="gif"),
        pytest.param(JPEG, (64, 32), id="jpeg"),
        pytest.param(b"RIFF\0\0\0\0WEBPVP8X" + bytes(8) + b"\x3f\0\0\x1f\0\0", (64, 32), id="webp"),
        pytest.param(
            b"RIFF\0\0\0\0WEBPVP8L" + bytes(4) + b"\x2f" + (63 | 31 << 14).to_bytes(4, "little"),
            (64, 32),
            id="lossless-webp",
        ),
        pytest.param(
            b"RIFF\0\0\0\0WEBPVP8 " + bytes(10) + struct.pack("<HH", 64, 32), (64, 32), id="vp8"
        ),
        pytest.param(b"RIFF\0\0\0\0WEBPXXXX", UNKNOWN, id="another-riff"),
        pytest.param(PNG[:18], UNKNOWN, id="cut-png"),
        pytest.param(JPEG[:10], UNKNOWN, id="cut-jpeg"),
        pytest.param(zlib.compress(b"no image"), UNKNOWN, id="something-else"),
        pytest.param(b"", UNKNOWN, id="nothing"),
    ],
)
def test_a_size_is_read_from_the_first_bytes(data: bytes, size: tuple[int, int]) -> None:
    assert image_size(data) == size


@pytest.mark.parametrize(
    ("part", "where"),
    [
        pytest.param(image("data:image/png,abc"), "image_url.url", id="no-base64"),
        pytest.param(image("data:image/png;base64,a?"), "image_url.url", id="bad-base64"),
        pytest.param({"type": "image_url"}, "image_url", id="no-image"),
        pytest.param({"type": "image_url", "image_url": {"url": 7}}, "image_url.url", id="number"),
        pytest.param({"type": "input_audio", "input_audio": {"data": "?"}}, "data", id="bad-audio"),
        pytest.param({"type": "file", "file": {}}, "file.file_id", id="empty-file"),
        pytest.param({"type": "film"}, "type", id="film"),
    ],
)
def test_what_cannot_be_read_is_an_error_at_its_place(part: dict[str, Any], where: str) -> None:
    with pytest.raises(FormatError, match=rf"^messages\[0\]\.content\[0\]\.(\w+\.)*{where}: "):
        read({"role": "user", "content": [part]})
