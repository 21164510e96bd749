"""Split one foreign message into several of ours: texts, calls, results, texts."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime

from history.core.transcript.messages import Role, ToolCall
from history.core.transcript.parts import Reasoning, ReasoningForm
from history.services.imports.chats import ImportedFile, ImportedMessage


@dataclass(slots=True)
class _Piece:
    """An assistant message, or a tool message if it has `answers`."""

    texts: list[str] = field(default_factory=list)
    thoughts: list[str] = field(default_factory=list)
    calls: list[ToolCall] = field(default_factory=list)
    answers: tuple[str, str, bool] | None = None  # The call's id, the tool, whether it failed.

    @property
    def is_empty(self) -> bool:
        return not (self.texts or self.thoughts or self.calls or self.answers)


class Pieces:
    """The parts of one foreign message, taken in order; each result becomes a message of ours."""

    def __init__(self, id_: str) -> None:
        self.id = id_
        self._pieces = [_Piece()]

    @property
    def is_empty(self) -> bool:
        return all(piece.is_empty for piece in self._pieces)

    def text(self, text: str) -> None:
        if text:
            self._speaking().texts.append(text)

    def thought(self, text: str) -> None:
        if text:
            self._speaking().thoughts.append(text)

    def call(self, id_: str, name: str, arguments: str) -> str:
        """Add a call, and return its id: a new one if it has none."""
        piece = self._speaking()
        id_ = id_ or f"{self.id}/{len(self._pieces)}.{len(piece.calls)}"
        piece.calls.append(ToolCall(id_, name, arguments))
        return id_

    def result(self, call_id: str, name: str, text: str, *, failed: bool = False) -> None:
        self._pieces.append(_Piece([text], answers=(call_id, name, failed)))

    def messages(
        self,
        parent: str | None,
        created: datetime | None,
        model: str = "",
        files: Sequence[ImportedFile] = (),
    ) -> list[ImportedMessage]:
        """Return the messages, one behind the other. The last has the foreign message's own id, so
        that what follows it follows all of them.
        """
        made: list[ImportedMessage] = []
        pieces = [piece for piece in self._pieces if not piece.is_empty] or self._pieces
        for number, piece in enumerate(pieces, 1):
            is_last = number == len(pieces)
            call_id, tool, failed = piece.answers or ("", "", False)
            thoughts = [Reasoning(ReasoningForm.TEXT, text) for text in piece.thoughts]
            made.append(
                ImportedMessage(
                    id=self.id if is_last else f"{self.id}/{number}",
                    parent=made[-1].id if made else parent,
                    role=Role.TOOL if piece.answers else Role.ASSISTANT,
                    text="\n\n".join(piece.texts),
                    created=created,
                    model="" if piece.answers else model,
                    calls=tuple(piece.calls),
                    call_id=call_id,
                    tool_name=tool,
                    failed=failed,
                    parts=(*thoughts, *(files if number == 1 else ())),
                )
            )
        return made

    def _speaking(self) -> _Piece:
        if self._pieces[-1].answers:
            self._pieces.append(_Piece())
        return self._pieces[-1]
