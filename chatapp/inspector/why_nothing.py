"""Why there is no request to show."""

from django.utils.translation import gettext as _

from chatapp.inspector.forms import RecordQuery


def why_nothing(wanted: RecordQuery) -> str:
    if wanted == RecordQuery():
        return _("Nothing has been sent yet. The next message will use these settings.")
    if wanted.turn is None:
        return _("No request is stored for this answer. The next message will use these settings.")
    return _(
        "No request is stored for turn {turn} here. The next message will use these settings."
    ).format(turn=wanted.turn)
