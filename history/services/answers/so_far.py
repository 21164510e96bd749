"""The reasoning and the text of a model before its answer is complete."""

from dataclasses import dataclass

from django.db.models import QuerySet

from history.core.transcript.messages import Role
from history.core.transcript.parts import Reasoning, ReasoningForm
from history.models import Generation, GenerationEvent


@dataclass(frozen=True, slots=True)
class Reply:
    """The model's reasoning and text that no message contains yet."""

    text: str = ""
    reasoning: tuple[Reasoning, ...] = ()

    @property
    def size(self) -> int:
        """The number of its characters."""
        return len(self.text) + sum(len(part.text) for part in self.reasoning)

    def __bool__(self) -> bool:
        return bool(self.text or self.reasoning)


NOTHING = Reply()


def reply_so_far(generation: Generation) -> Reply:
    """Return the reasoning and text that are in the event log and in no message yet. The
    reasoning's signatures are lost.

    A step that was planned again with a smaller budget left no message.
    """
    events = _events(generation)
    thought = _joined(events.filter(kind="thinking"))
    took_ms = _took_ms(generation, events) if thought else 0
    parts = (Reasoning(ReasoningForm.TEXT, thought, took_ms=took_ms),) if thought else ()
    return Reply(_joined(events.filter(kind="delta")), parts)


def pieces_so_far(generation: Generation) -> list[str]:
    """Return the text of `reply_so_far` as it was shown, piece by piece."""
    payloads = _events(generation).filter(kind="delta").values_list("payload", flat=True)
    return [payload["text"] for payload in payloads]


def thought_ms(generation: Generation) -> int | None:
    """Return how long the model thought, in ms, if the event log says that it has ended that."""
    ended = _events(generation).filter(kind="thought").last()
    return int(ended.payload["ms"]) if ended else None


def _events(generation: Generation) -> QuerySet[GenerationEvent]:
    """List the events since the step began that has left no message yet."""
    planned_again = generation.plans.filter(plan__percent__lt=100).exists()
    step = generation.messages.filter(role=Role.ASSISTANT).count() + 1 + planned_again
    start = generation.events.filter(kind="plan", payload__step=step).first()
    if start is None:
        return GenerationEvent.objects.none()
    return generation.events.filter(seq__gt=start.seq).order_by("seq")


def _took_ms(generation: Generation, events: QuerySet[GenerationEvent]) -> int:
    """Return how long the model thought, in ms, if need be up to the last heartbeat."""
    if ended := events.filter(kind="thought").last():
        return int(ended.payload["ms"])
    start = generation.plans.order_by("step").values_list("created", flat=True).last()
    if start is None or generation.heartbeat_at is None:
        return 0
    return max(0, round((generation.heartbeat_at - start).total_seconds() * 1000))


def _joined(events: QuerySet[GenerationEvent]) -> str:
    return "".join(payload["text"] for payload in events.values_list("payload", flat=True))
