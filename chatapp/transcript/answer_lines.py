"""Lines of an answer that no model wrote: hand-overs, and how it ended."""

from dataclasses import dataclass

from django.utils.translation import gettext as _

from history.models import Generation, GenerationStatus, Message

LONGEST = 160  # Characters of a line that divides an answer.


@dataclass(frozen=True, slots=True)
class HandOverLine:
    """`line` says who handed over to whom, and why; `speaker` is the name of the agent that goes
    on.
    """

    call: str
    line: str
    speaker: str

    @property
    def short(self) -> str:
        """The line as far as it has room."""
        return f"{self.line[:LONGEST].rstrip()}…" if self.is_long else self.line

    @property
    def is_long(self) -> bool:
        return len(self.line) > LONGEST


def hand_over(result: Message) -> HandOverLine | None:
    """Read a hand-over from a tool result; None for other kinds: only hand-overs name an agent."""
    if not result.agent or result.generation is None:
        return None
    name = result.generation.agent_names.get(result.agent, result.agent)
    return HandOverLine(result.tool_call_id, result.text, name)


@dataclass(frozen=True, slots=True)
class EndingLine:
    """How an answer ended badly. `can_continue`: there is text to continue from."""

    label: str
    sentence: str
    can_continue: bool
    failed: bool = False


def ending_of(
    generation: Generation, *, has_text: bool, has_thought: bool = False
) -> EndingLine | None:
    """Return None for an answer that is complete, or still being written."""
    kept = _("Nothing had been written yet.")
    if has_text:
        kept = _("The text above was kept.")
    elif has_thought:
        kept = _("The model was still thinking.")
    match generation.status:
        case GenerationStatus.STOPPED:
            return EndingLine(_("Stopped."), kept, has_text)
        case GenerationStatus.INTERRUPTED:
            return EndingLine(_("Interrupted."), kept, has_text)
        case GenerationStatus.FAILED:
            error = generation.error or {}
            sentence = error.get("message", _("The answer failed for an unknown reason."))
            return EndingLine("", sentence, has_text, failed=True)
    return None
