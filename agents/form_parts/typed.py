"""An admin form as it is typed, for views that use its values without saving them."""

from copy import copy
from typing import Any

from django.contrib.admin import ModelAdmin
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest
from django.views.decorators.debug import sensitive_variables


class TypedAdmin(ModelAdmin):
    """An admin page with further addresses, to which a script posts the form's values."""

    def may_save(self, request: HttpRequest, row: Any) -> bool:
        """Whether the person may save the form; `row` is None on the page that adds a row."""
        if row is not None:
            return self.has_change_permission(request, row)
        return self.has_add_permission(request)

    @sensitive_variables("data")
    def typed_form(self, request: HttpRequest, pk: int | None) -> tuple[Any, Any]:
        """Return the stored row, if any, and the form as posted, not validated yet.

        The form's instance is a copy of the row. Raise `Http404` if there is no such row, and
        `PermissionDenied` if nothing is posted or the person may not save the form.
        """
        row = self.get_object(request, str(pk)) if pk is not None else None
        if pk is not None and row is None:
            raise Http404
        if request.method != "POST" or not self.may_save(request, row):
            raise PermissionDenied
        data = request.POST.copy()
        data.pop("seen", None)  # Only saving warns of somebody else's change, and locks the row.
        form_class = self.get_form(request, row, change=row is not None)
        return row, form_class(data, instance=copy(row) if row else None)
