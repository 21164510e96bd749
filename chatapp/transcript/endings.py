"""How an answer ended, where it did not end well, in a sentence and with a way on."""

from dataclasses import dataclass

from history.models import Generation, GenerationStatus

KEPT = "The text above was kept."
NOTHING = "Nothing had been written yet."


@dataclass(frozen=True, slots=True)
class Ending:
    """`can_continue`: there is text to go on from."""

    label: str
    sentence: str
    can_continue: bool
    failed: bool = False


def ending_of(generation: Generation, *, has_text: bool) -> Ending | None:
    """None for an answer that is whole, or still being written."""
    kept = KEPT if has_text else NOTHING
    match generation.status:
        case GenerationStatus.STOPPED:
            return Ending("Stopped.", kept, has_text)
        case GenerationStatus.INTERRUPTED:
            return Ending("Interrupted.", kept, has_text)
        case GenerationStatus.FAILED:
            error = generation.error or {}
            sentence = error.get("message", "The answer failed for a reason that was not recorded.")
            return Ending("", sentence, has_text, failed=True)
    return None
