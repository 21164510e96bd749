"""The last line of an answer that did not end well, which says why."""

from dataclasses import dataclass

from django.utils.translation import gettext as _

from history.models import Generation, GenerationStatus
from history.models.file_answer import FileAnswer

# Kinds of errors, as in chatapp/llm/errors.py: about keys, and all that an administrator mends.
KEY_ERRORS = ("missing_key", "auth")
ADMINISTRATORS_ERRORS = (*KEY_ERRORS, "bad_request", "not_found")


@dataclass(frozen=True, slots=True)
class EndingLine:
    """The line on a bad ending. `can_continue`: there is text to continue; `kind`: that of the
    error, if it failed.
    """

    label: str
    sentence: str
    can_continue: bool
    failed: bool = False
    kind: str = ""

    @property
    def lacks_key(self) -> bool:
        """Whether the model has no key, or a refused one."""
        return self.kind in KEY_ERRORS

    @property
    def needs_administrator(self) -> bool:
        """Whether only an administrator can change what went wrong."""
        return self.kind in ADMINISTRATORS_ERRORS


def ending_of(
    work: Generation | FileAnswer, *, has_text: bool, has_thought: bool = False
) -> EndingLine | None:
    """Return the line on an answer that ended badly; None if it is complete, or still being
    written.

    An answer from an imported file can't be continued, because nobody knows what its model was
    sent.
    """
    sentence = _("Nothing had been written yet.")
    if has_text:
        sentence = _("The text above was kept.")
    elif has_thought:
        sentence = _("The model was still thinking.")
    can_continue = has_text and isinstance(work, Generation)
    match work.status:
        case GenerationStatus.STOPPED:
            return EndingLine(_("Stopped."), sentence, can_continue)
        case GenerationStatus.INTERRUPTED:
            return EndingLine(_("Interrupted: the server stopped."), sentence, can_continue)
        case GenerationStatus.PASSED_OVER:
            sentence = _("Not decided: a newer message came first.")
            return EndingLine("", sentence, can_continue=False)
        case GenerationStatus.FAILED:
            error = work.error or {}
            sentence = error.get("message", _("The answer failed for an unknown reason."))
            kind = error.get("kind", "")
            return EndingLine("", sentence, can_continue, failed=True, kind=kind)
    return None
