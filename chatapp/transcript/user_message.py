"""A person's message in a transcript."""

from dataclasses import dataclass
from typing import ClassVar

from django.utils.safestring import SafeString

from chatapp.markdown import render
from chatapp.transcript.attached import AttachedFiles, attached_to
from chatapp.transcript.branches import Switcher
from chatapp.transcript.marks import MarkedSegments, marked
from history.models import Message
from history.services.path.marks import NO_MARKS, Marks

# A person's message is folded if it has more characters, or this many line breaks.
LONG_TEXT, LONG_LINES = 1_000, 14


@dataclass(frozen=True, slots=True)
class UserMessage:
    """A person's message, or a system message from an imported file."""

    kind: ClassVar[str] = "said"
    message: Message
    switcher: Switcher | None = None
    marks: Marks = NO_MARKS

    @property
    def position(self) -> int:
        return self.message.position

    @property
    def last(self) -> int:
        return self.message.position

    @property
    def html(self) -> SafeString:
        return render(self.message.text, breaks=True)

    @property
    def is_long(self) -> bool:
        """Whether the message takes clearly more than ten lines, so that it is folded."""
        text = self.message.text
        return len(text) > LONG_TEXT or text.count("\n") >= LONG_LINES

    @property
    def attached(self) -> AttachedFiles:
        return attached_to(self.message)

    @property
    def marked(self) -> MarkedSegments:
        return marked([self.message], self.marks)
