"""Transcripts for tests, whose messages have reasoning, images and files."""

from dataclasses import replace

from history.core.transcript.messages import Message, Role, ToolCall
from history.core.transcript.parts import File, Image, Part, Reasoning, ReasoningForm

COST = 100  # The tokens of a message without its parts.


def thought(tokens: int = 60) -> Reasoning:
    return Reasoning(ReasoningForm.SIGNED, "Let me think.", "claude", {"signature": "s"}, tokens)


def image(name: str = "map.png", tokens: int = 85) -> Image:
    return Image(name, name, "image/png", name, 512, 512, 1_000, tokens)


def file(name: str = "notes.txt", tokens: int = 40, text: str = "some lines") -> File:
    return File(name, name, "text/plain", name, text=text, tokens=tokens)


def user(*parts: Part, text: str = "question", tokens: int = COST) -> Message:
    return Message(0, Role.USER, text, tokens=tokens + sum(p.tokens for p in parts), parts=parts)


def agent(*parts: Reasoning, text: str = "answer", calls: tuple[ToolCall, ...] = ()) -> Message:
    tokens = COST + sum(call.tokens for call in calls)
    return Message(0, Role.ASSISTANT, text, calls, tokens=tokens, parts=parts)


def result(id_: str, *parts: Part) -> Message:
    tokens = COST + sum(part.tokens for part in parts)
    return Message(0, Role.TOOL, "found", tool_call_id=id_, tokens=tokens, parts=parts)


def path(*messages: Message) -> tuple[Message, ...]:
    """Number the messages and their turns."""
    turn, placed = 0, []
    for position, message in enumerate(messages):
        turn += message.role is Role.USER
        placed.append(replace(message, position=position, turn=turn))
    return tuple(placed)


def parted() -> tuple[Message, ...]:
    """Return two complete turns: the first has two images and reasoning. A third one begins."""
    return path(user(image("a.png"), image("b.png")), agent(thought()), user(), agent(), user())


def rounds(count: int, *parts: Part) -> list[Message]:
    """Make tool rounds with reasoning, whose results contain these parts."""
    return [
        message
        for n in range(count)
        for message in (
            agent(thought(), text="", calls=(ToolCall(f"c{n}", "look", "{}", 5),)),
            result(f"c{n}", *parts),
        )
    ]
