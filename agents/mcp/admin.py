"""MCP servers in the admin: how to reach them, and what they last said."""

from typing import Any

from django.contrib import admin
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString
from django.utils.translation import gettext_lazy as _

from agents.changes import GuardedForm, SuperusersAdmin
from agents.mcp.models import McpServer

RISK = _(
    "The program runs as the same system user as Vitrine, and its tools do "
    "whatever a model asks or a user approves. Only superusers can change "
    "this."
)


class McpServerAdmin(SuperusersAdmin):
    form = GuardedForm
    change_form_template = "admin/change_form.html"  # Django's own; ours would show settings.
    list_display = (
        "name",
        "slug",
        "transport",
        "enabled",
        "asks",
        "state",
        "tool_count",
        "answered",
    )
    search_fields = ("name", "slug")
    readonly_fields = ("state", "said", "answered", "tools_known", "left_out")
    fieldsets = (
        (None, {"fields": ("name", "slug", "enabled", "audience"), "description": RISK}),
        (_("Connection"), {"fields": ("transport",)}),
        (_("Program"), {"fields": ("command", "arguments", "variables")}),
        (_("Network address"), {"fields": ("url", "headers")}),
        (_("Limits"), {"fields": ("only", "asks", "timeout", "result_limit")}),
        (_("Status"), {"fields": ("state", "said", "answered", "tools_known", "left_out")}),
    )

    @admin.display(description=_("tools"))
    def tool_count(self, server: McpServer) -> int:
        return len(server.listing["tools"])

    @admin.display(description=_("tool names"))
    def tools_known(self, server: McpServer) -> SafeString | str:
        rows = (
            (
                _with_approval(tool["name"]) if server.needs_approval(tool) else tool["name"],
                tool["description"],
            )
            for tool in server.listing["tools"]
        )
        return _bulleted("{}: {}", rows)

    @admin.display(description=_("left out or renamed"))
    def left_out(self, server: McpServer) -> SafeString | str:
        return _bulleted("{}", ((note,) for note in server.listing["notes"]))


def _with_approval(name: str) -> str:
    return _("{name} (needs approval)").format(name=name)


def _bulleted(form: str, rows: Any) -> SafeString | str:
    items = format_html_join("", f"<li>{form}</li>", rows)
    return format_html("<ul>{}</ul>", items) if items else str(_("none"))
