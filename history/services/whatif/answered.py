"""The answer to a turn, by whichever model: its text, tokens and cost, read only from records."""

from dataclasses import dataclass
from decimal import Decimal

from history.core.money.cost import total
from history.core.transcript.messages import Role
from history.models import Branch, CallFigures, ContextPlan, Generation, Message
from history.services.answers.so_far import reply_so_far
from history.services.path.reading import turn_messages, user_message_of

MOST = 20  # The most experiments listed beside an answer.


@dataclass(frozen=True, slots=True)
class TurnAnswer:
    """An answer with the sums over its requests; None is unknown. `is_estimated`: a provider did
    not report the tokens sent, so that `sent` contains our own estimate. `has_left`: a request that
    ended was sent, or no request has ended yet.
    """

    generation: Generation
    text: str
    requests: int
    sent: int
    is_estimated: bool
    output: int | None
    money: Decimal | None
    has_left: bool = True


def experiments_beside(record: ContextPlan) -> list[Generation]:
    """List other experiments with the user message of the record's turn, the newest first."""
    mine = record.generation
    rows = Generation.objects.filter(
        conversation=mine.conversation_id, turn=mine.turn, kind=Generation.Kind.WHAT_IF
    ).exclude(pk=mine.pk)
    generations = list(rows.select_related("branch").order_by("-created")[:MOST])
    message = user_message_of(record.branch, mine.turn) if generations else None
    for each in generations:
        each.conversation = mine.conversation
    return [each for each in generations if message and each.branch.has_on_path(*_place(message))]


def answer_of(generation: Generation, branch: Branch) -> TurnAnswer:
    """Return the branch's answer in the generation's turn, with the part still being written."""
    answered = [m for m in turn_messages(branch, generation.turn) if m.role == Role.ASSISTANT]
    texts = [message.text for message in answered if message.text]
    if generation.is_open:
        texts += filter(None, [reply_so_far(generation).text])
    keys = {m.generation_id for m in answered if m.generation_id} | {generation.pk}
    rows = CallFigures.objects.filter(plan__generation__in=keys)
    figures = list(rows.values_list("prompt", "counted", "output", "cost"))
    reported = [prompt for prompt, *_ in figures if prompt is not None]
    estimated = [counted for prompt, counted, *_ in figures if prompt is None and counted]
    outputs = [output for _, _, output, _ in figures if output is not None]
    return TurnAnswer(
        generation=generation,
        text="\n\n".join(texts),
        requests=len(figures),
        sent=sum(reported) + sum(estimated),
        is_estimated=bool(estimated),
        output=sum(outputs) if outputs else None,
        money=total(cost for *_, cost in figures) if figures else None,
        has_left=bool(reported or estimated or not figures),
    )


def _place(message: Message) -> tuple[int, int]:
    return message.branch_id, message.position
