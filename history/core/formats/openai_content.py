"""Read a message's content in OpenAI's chat format, which is a text or a list of parts.

Texts are joined by line breaks to form the message's text. An image or a file becomes a part at its
place in that text, and is also kept as it was given, so that it can be sent word for word.
"""

import hashlib
import json
from base64 import b64decode
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from history.core.formats.image_size import image_size
from history.core.formats.reading import (
    Adaptations,
    Counters,
    FormatError,
    mapping,
    printable_value,
    text_in,
)
from history.core.transcript.parts import LOW, File, Image

TEXTS = ("text", "refusal")
ATTACHED = ("image_url", "input_audio", "file")
PARTS = ", ".join([*TEXTS, *ATTACHED])
REFUSAL = "a refusal is sent as text"
BLANK = "a blank text beside an image or a file is left out"
UNCOUNTED = "the tokens of a file are not known, and are counted as 0"
TEXT_OR_PARTS = 'must be text, or a list of parts such as {"type": "text", "text": "..."}'


@dataclass(slots=True)
class Content:
    """What has been read of a message's content. `text` is None until a text has been read."""

    text: str | None = None
    parts: list[Image | File] = field(default_factory=list)

    def add_text(self, text: str) -> None:
        self.text = text if self.text is None else f"{self.text}\n{text}"

    @property
    def at(self) -> int:
        """The place in the text, in characters, at which the next part belongs."""
        return len(self.text or "")


@dataclass(frozen=True, slots=True)
class Source:
    """The place of a part's bytes: in `data`, or else under `name`, which is an address or an
    id.
    """

    name: str
    type: str = ""
    data: bytes = b""

    @property
    def digest(self) -> str:
        return hashlib.sha256(self.data or self.name.encode(errors="surrogatepass")).hexdigest()


class ContentReader:
    """Reads messages' contents. `parts` has each image and file unchanged, by its part's digest."""

    def __init__(self, count: Counters, adapted: Adaptations) -> None:
        self.count = count
        self.adapted = adapted
        self.parts: dict[str, Mapping[str, Any]] = {}

    def read(self, value: object, at: str) -> Content:
        """Read content that is a text or a list of parts. Raise `FormatError` if it is neither."""
        content = Content()
        if isinstance(value, str):
            content.add_text(value)
            return content
        if not isinstance(value, list):
            raise FormatError(f"{at}: {TEXT_OR_PARTS}")
        parts = [mapping(part, f"{at}[{number}]") for number, part in enumerate(value)]
        only_text = all(part.get("type") in TEXTS for part in parts)
        for number, part in enumerate(parts):
            if only_text or not self._is_blank(part, f"{at}[{number}]"):
                self._add(content, part, f"{at}[{number}]")
        return content

    def _is_blank(self, part: Mapping[str, Any], at: str) -> bool:
        """Return whether a part is a blank text, which no request may contain; if so, record it."""
        kind = part.get("type")
        if kind not in TEXTS or text_in(part, kind, at).strip():
            return False
        self.adapted.add(BLANK, at)
        return True

    def _add(self, content: Content, part: Mapping[str, Any], at: str) -> None:
        kind = part.get("type")
        if kind in TEXTS:
            self.adapted.leave_out(part, ("type", kind), f"{kind} parts", at)
            if kind == "refusal":
                self.adapted.add(REFUSAL, at)
            content.add_text(text_in(part, kind, at))
        elif kind in ATTACHED:
            content.parts.append(self._attached(part, kind, content.at, at))
        else:
            raise FormatError(
                f"{at}.type: {printable_value(kind)} is no part that is known; known: {PARTS}"
            )

    def _attached(self, part: Mapping[str, Any], kind: str, place: int, at: str) -> Image | File:
        text = json.dumps(part, sort_keys=True)
        digest = hashlib.sha256(text.encode()).hexdigest()
        self.parts[digest] = part
        if kind == "image_url":
            return self._image(part.get(kind), digest, place, at)
        self.adapted.add(UNCOUNTED, at)
        inside = mapping(part.get(kind), f"{at}.{kind}")
        read = _audio if kind == "input_audio" else _file
        source = read(inside, f"{at}.{kind}")
        name = str(inside.get("filename") or "")
        size = len(source.data)
        return File(digest, source.digest, source.type, name=name, size=size, at=place)

    def _image(self, value: object, digest: str, place: int, at: str) -> Image:
        inside = {"url": value} if isinstance(value, str) else mapping(value, f"{at}.image_url")
        source = _source(text_in(inside, "url", f"{at}.image_url"), f"{at}.image_url.url")
        width, height = image_size(source.data)
        return Image(
            digest,
            source.digest,
            source.type,
            width=width,
            height=height,
            size=len(source.data),
            tokens=self.count.image(width, height),
            at=place,
            detail=LOW if inside.get("detail") == LOW else "",
        )


def _audio(audio: Mapping[str, Any], at: str) -> Source:
    data = _bytes(text_in(audio, "data", at), f"{at}.data")
    return Source("", f"audio/{text_in(audio, 'format', at, missing='wav')}", data)


def _file(file: Mapping[str, Any], at: str) -> Source:
    if file.get("file_data") is not None:
        return _source(text_in(file, "file_data", at), f"{at}.file_data")
    return Source(text_in(file, "file_id", at))


def _source(url: str, at: str) -> Source:
    if not url.startswith("data:"):
        return Source(url)
    header, comma, data = url.removeprefix("data:").partition(",")
    type_, *options = header.split(";")
    if not comma or "base64" not in options:
        raise FormatError(f"{at}: must be an address, or data:TYPE;base64,DATA")
    return Source("", type_, _bytes(data, at))


def _bytes(data: str, at: str) -> bytes:
    try:
        return b64decode(data, validate=True)
    except ValueError as error:
        raise FormatError(f"{at}: is not base64") from error
