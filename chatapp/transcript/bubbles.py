"""The messages of a path as bubbles: each person's message, and one answer per generation."""

from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, field, replace
from itertools import chain, groupby
from typing import Any, ClassVar, TypeAlias
from uuid import UUID

from django.utils.safestring import SafeString

from chatapp.markdown import render
from chatapp.markdown.joining import joined, seam
from chatapp.transcript import tool_cards
from chatapp.transcript.attached import AttachedFiles
from chatapp.transcript.branches import Switcher
from chatapp.transcript.endings import EndingLine, ending_of
from chatapp.transcript.hand_overs import HandOverLine, hand_over
from chatapp.transcript.marks import MarkedSegments, marked
from chatapp.transcript.thoughts import ThoughtLine, thought_of
from chatapp.transcript.tool_cards import CallPlace, ToolCard
from chatapp.transcript.user_message import UserMessage
from history.core.transcript.messages import Role
from history.models import Generation, Message
from history.models.file_answer import FileAnswer
from history.services.answers.approval_log import NO_APPROVALS, NOBODY_ASKED, ByCall
from history.services.answers.delegating import hindered_in
from history.services.path.marks import NO_MARKS, Marks

Part: TypeAlias = SafeString | ToolCard | HandOverLine | ThoughtLine


@dataclass(frozen=True, slots=True)
class Answer:
    """What one generation wrote: texts and tool cards in order, or nothing yet.

    `position` is that of its first message, `last` that of its newest. An answer that `is_quoted`
    in another conversation is read-only there. If it continues another answer, `above` is that
    answer's text, and `before` the block in which that was broken off.
    """

    kind: ClassVar[str] = "answer"
    position: int
    turn: int
    generation: Generation | None
    messages: Sequence[Message] = ()
    switcher: Switcher | None = None
    marks: Marks = NO_MARKS
    approvals: ByCall = field(default_factory=dict)
    is_quoted: bool = False
    before: str = ""
    above: str = ""

    @property
    def last(self) -> int:
        return self.messages[-1].position if self.messages else self.position

    @property
    def status(self) -> str:
        return self.generation.status if self.generation else "done"

    @property
    def is_active(self) -> bool:
        return self.generation is not None and self.generation.is_active

    @property
    def is_open(self) -> bool:
        """Whether the answer still goes on, by itself or after a person's decision."""
        return self.generation is not None and self.generation.is_open

    @property
    def of_file(self) -> FileAnswer | None:
        """What the imported file says about this answer; None if it comes from no file."""
        return self.messages[0].answer_of_file if self.messages else None

    @property
    def is_continued(self) -> bool:
        if self.generation:
            return self.generation.kind == Generation.Kind.CONTINUE
        return self.of_file is not None and self.of_file.continues

    @property
    def is_joined(self) -> bool:
        """Whether the answer begins with the block `before`, which is then not shown above it."""
        begins = bool(self.messages[0].text) if self.messages else self.is_open
        return bool(self.before) and begins

    @property
    def opening(self) -> SafeString | None:
        """The block `before`, shown until the continuation's first text arrives; then None."""
        return render(self.before) if self.is_joined and not self.messages else None

    @property
    def speaker(self) -> str:
        """The name of the agent that began the answer; empty if one agent always answers."""
        first = self.generation.parts[0].agent if self.generation else None
        return first.name if first and first.network else ""

    @property
    def imported(self) -> Message | None:
        """The last message by the model that was imported, if there is one."""
        answers = [m for m in self.messages if m.imported and m.role == Role.ASSISTANT]
        return answers[-1] if answers else None

    @property
    def missing(self) -> AttachedFiles:
        """Files of the model's messages that the imported file lacked."""
        names = [m.missing or [] for m in self.messages if m.role == Role.ASSISTANT]
        return AttachedFiles(missing=tuple(chain.from_iterable(names)))

    @property
    def has_retry(self) -> bool:
        """Whether the answer's actions include Retry; a bad ending has a Retry of its own."""
        return bool(self.generation or self.imported) and not self.ending

    @property
    def source(self) -> str:
        """The text to copy: what the model wrote, after any text that this answer continues."""
        if self.is_joined:
            return self.above + seam(self.before, self._said) + self._said
        return "\n\n".join(filter(None, [self.above, self._said]))

    @property
    def _said(self) -> str:
        return "\n\n".join(m.text for m in self.messages if m.role == Role.ASSISTANT and m.text)

    @property
    def ending(self) -> EndingLine | None:
        work = self.generation or self.of_file
        if not work:
            return None
        thought = any(map(thought_of, self.messages))
        return ending_of(work, has_text=bool(self._said), has_thought=thought)

    @property
    def marked(self) -> MarkedSegments:
        """The segments of the answer: each text, and each round of calls with their results."""
        return marked((m for m in self.messages if m.role == Role.ASSISTANT), self.marks)

    @property
    def parts(self) -> Iterator[Part]:
        results = {m.tool_call_id: m for m in self.messages if m.role == Role.TOOL}
        hindered = hindered_in(self.messages)
        for message in self.messages:
            if thought := thought_of(message):
                yield thought
            if message.role == Role.ASSISTANT and message.text:
                yield render(self.text_of(message))
            yield from self._round(message, results, hindered)

    def text_of(self, message: Message) -> str:
        """Return the text that the answer shows for one of its messages."""
        return joined(self.before, message.text) if message is self.messages[0] else message.text

    def _round(
        self, message: Message, results: Mapping[str, Message], hindered: Set[str]
    ) -> Iterator[ToolCard | HandOverLine]:
        """Yield the cards of a round, with a hand-over last, after which the next agent speaks."""
        moves: list[HandOverLine] = []
        for call in message.tool_calls:
            result = results.get(call["id"])
            if result and (moved := hand_over(result)):
                moves.append(moved)
            else:
                card = self._card(call, message, result)
                yield tool_cards.with_delegation(card, self.generation, call, hindered)
        yield from moves

    def _card(self, call: dict[str, Any], message: Message, result: Message | None) -> ToolCard:
        place = None
        if not (self.is_open or self.is_quoted):
            place = CallPlace((result or message).position, marked([message], self.marks))
        return tool_cards.card_of(call, result, self.approvals.get(call["id"]), self.status, place)


Bubble: TypeAlias = UserMessage | Answer


def bubbles(
    messages: Iterable[Message],
    silent: Iterable[Generation] = (),
    choices: Mapping[int, Switcher] | None = None,
    marks: Marks = NO_MARKS,
    approvals: Mapping[UUID, ByCall] = NOBODY_ASKED,
) -> list[Bubble]:
    """Return the bubbles in the order of the path. `silent` are generations of these turns that
    have no message, `choices` the switchers by position, and `approvals` the approvals of calls by
    generation.
    """
    all_bubbles = list(_grouped(messages, approvals))
    for generation in silent:
        _insert(all_bubbles, generation)
    return [_complete(bubble, choices or {}, marks) for bubble in all_bubbles]


def _grouped(messages: Iterable[Message], approvals: Mapping[UUID, ByCall]) -> Iterator[Bubble]:
    for (turn, generation_id, is_said), run in groupby(messages, _belonging):
        if is_said:
            yield from (UserMessage(message) for message in run)
        else:
            by_call = approvals.get(generation_id, NO_APPROVALS) if generation_id else NO_APPROVALS
            for own in _answers(run):
                first = own[0]
                yield Answer(first.position, turn, first.generation, own, approvals=by_call)


def _answers(run: Iterable[Message]) -> list[list[Message]]:
    """Divide the messages where an imported file says that a new answer begins."""
    answers: list[list[Message]] = []
    for message in run:
        if message.file_answer or not answers:
            answers.append([])
        answers[-1].append(message)
    return answers


def _belonging(message: Message) -> tuple[int, UUID | None, bool]:
    is_said = message.role in {Role.USER, Role.SYSTEM}
    return message.turn, message.generation_id, is_said


def _insert(all_bubbles: list[Bubble], generation: Generation) -> None:
    """Add at the end of its turn a generation that wrote nothing, unless a later one answered."""
    turn = generation.turn
    backwards = range(len(all_bubbles) - 1, -1, -1)
    place = next((n for n in backwards if _turn_of(all_bubbles[n]) == turn), None)
    if place is None:
        return
    before = all_bubbles[place]
    other = before.generation if isinstance(before, Answer) else None
    if other and generation.created < other.created:
        return
    all_bubbles.insert(place + 1, Answer(before.last + 1, turn, generation))


def _turn_of(bubble: Bubble) -> int:
    return bubble.message.turn if isinstance(bubble, UserMessage) else bubble.turn


def _complete(bubble: Bubble, choices: Mapping[int, Switcher], marks: Marks) -> Bubble:
    places = range(bubble.position, bubble.last + 1)
    switcher = next((choices[place] for place in places if place in choices), None)
    return replace(bubble, switcher=switcher, marks=marks)
