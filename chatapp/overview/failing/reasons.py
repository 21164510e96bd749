"""The reasons why answers failed: the kind that is stored, and the word that people see."""

from django.db.models import Case, TextField, Value, When
from django.db.models.fields.json import KT
from django.db.models.functions import Coalesce
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from history.models import GenerationStatus

INTERRUPTED, UNSAID = "interrupted", "unknown"
REASONS = {
    INTERRUPTED: gettext_lazy("Interrupted"),
    "forbidden": gettext_lazy("Not allowed"),
    "missing_key": gettext_lazy("Key missing"),
    "auth": gettext_lazy("Key rejected"),
    "rate_limited": gettext_lazy("Rate limited"),
    "unreachable": gettext_lazy("Unreachable"),
    "timeout": gettext_lazy("Timeout"),
    "context_too_long": gettext_lazy("Too long for the model"),
    "bad_request": gettext_lazy("Rejected as invalid"),
    "not_found": gettext_lazy("Model not found"),
    "overloaded": gettext_lazy("Provider has problems"),
    "cut": gettext_lazy("Broken off"),
    "bad_response": gettext_lazy("Invalid response"),
    "empty": gettext_lazy("Empty answer"),
    "too_long": gettext_lazy("Answer too long"),
    "tool_limit": gettext_lazy("Too many tool rounds"),
    "hand_over_limit": gettext_lazy("Too many hand-overs"),
    "cannot_plan": gettext_lazy("No request possible"),
    "too_large": gettext_lazy("Message too large"),
    "extension": gettext_lazy("Extension failed"),
    "settings": gettext_lazy("Invalid settings"),
    "unstored": gettext_lazy("Not saved"),
    "internal": gettext_lazy("Error on the server"),
    UNSAID: gettext_lazy("Unknown"),
}

LIMITS = {  # The variables whose limits end answers.
    "too_long": "MAX_ANSWER_BYTES",
    "tool_limit": "TOOL_ROUNDS",
    "hand_over_limit": "HAND_OVERS",
}


def kind_of_failure() -> Case:
    """Return an expression for a failed answer's kind. An interrupted answer stores no kind."""
    interrupted = When(status=GenerationStatus.INTERRUPTED, then=Value(INTERRUPTED))
    kind = Coalesce(KT("error__kind"), Value(UNSAID))
    return Case(interrupted, default=kind, output_field=TextField())


def reason_label(kind: str) -> str:
    """Return the word for a kind of failure; an unknown kind stands for itself."""
    return str(REASONS.get(kind, kind))


def reason_sentence(kind: str, message: str) -> str:
    if kind == INTERRUPTED:
        return _("The server stopped before the answer was complete.")
    if variable := LIMITS.get(kind):
        set_by = _("{variable} sets this limit.").format(variable=variable)
        return f"{message} {set_by}"
    return message or _("The answer failed for an unknown reason.")
