"""The parts of a message besides its text and calls: reasoning, images and files.

Parts are stored with their message and never change. The text stays in the message itself, so that
messages without parts are stored as they were before parts existed.
"""

import json
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass, field
from enum import StrEnum
from typing import Any, ClassVar, TypeAlias

from history.core.transcript.bond import Bond

LOW = "low"  # The lowest detail that an imported request may want for an image.
# Marks fields in which unstorable characters were replaced, so no signature fits.
ALTERED = "altered"


class ReasoningForm(StrEnum):
    TEXT = "text"
    SUMMARY = "summary"  # The provider shows only a summary of the reasoning.
    SIGNED = "signed"  # The reasoning is sent back unchanged, with its signature, or not at all.
    REDACTED = "redacted"  # Only the provider can read the reasoning.


SEALED = frozenset({ReasoningForm.SIGNED, ReasoningForm.REDACTED})


@dataclass(frozen=True, slots=True)
class Reasoning:
    """What the model thought before it said something.

    `fields` are the provider's own, kept word for word: a signature, opaque data, an id. `family`
    names the family of models that gave them, because only that family accepts them back. `took_ms`
    is the time from the request to the end of this thought. `at` is the place in the message's
    text, in characters, before which the model thought. Only a model that binds its reasoning gives
    it a `bond`.
    """

    kind: ClassVar[str] = "reasoning"
    form: ReasoningForm
    text: str = ""
    family: str = ""
    fields: Mapping[str, Any] = field(default_factory=dict, hash=False)
    tokens: int = 0
    took_ms: int = 0
    at: int = 0
    bond: Bond | None = None


@dataclass(frozen=True, slots=True)
class Image:
    """A picture as it is sent. Digests are SHA-256 in hexadecimal, `size` is in bytes.

    `supplied` is the digest of the person's file before it was cleaned and scaled; `at` is the
    place in the message's text, in characters, before which the image stands. `page` is the page of
    a PDF that the image shows, from 1, and 0 for any other picture. `detail` is how closely an
    imported request wants the model to look at it.
    """

    kind: ClassVar[str] = "image"
    digest: str
    supplied: str
    type: str
    name: str = ""
    width: int = 0
    height: int = 0
    size: int = 0
    tokens: int = 0
    at: int = 0
    page: int = 0
    detail: str = ""

    @property
    def label(self) -> str:
        """The name by which the model tells this image from others: `scan.pdf, page 3`."""
        return f"{self.name}, page {self.page}" if self.page else self.name


@dataclass(frozen=True, slots=True)
class File:
    """A file, of which the model reads the extracted text. `pages` is 0 for a file without pages;
    `is_scanned`: its pages have images, but no text.

    Only a file in an imported request has no extracted text; such a file is sent as it was given.
    """

    kind: ClassVar[str] = "file"
    digest: str
    supplied: str
    type: str
    name: str = ""
    size: int = 0
    pages: int = 0
    text: str = ""
    tokens: int = 0
    at: int = 0
    is_scanned: bool = False

    @property
    def label(self) -> str:
        return self.name

    @property
    def quoted(self) -> str:
        """The text as it is sent, quoted so that the model can tell it from what the user wrote."""
        pages = f' pages="{self.pages}"' if self.pages else ""
        name = json.dumps(self.name, ensure_ascii=False)
        return f"<file name={name}{pages}>\n{self.text}\n</file>"


@dataclass(frozen=True, slots=True)
class Omitted:
    """A placeholder that is sent instead of an image or a file. A projection makes it; it is never
    stored.

    `whole` is what the image or file itself costs in tokens.
    """

    kind: ClassVar[str] = "omitted"
    of: str
    name: str = ""
    tokens: int = 0
    at: int = 0
    whole: int = 0

    @property
    def text(self) -> str:
        """The text that is sent instead: `[Image omitted: map.png]`"""
        return f"[{self.of.capitalize()} omitted{': ' if self.name else ''}{self.name}]"


Part: TypeAlias = Reasoning | Image | File | Omitted
KINDS: Mapping[str, type[Reasoning | Image | File]] = {
    kind.kind: kind for kind in (Reasoning, Image, File)
}


def part_as_dict(part: Part) -> dict[str, Any]:
    """Return a part as JSON values, without empty fields."""
    fields = asdict(part)
    return {"kind": part.kind, **{name: value for name, value in fields.items() if value}}


def part_from_dict(data: Mapping[str, Any]) -> Part:
    """Read what `part_as_dict` returned. Raise `KeyError` or `TypeError` for anything else."""
    values = {name: value for name, value in data.items() if name != "kind"}
    kind = KINDS[data["kind"]]
    if kind is Reasoning:
        bond = Bond.from_dict(own) if (own := values.get("bond")) else None
        return Reasoning(**{**values, "form": ReasoningForm(values["form"]), "bond": bond})
    return kind(**{"digest": "", "supplied": "", "type": "", **values})


def reasoning_in(parts: Iterable[Part]) -> tuple[Reasoning, ...]:
    return tuple(part for part in parts if isinstance(part, Reasoning))


def attached(parts: Iterable[Part]) -> tuple[Image | File, ...]:
    """Return the images and files, which are the parts that a person or a tool supplied."""
    return tuple(part for part in parts if isinstance(part, Image | File))


def supplied_files(parts: Iterable[Part]) -> tuple[Mapping[int, Image | File], ...]:
    """Return attached parts grouped by the file that they came from, such as a PDF's text with the
    images of its pages. The keys of each group are the parts' numbers.
    """
    files: list[dict[int, Image | File]] = []
    for number, part in enumerate(parts):
        if not isinstance(part, Image | File):
            continue
        if files and _is_page_of(next(iter(files[-1].values())), part):
            files[-1][number] = part
        else:
            files.append({number: part})
    return tuple(files)


def _is_page_of(first: Image | File, part: Image | File) -> bool:
    is_page = isinstance(first, File) and isinstance(part, Image)
    return is_page and first.supplied == part.supplied


def in_text(parts: Iterable[Part]) -> tuple[Image | File | Omitted, ...]:
    """Return the parts that have a place in the text, each in the form in which it is sent."""
    return tuple(part for part in parts if not isinstance(part, Reasoning))


def attached_tokens(parts: Iterable[Part]) -> int:
    return sum(part.tokens for part in attached(parts))
