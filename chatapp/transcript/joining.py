"""Join answers that continue the answer above, which was broken off."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace

from chatapp.markdown.joining import open_end, seam
from chatapp.transcript.bubbles import Answer, Bubble
from history.core.transcript.messages import Role
from history.models import Generation, Message


def linked(bubbles: Iterable[Bubble]) -> Iterator[Bubble]:
    """Let each continued answer begin with the block in which the answer above was broken off."""
    above: Bubble | None = None
    for bubble in bubbles:
        above = _linked(bubble, above)
        yield above


def _linked(bubble: Bubble, above: Bubble | None) -> Bubble:
    if isinstance(bubble, Answer) and bubble.is_continued and isinstance(above, Answer):
        last = above.messages[-1] if above.messages else None
        before = _open_end(last, above.text_of(last)) if last else ""
        return replace(bubble, before=before, above=above.source)
    return bubble


@dataclass(frozen=True, slots=True)
class JoinedText:
    """A text, and the messages that contain it: several if it was broken off and continued."""

    messages: tuple[Message, ...]
    text: str

    def followed_by(self, message: Message) -> "JoinedText | None":
        """Return the text joined with a message's text, if the message continues it."""
        last = self.messages[-1]
        before = _open_end(last, self.text) if message.text and _goes_on(message, last) else ""
        if not before:
            return None
        text = self.text + seam(before, message.text) + message.text
        return JoinedText((*self.messages, message), text)


def texts_of(messages: Iterable[Message]) -> Iterator[JoinedText]:
    """Yield the texts of the messages in order; a text that was continued is one text."""
    text: JoinedText | None = None
    for message in messages:
        longer = text.followed_by(message) if text else None
        if text and not longer:
            yield text
        text = longer or JoinedText((message,), message.text)
    if text:
        yield text


def _goes_on(message: Message, above: Message) -> bool:
    """Return whether a message begins an answer that continues the answer above."""
    if answer := message.answer_of_file:
        return answer.continues
    by = message.generation
    is_continued = by is not None and by.kind == Generation.Kind.CONTINUE
    return is_continued and message.generation_id != above.generation_id


def _open_end(last: Message, text: str) -> str:
    """Return the block in which another answer may continue the text; empty if an answer has to
    begin a new block.
    """
    return "" if last.role != Role.ASSISTANT or last.tool_calls else open_end(text)
