"""Versions in the admin: compare them, revert to one."""

from typing import Any

from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse
from simple_history.admin import SimpleHistoryAdmin
from simple_history.template_utils import HistoricalRecordContextHelper

from agents.preview import shown
from history.core.settings.table import BY_NAME


class Changes(HistoricalRecordContextHelper):  # type: ignore[misc]  # untyped
    """Writes settings in a list of changes as they are written everywhere else."""

    def prepare_delta_change_value(self, change: Any, value: Any) -> Any:
        if not isinstance(value, dict):
            return super().prepare_delta_change_value(change, value)
        ranked = sorted(value, key=[*BY_NAME, *value].index)  # PostgreSQL keeps no order.
        return ", ".join(f"{name}={shown(value[name])}" for name in ranked)


class VersionedAdmin(SimpleHistoryAdmin):  # type: ignore[misc]  # untyped
    """Whatever keeps its versions has the same list of them, and the same rule for a revert."""

    object_history_list_template = "admin/agents/version_list.html"

    class Media:
        css = {"all": ["css/admin.css"]}

    def get_historical_record_context_helper(self, request: HttpRequest, record: Any) -> Changes:
        return Changes(self.model, record)

    def history_form_view(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        """simple_history hides the button from who may only look, but takes the request."""
        if request.method == "POST" and not self.has_change_permission(request):
            raise PermissionDenied
        page: HttpResponse = super().history_form_view(request, *args, **kwargs)
        return page
