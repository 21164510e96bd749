"""Changes in the admin: they overwrite nobody else's change without a warning, and can be undone.

If somebody else has saved the page since it was opened, the first attempt to save shows a warning.
To detect this, the form carries a short hash of each field as it was when the page was opened.
"""

import hashlib
import json
from collections.abc import Iterator
from copy import copy
from dataclasses import replace
from typing import Any, TypeAlias, cast

from django import forms
from django.contrib import admin
from django.contrib.admin.models import LogEntry
from django.contrib.contenttypes.models import ContentType
from django.core.exceptions import PermissionDenied
from django.db.models import Field, Model
from django.http import HttpRequest, HttpResponse, QueryDict
from django.utils.translation import gettext as _
from simple_history.admin import SimpleHistoryAdmin
from simple_history.template_utils import HistoricalRecordContextHelper

from agents.form_parts.bounds import write_bounds
from history.core.settings.table import BY_NAME
from history.wording.names import label_of
from history.wording.settings import shown_setting

SETTINGS = "history_settings"
LONGEST = 60  # The most characters of a value that the warning quotes.
Hashes = dict[str, str]
AnyField: TypeAlias = "Field[Any, Any]"


class GuardedForm(forms.ModelForm):
    """A form that warns of others' changes and keeps what was typed. If the person saves again, the
    others' changes are overwritten.
    """

    seen = forms.CharField(required=False, widget=forms.HiddenInput)

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.label_suffix = ""
        if self.instance.pk and (row := self._stored()):
            self.initial["seen"] = json.dumps(self._hashes(row))

    def clean(self) -> dict[str, Any]:
        values = super().clean() or self.cleaned_data
        row = self._stored(hold=True) if self.instance.pk and values.get("seen") else None
        if row and (changed := self._changed(row, values["seen"])):
            self.add_error(None, _sentence(row, changed))
            data = copy(cast(QueryDict, self.data))
            data[self.add_prefix("seen")] = json.dumps(self._hashes(row))
            self.data = data
        return values

    def add_error(self, field: str | None, error: Any) -> None:
        write_bounds(error)
        super().add_error(field, error)

    def guarded(self, row: Model) -> list[AnyField]:
        """List the fields that this form would overwrite if somebody else changed them."""
        fields = (*row._meta.concrete_fields, *row._meta.many_to_many)
        return [field for field in fields if field.editable]

    def _stored(self, *, hold: bool = False) -> Model | None:
        """Read the row again. `hold` locks the row until the admin's transaction ends.

        Nobody else can change a locked row meanwhile.
        """
        rows = type(self.instance)._default_manager.filter(pk=self.instance.pk)
        row: Model | None = (rows.select_for_update() if hold else rows).first()
        return row

    def _hashes(self, row: Model) -> Hashes:
        return {field.name: _hash(_value(row, field)) for field in self.guarded(row)}

    def _changed(self, row: Model, seen: str) -> list[AnyField]:
        try:
            before = dict(json.loads(seen))
        except (TypeError, ValueError):
            before = {}
        now = self._hashes(row)
        return [field for field in self.guarded(row) if before.get(field.name) != now[field.name]]


def with_seen(fieldsets: Any) -> Any:
    """Add the hidden field `seen`, with the hashes, to an admin page's fieldsets."""
    (title, options), *rest = fieldsets
    return ((title, {**options, "fields": (*options["fields"], "seen")}), *rest)


class GuardedAdmin(admin.ModelAdmin):
    """An admin whose form is a `GuardedForm`."""

    def get_fieldsets(self, request: HttpRequest, obj: Any = None) -> Any:
        sets = super().get_fieldsets(request, obj)
        return with_seen(sets) if obj and self.has_change_permission(request, obj) else sets


class SuperusersAdmin(GuardedAdmin):
    """Pages for superusers only: their contents could give anybody any right."""

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return bool(request.user.is_superuser)

    has_add_permission = has_delete_permission = has_change_permission


class Changes(HistoricalRecordContextHelper):  # type: ignore[misc]  # untyped
    """Shows the differences between two versions, one for each setting that has changed, with names
    and values written as on all other pages.
    """

    def context_for_delta_changes(self, delta: Any) -> list[dict[str, Any]]:
        others = [change for change in delta.changes if change.field != SETTINGS]
        rows: list[dict[str, Any]] = super().context_for_delta_changes(
            replace(delta, changes=others)
        )
        own = (change for change in delta.changes if change.field == SETTINGS)
        return [*rows, *(row for change in own for row in _settings(change.old, change.new))]


class VersionedAdmin(SimpleHistoryAdmin):  # type: ignore[misc]  # untyped
    """The list of versions, and the rule for reverting, that all versioned models share."""

    object_history_list_template = "admin/agents/version_list.html"

    def change_view(self, *args: Any, **kwargs: Any) -> HttpResponse:
        """Tell the template that versions exist, so that it links to them, not to Django's log."""
        kwargs["extra_context"] = (kwargs.get("extra_context") or {}) | {"has_versions": True}
        page: HttpResponse = super().change_view(*args, **kwargs)
        return page

    def get_historical_record_context_helper(self, request: HttpRequest, record: Any) -> Changes:
        return Changes(self.model, record)

    def history_form_view_title(self, request: HttpRequest, obj: Any) -> str:
        number = getattr(obj, "version", None)  # The site's defaults are not counted.
        title = _("{name}, version {number}") if number else _("{name}, an earlier version")
        return title.format(name=obj, number=number)

    def history_form_view(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        """Refuse people who may only view: simple_history hides their button, but accepts their
        request.
        """
        if request.method == "POST" and not self.has_change_permission(request):
            raise PermissionDenied
        page: HttpResponse = super().history_form_view(request, *args, **kwargs)
        return page


def _settings(old: dict[str, Any], new: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """Yield the settings that differ, in the table's order: PostgreSQL loses that of the keys."""
    for name in sorted(old | new, key=[*BY_NAME, *old, *new].index):
        was, now = (_shown(name, values) for values in (old, new))
        if was != now:
            yield {"field": label_of(name), "old": was, "new": now}


def _shown(name: str, values: dict[str, Any]) -> str:
    return shown_setting(name, values[name]) if name in values else _("default")


def _value(row: Model, field: AnyField) -> Any:
    """Return a field's value; for a many-to-many field, the primary keys of the rows."""
    value = field.value_from_object(row)
    return sorted(other.pk for other in value) if field.many_to_many else value


def _hash(value: object) -> str:
    text = json.dumps(value, sort_keys=True, default=str)
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:12]


def _sentence(row: Model, changed: list[AnyField]) -> str:
    one = _("{field} is now “{value}”")
    changes = [one.format(field=f.verbose_name, value=_short(row, f)) for f in changed[:3]]
    if len(changed) > len(changes):
        changes.append(_("and {count} more").format(count=len(changed) - len(changes)))

    return _(
        "{who} changed this while you were editing: {changes}. Nothing was saved. Save again to "
        "overwrite, or reload the page to discard your changes."
    ).format(who=_who(row), changes=", ".join(changes))


def _short(row: Model, field: AnyField) -> str:
    value = field.value_from_object(row)
    if field.name == SETTINGS:
        value = ", ".join(f"{label_of(name)} {_shown(name, value)}" for name in value) or _(
            "default"
        )
    if field.many_to_many:
        value = ", ".join(map(str, value)) or _("none")
    text = value if isinstance(value, str) else json.dumps(value, default=str)
    return text if len(text) <= LONGEST else f"{text[:LONGEST]}…"


def _who(row: Model) -> str:
    """Name the person who last saved the row, by its versions or else by the admin's log."""
    if versions := getattr(row, "versions", None):
        record = versions.order_by("-history_id").first()
        return str(record.history_user or _("The system")) if record else _("Someone")
    kind = ContentType.objects.get_for_model(row)
    entry = LogEntry.objects.filter(content_type=kind, object_id=str(row.pk)).first()
    return str(entry.user) if entry else _("Someone")
