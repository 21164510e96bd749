"""`manage.py mcp`: list the MCP servers and what they said, or check whether one answers now."""

import asyncio
from argparse import ArgumentParser
from collections.abc import Iterable, Mapping
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from agents.mcp.config import ConfigRefused, config_of
from agents.mcp.models import McpServer, SessionState
from chatapp import env
from history.core.words.wording import printable

NONE = "No MCP servers yet. Add one in the admin under Agents, MCP servers."


class Command(BaseCommand):
    help = "List the MCP servers and their tools, or check that one responds."

    def add_arguments(self, parser: ArgumentParser) -> None:
        actions = parser.add_subparsers(dest="action", required=True)
        actions.add_parser("list", help="list servers, their states and tools as last known")
        check = actions.add_parser("check", help="connect to a server now and list its tools")
        check.add_argument("slug")

    def handle(self, *args: Any, **options: Any) -> None:
        if options["action"] == "list":
            self._list()
        else:
            self._check(options["slug"])

    def _list(self) -> None:
        servers = McpServer.objects.all()
        if not servers:
            self.stdout.write(NONE)
        for server in servers:
            about = f"{server.slug}  {server.name}  {server.shown_state}  {server.said}"
            self.stdout.write(about.rstrip())
            self._show(server, server.listing["tools"], server.listing["notes"])

    def _check(self, slug: str) -> None:
        """Check whether a server, even a disabled one, answers; store nothing."""
        from agents.mcp.session import try_connection  # noqa: PLC0415 -- this imports the client library

        try:
            server = McpServer.objects.get(slug=slug)
            config = config_of(server, env.variables())
        except McpServer.DoesNotExist as error:
            slugs = ", ".join(McpServer.objects.values_list("slug", flat=True)) or "none"
            raise CommandError(f"No MCP server is called {slug}. Available: {slugs}.") from error
        except ConfigRefused as error:
            raise CommandError(f"{slug}: {error}.") from error
        report = asyncio.run(try_connection(config))
        if report.state != SessionState.READY or report.listing is None:
            raise CommandError(f"{slug} isn't responding: {report.said}.")
        self.stdout.write(f"{slug} responds. Tools: {len(report.listing.tools)}.")
        self._show(server, report.listing.tools, report.listing.notes)

    def _show(
        self, server: McpServer, tools: Iterable[Mapping[str, Any]], notes: Iterable[str]
    ) -> None:
        for tool in tools:
            asks = "  [needs approval]" if server.needs_approval(tool) else ""
            words = " ".join(tool["description"].split())
            self.stdout.write(f"  {tool['name']}  {printable(words, 80)}{asks}".rstrip())
        for note in notes:
            self.stdout.write(f"  ! {note}")
