"""MCP servers in the admin: what reaches them, and what they last said."""

from typing import Any

from django.contrib import admin
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString

from agents.changes import GuardedForm, SuperusersAdmin
from agents.mcp.models import McpServer

RISK = (
    "A program runs as the user that Vitrine runs as, and its tools do whatever a model asks them "
    "to, of those that ask first once a person approved. So only superusers change this."
)


class McpServerAdmin(SuperusersAdmin):
    form = GuardedForm
    change_form_template = "admin/change_form.html"  # This app's own shows history settings.
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
        ("Reached by", {"fields": ("transport",)}),
        ("A program", {"fields": ("command", "arguments", "variables")}),
        ("An address", {"fields": ("url", "headers")}),
        ("Limits", {"fields": ("only", "asks", "timeout", "result_limit")}),
        ("What it said", {"fields": ("state", "said", "answered", "tools_known", "left_out")}),
    )

    @admin.display(description="tools")
    def tool_count(self, server: McpServer) -> int:
        return len(server.listing["tools"])

    @admin.display(description="tools, as models call them")
    def tools_known(self, server: McpServer) -> SafeString | str:
        rows = (
            (
                tool["name"],
                " (asks first)" if server.needs_approval(tool) else "",
                tool["description"],
            )
            for tool in server.listing["tools"]
        )
        return _bulleted("{}{}: {}", rows)

    @admin.display(description="left out or renamed")
    def left_out(self, server: McpServer) -> SafeString | str:
        return _bulleted("{}", ((note,) for note in server.listing["notes"]))


def _bulleted(form: str, rows: Any) -> SafeString | str:
    items = format_html_join("", f"<li>{form}</li>", rows)
    return format_html("<ul>{}</ul>", items) if items else "none"
