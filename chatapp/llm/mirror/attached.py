"""The offline model's sentences about images and files, written by pure functions.

The model cannot see: it tells an image's type and size from its first bytes, and quotes the
beginning of a file.
"""

import json
import re
from base64 import b64decode
from collections.abc import Iterator, Sequence

from chatapp.llm.mirror.understanding import Sent, quoted, whole_text_of
from history.core.formats.image_size import UNKNOWN, image_size
from history.core.words.wording import number
from history.tokens.images import image_tokens

FILE = re.compile(r'<file name="((?:[^"\\]|\\.)*)"(?: pages="(\d+)")?>\n(.*?)\n</file>', re.DOTALL)
OMITTED = re.compile(r"\[(?:Image|File) omitted(?:: [^\]\n]*)?\]")
ADDRESS = re.compile(r"data:image/([\w.+-]+);base64,")
HEADER = 64 * 1024  # Characters of an image's data URL that are decoded to find its size.


def described(message: Sent) -> list[str]:
    """Return a paragraph on each image, file and placeholder in a message."""
    text = whole_text_of(message)
    return [*_pictures(message), *map(_file, FILE.finditer(text)), *_placeholders(text)]


def _pictures(message: Sent) -> Iterator[str]:
    content = message.get("content")
    for part in content if isinstance(content, list) else ():
        if part.get("type") == "image_url":
            yield _picture(part["image_url"]["url"])


def picture_tokens(message: Sent) -> int:
    """Count the tokens of the images by the same rule as plans for this model."""
    content = message.get("content")
    parts = content if isinstance(content, list) else ()
    addresses = [part["image_url"]["url"] for part in parts if part.get("type") == "image_url"]
    return sum(image_tokens(*_pixels(address)) for address in addresses)


def _pixels(address: str) -> tuple[int, int]:
    match = ADDRESS.match(address)
    return image_size(b64decode(address[match.end() : match.end() + HEADER])) if match else UNKNOWN


def _picture(address: str) -> str:
    if not (match := ADDRESS.match(address)):
        return "I was sent the address of a picture, and I never open addresses."
    start = b64decode(address[match.end() : match.end() + HEADER])
    size = (len(address) - match.end()) * 3 // 4
    about = f"**{match[1].upper()}**, {number(max(1, size // 1000))} kB"
    if (pixels := image_size(start)) == UNKNOWN:
        return f"I was sent a picture: {about}."
    return f"I was sent a picture: {about}, {number(pixels[0])} by {number(pixels[1])} pixels."


def _file(match: re.Match[str]) -> str:
    name, pages, text = match.groups()
    words, counted = _counted(len(text.split()), "word"), _counted(int(pages or 0), "page")
    length = f"{counted}, {words}" if pages else words
    called = quoted(json.loads(f'"{name}"'))
    return f"I read {called} ({length}). It begins {quoted(text, 80)}."


def _counted(count: int, noun: str) -> str:
    """Write `1 word`, `1,200 words`. The model speaks only English."""
    return f"{number(count)} {noun}" + ("" if count == 1 else "s")


def _placeholders(text: str) -> Sequence[str]:
    return [f"I was sent {quoted(each)} instead of the original." for each in OMITTED.findall(text)]
