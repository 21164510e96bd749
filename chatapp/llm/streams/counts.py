"""The counts of what was found in a provider's stream."""

import json
import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

UNSTORABLE = re.compile("[\0\ud800-\udfff]")


@dataclass(slots=True)
class Counts:
    """Counts of the characters of each kind in a stream, and what else was found in it.

    `replaced`: characters that cannot be stored. `broken`: events that are not JSON. `unread`:
    names of fields that are not kept. `transformed`: what the provider left out of the request.
    `before`: the counts before the newest bytes, which may not have been read. Once the provider
    `is_done`, reported usage is ignored.
    """

    text: int = 0
    reasoning: int = 0
    arguments: int = 0
    replaced: int = 0
    broken: int = 0
    unread: set[str] = field(default_factory=set)
    transformed: list[Mapping[str, Any]] = field(default_factory=list)
    is_known: bool = False  # The stream has a known shape; no other is counted.
    has_objects: bool = False  # Arguments came as objects, not as JSON text.
    has_texts: bool = False
    is_done: bool = False
    before: Mapping[str, int] = field(default_factory=dict)
    _blocks: dict[int, str] = field(default_factory=dict)  # The types of Claude's blocks, by index.

    @property
    def said(self) -> dict[str, int]:
        return {"text": self.text, "reasoning": self.reasoning, "arguments": self.arguments}

    def come(self) -> None:
        """Note that more bytes have come, which shows that the reader has read all earlier ones."""
        self.before = {**self.said, "broken": self.broken}

    def _changed(self, message: Mapping[str, Any]) -> None:
        """Note what the provider says that it changed in the request."""
        changes = message.get("input_transformations") or ()
        self.transformed += [each for each in changes if isinstance(each, Mapping)]

    def _name(self, fields: Mapping[str, Any], tells: Callable[[str], bool]) -> None:
        """Note the names of fields that have a value but are not kept."""
        self.unread |= {str(name) for name, value in fields.items() if value and tells(name)}

    def _say(self, text: Any) -> None:
        if isinstance(text, str):
            self.text += len(text)
            self._note(text)

    def _think(self, texts: Iterable[Any]) -> None:
        for text in texts:
            if isinstance(text, str):
                self.reasoning += len(text)
                self._note(text)

    def _arguments(self, arguments: Any) -> None:
        if arguments is None:
            return
        if isinstance(arguments, str):
            self.has_texts = True
        else:
            self.has_objects = True
            arguments = plain(arguments)
        self.arguments += len(arguments)
        self._note(arguments)

    def _note(self, text: str) -> None:
        if not text.isascii() or "\0" in text:
            self.replaced += len(UNSTORABLE.findall(text))


def plain(arguments: Any) -> str:
    """Serialise arguments that came as an object, always in the same way."""
    return json.dumps(arguments, ensure_ascii=False, separators=(",", ":"))
