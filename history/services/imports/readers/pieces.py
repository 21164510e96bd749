"""Split another program's message into several messages of a transcript, since each tool result
needs a message of its own.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime

from history.core.transcript.messages import Role, ToolCall
from history.core.transcript.parts import Reasoning, ReasoningForm
from history.services.imports.chats import ImportedFile, ImportedMessage


@dataclass(slots=True)
class _Piece:
    """An assistant message or, if it has `answers`, a tool message."""

    texts: list[str] = field(default_factory=list)
    thoughts: list[str] = field(default_factory=list)
    calls: list[ToolCall] = field(default_factory=list)
    # The id of the call, the name of the tool, and whether the call failed.
    answers: tuple[str, str, bool] | None = None

    @property
    def is_empty(self) -> bool:
        return not (self.texts or self.thoughts or self.calls or self.answers)


class Pieces:
    """The parts of another program's message, added in order; each result becomes a message."""

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
        """Add a call, and return its id, which is new if the call has none."""
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
        """Return the messages, each of which follows the one before. The last has the id of the
        original message, so that whatever follows that one follows all of them.
        """
        messages: list[ImportedMessage] = []
        pieces = [piece for piece in self._pieces if not piece.is_empty] or self._pieces
        for number, piece in enumerate(pieces, 1):
            is_last = number == len(pieces)
            call_id, tool, failed = piece.answers or ("", "", False)
            thoughts = [Reasoning(ReasoningForm.TEXT, text) for text in piece.thoughts]
            messages.append(
                ImportedMessage(
                    id=self.id if is_last else f"{self.id}/{number}",
                    parent=messages[-1].id if messages else parent,
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
        return messages

    def _speaking(self) -> _Piece:
        if self._pieces[-1].answers:
            self._pieces.append(_Piece())
        return self._pieces[-1]
