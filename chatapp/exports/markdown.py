"""A chat as Markdown: its open branch from top to bottom, with a note where others branch off.

Like the JSON, it is written in pieces, which read one page of rows at a time.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime, tzinfo
from itertools import chain, groupby
from typing import Any

from django.db.models import QuerySet
from django.utils import timezone
from django.utils.translation import gettext as _

from agents.snapshot import AgentSnapshot
from chatapp.exports import passages
from chatapp.exports.headings import rewritten
from chatapp.transcript.endings import ending_of
from chatapp.transcript.joining import JoinedText, texts_of
from chatapp.transcript.thoughts import thought_of
from history.core.transcript.messages import Role
from history.core.words.wording import number
from history.models import (
    Branch,
    CheckpointState,
    Conversation,
    Generation,
    GenerationStatus,
    Message,
)
from history.models.file_answer import FileAnswer
from history.services.exports.form import Form
from history.services.exports.rows import each
from history.services.path.marks import Marks, marks_on
from history.services.path.reading import siblings
from history.services.path.transcripts import lies_on


@dataclass(frozen=True, slots=True)
class Style:
    """The style of an exported chat: its times in `zone`, its owner's messages under the name
    `person`, and with or without the model's reasoning.
    """

    zone: tzinfo = UTC
    person: str = ""
    thoughts: bool = True

    def time(self, moment: datetime) -> str:
        return moment.astimezone(self.zone).strftime("%Y-%m-%d %H:%M %Z")


def as_markdown(style: Style) -> Form:
    kind = "" if style.thoughts else "without-thoughts"
    return Form("md", "text/markdown; charset=utf-8", lambda chat: _written(chat, style), kind)


def _written(conversation: Conversation, style: Style) -> Iterator[str]:
    yield _title(conversation, style)
    if conversation.branch:
        for block in _Path(conversation, conversation.branch, style).blocks():
            yield f"\n{block}\n"


def _title(conversation: Conversation, style: Style) -> str:
    title = " ".join(conversation.title.split()).replace("<", "\\<") or _("Untitled chat")
    facts = {
        _("Agent"): conversation.partner.name,
        _("Started"): style.time(conversation.created),
        _("Last message"): style.time(conversation.active),
        _("Exported"): style.time(timezone.now()),
    }
    lines = "".join(f"- **{name}:** {value}\n" for name, value in facts.items())
    return f"# {title}\n\n{lines}"


class _Path:
    """Writes the messages of the open branch, each answer under one heading."""

    def __init__(self, conversation: Conversation, branch: Branch, style: Style) -> None:
        self._conversation = conversation
        self._branch = branch
        self._style = style
        self._until = timezone.now()
        self._choices = siblings(conversation, branch)
        self._marks: Marks = marks_on(branch)
        self._files = set(conversation.attachments.values_list("media", flat=True))
        ready = conversation.checkpoints.filter(state=CheckpointState.READY).order_by("last")
        self._summaries = {row.last: row for row in ready if lies_on(row, branch)}

    def blocks(self) -> Iterator[str]:
        question: Message | None = None  # The newest question that has no answer so far.
        for _key, run in groupby(self._messages(), _speaker):
            messages = iter(run)  # Read messages one by one, because an answer may be long.
            first = next(messages)
            if question and first.role == Role.USER:
                yield from self._unanswered(question)
            question = first if first.role == Role.USER else None
            yield self._heading(first)
            yield from self._run(first, messages)
        if question:
            yield from self._unanswered(question)

    def _messages(self) -> Iterator[Message]:
        for span in reversed(self._branch.spans()):
            rows = Message.objects.on_span(span).filter(created__lte=self._until)
            yield from each(rows.select_related("generation"), "position")

    def _run(self, first: Message, rest: Iterator[Message]) -> Iterator[str]:
        has_text = has_thought = False
        last, answer = first, None
        for joined_text in texts_of(chain((first,), rest)):
            yield from self._text(joined_text)
            last = joined_text.messages[-1]
            has_text |= last.role == Role.ASSISTANT and bool(joined_text.text)
            has_thought |= any(map(thought_of, joined_text.messages))
            answer = last.answer_of_file or answer
        if work := self._newest(last.generation) if last.generation else answer:
            yield from _ending(work, has_text=has_text, has_thought=has_thought)

    def _text(self, joined_text: JoinedText) -> Iterator[str]:
        for message in joined_text.messages:
            yield from self._above(message)
        (*_, last) = joined_text.messages
        if last.role == Role.TOOL:
            yield from passages.result(last)
        elif joined_text.text.strip():
            yield passages.closed(rewritten(joined_text.text))
        for message in joined_text.messages:
            yield from self._below(message)

    def _above(self, message: Message) -> Iterator[str]:
        if message.position in self._choices:
            yield self._branch_note(self._choices[message.position])
        yield from self._marked(message)
        if self._style.thoughts:
            yield from passages.thought(message)

    def _below(self, message: Message) -> Iterator[str]:
        yield from passages.files(message, self._files)
        yield from passages.calls(message)
        if summary := self._summaries.get(message.position):
            places = (number(summary.first + 1), number(summary.last + 1))
            label = _("The model gets this summary instead of messages {first} to {last}.")
            yield passages.folded(label.format(first=places[0], last=places[1]), summary.summary)

    def _branch_note(self, branches: list[int]) -> str:
        place = branches.index(self._branch.pk) + 1
        note = _("Branch {number} of {total}. The JSON export has all branches.")
        return f"*{note.format(number=place, total=len(branches))}*"

    def _heading(self, first: Message) -> str:
        return f"## {self._who(first)} · {self._style.time(first.created)}"

    def _who(self, first: Message) -> str:
        if first.role == Role.USER:
            return self._style.person or _("You")
        if first.role == Role.SYSTEM:
            return _("System")
        agent = _agent(first.generation)
        names = first.generation.agent_names if first.generation else {}
        if first.imported:
            name = _("Imported answer")
        else:
            name = names.get(first.agent) or agent.name or self._conversation.agent.name
        model = first.model or agent.model
        return f"{name} ({model})" if model else name

    def _marked(self, message: Message) -> Iterator[str]:
        if message.position in self._marks.pins:
            yield f"*{_('Pinned: the model always gets this message.')}*"
        if message.position in self._marks.exclusions:
            yield f"*{_('Excluded: the model never gets this message.')}*"

    def _unanswered(self, question: Message) -> Iterator[str]:
        """Say what became of an answer that contains no message."""
        if newest := self._silent(question.turn).first():
            yield from _ending(newest, has_text=False)

    def _newest(self, work: Generation) -> Generation:
        """Return the generation that ended the answer; it may have added no message of its own."""
        if work.status == GenerationStatus.DONE:
            return work
        return self._silent(work.turn).filter(created__gt=work.created).first() or work

    def _silent(self, turn: int) -> QuerySet[Generation]:
        owners = {owner for owner, _first, _last in self._branch.spans()}
        rows = self._conversation.generations.filter(
            turn=turn, branch__in=owners, messages__isnull=True
        )
        return rows.order_by("-created")


def _speaker(message: Message) -> tuple[Any, ...]:
    if message.role in {Role.USER, Role.SYSTEM}:
        return (message.position,)
    return ("answer", message.turn)


def _agent(generation: Generation | None) -> AgentSnapshot:
    return generation.parts[0].agent if generation else AgentSnapshot()


def _ending(
    work: Generation | FileAnswer, *, has_text: bool, has_thought: bool = False
) -> Iterator[str]:
    if ending := ending_of(work, has_text=has_text, has_thought=has_thought):
        yield f"*{' '.join(filter(None, (ending.label, ending.sentence)))}*"
