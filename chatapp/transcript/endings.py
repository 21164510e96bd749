"""The last line of an answer that did not end well, which says why."""

from dataclasses import dataclass

from django.utils.translation import gettext as _

from history.models import Generation, GenerationStatus
from history.models.file_answer import FileAnswer

KEY_ERRORS = ("missing_key", "auth")  # Kinds of errors about keys; see chatapp/llm/errors.py.


@dataclass(frozen=True, slots=True)
class EndingLine:
    """The line on a bad ending. `can_continue`: there is text to continue; `lacks_key`: the model
    has no key, or a refused one, and only an administrator can change that.
    """

    label: str
    sentence: str
    can_continue: bool
    failed: bool = False
    lacks_key: bool = False


def ending_of(
    work: Generation | FileAnswer, *, has_text: bool, has_thought: bool = False
) -> EndingLine | None:
    """Return the line on an answer that ended badly; None if it is complete, or still being
    written.

    An answer from an imported file can't be continued, because nobody knows what its model was
    sent.
    """
    kept = _("Nothing had been written yet.")
    if has_text:
        kept = _("The text above was kept.")
    elif has_thought:
        kept = _("The model was still thinking.")
    can_continue = has_text and isinstance(work, Generation)
    match work.status:
        case GenerationStatus.STOPPED:
            return EndingLine(_("Stopped."), kept, can_continue)
        case GenerationStatus.INTERRUPTED:
            return EndingLine(_("Interrupted: the server stopped."), kept, can_continue)
        case GenerationStatus.FAILED:
            error = work.error or {}
            sentence = error.get("message", _("The answer failed for an unknown reason."))
            lacks_key = error.get("kind") in KEY_ERRORS
            return EndingLine("", sentence, can_continue, failed=True, lacks_key=lacks_key)
    return None
