"""Three conversations, the same in every run, with facts that later questions ask for.

A counter chooses each word from a small vocabulary, so that no random numbers are involved.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import count, cycle, islice

from history.core.transcript.messages import Message, Role, ToolCall
from history.tokens import count_message, count_tool_call

SENTENCE = (
    "the harbour office keeps a ledger of every crate that leaves the northern quay and someone "
    "checks it against the manifest before the evening tide turns because a missing line costs "
    "more than an hour of careful reading"
)
WORDS = cycle(SENTENCE.split())
LATER = (2, 8, 25, 60)  # How many turns after a fact a question asks for it.


@dataclass(frozen=True, slots=True)
class Question:
    """A question in turn `turn` for a fact that the message at `position` states."""

    turn: int
    position: int
    fact: str

    @property
    def sought(self) -> str:
        """The part of the fact that the question contains; a model can search for it."""
        return self.fact.partition(" is ")[0]


@dataclass(frozen=True, slots=True)
class Workload:
    name: str
    about: str
    messages: tuple[Message, ...]
    questions: tuple[Question, ...]

    @property
    def uses_tools(self) -> bool:
        return any(message.tool_calls for message in self.messages)

    @property
    def requests(self) -> Iterator[int]:
        """Yield how many messages each request is made from; each assistant message has a
        request.
        """
        return (m.position for m in self.messages if m.role is Role.ASSISTANT)


def workloads() -> tuple[Workload, ...]:
    return (
        _workload("short chat", "12 turns of 60 and 180 words", Shape(12, 60, 180)),
        _workload("long chat", "150 turns of 60 and 180 words", Shape(150, 60, 180)),
        _workload(
            "tool-heavy agent",
            "40 turns, each with four calls whose results have 300 words",
            Shape(40, 40, 120, tools=4),
        ),
    )


def talk(turns: int, asked: int, answered: int) -> Workload:
    """Make a conversation without tools; `asked` and `answered` are the words in each message."""
    return shaped(Shape(turns, asked, answered))


@dataclass(frozen=True, slots=True)
class Shape:
    """The number of turns, the words of each question and answer, and the calls in each turn."""

    turns: int
    asked: int
    answered: int
    tools: int = 0


def shaped(shape: Shape) -> Workload:
    return _workload("talk", "", shape)


def _workload(name: str, about: str, shape: Shape) -> Workload:
    turns, tools = shape.turns, shape.tools
    messages: list[Message] = []
    questions: list[Question] = []
    numbers = count(1)
    for turn in range(1, turns + 1):
        fact = f"berth {turn:03d} is {4000 + 37 * turn}"
        if not tools:
            questions += _questions(turn, turns, len(messages), fact)
        messages.append(
            _message(Role.USER, turn, f"{'' if tools else fact + '. '}{_text(shape.asked)}")
        )
        for step in range(tools):
            call = ToolCall(f"call_{next(numbers)}", "ledger", f'{{"page": {turn * 10 + step}}}')
            counted = replace(call, tokens=count_tool_call(call.name, call.arguments))
            messages.append(_message(Role.ASSISTANT, turn, "", counted))
            said = f"{fact}. {_text(300)}" if step == 0 else _text(300)
            if step == 0:
                questions += _questions(turn, turns, len(messages), fact)
            messages.append(replace(_message(Role.TOOL, turn, said), tool_call_id=call.id))
        messages.append(_message(Role.ASSISTANT, turn, _text(shape.answered)))
    placed = tuple(replace(m, position=n) for n, m in enumerate(messages))
    return Workload(name, about, placed, tuple(questions))


def _questions(turn: int, turns: int, position: int, fact: str) -> Iterator[Question]:
    """Yield the questions. A fact stated in every fifth turn is asked for several times later."""
    if turn % 5 == 1:
        for later in LATER:
            if turn + later <= turns:
                yield Question(turn + later, position, fact)


def _text(words: int) -> str:
    return " ".join(islice(WORDS, words))


def _message(role: Role, turn: int, text: str, *calls: ToolCall) -> Message:
    tokens = count_message(role, text, calls)
    return Message(0, role, text, calls, turn=turn, tokens=tokens)
