"""An MCP server, as the administrator configures it, and what it last said of itself."""

from collections.abc import Mapping
from typing import Any

from django.core.validators import MaxValueValidator, MinValueValidator, RegexValidator
from django.db import models

from agents.mcp.fields import (
    check_arguments,
    check_headers,
    check_server,
    check_variables,
    lines,
    pairs,
)
from agents.tools import Audience

PREFIX = "mcp:"  # In a template's list of tools: all tools of the server.


class Transport(models.TextChoices):
    STDIO = "stdio", "a program on this machine (stdio)"
    HTTP = "http", "an address (streamable HTTP)"


class State(models.TextChoices):
    """What its session is doing. A waiting one has not answered since the process began."""

    WAITING = "waiting", "waiting"
    READY = "ready", "ready"
    FAILED = "failed", "not answering"


class ApprovalNeed(models.TextChoices):
    """Whether a person must approve of each call before it is made."""

    UNLESS_READING = "unless_reading", "unless the server says that it only reads"
    ALWAYS = "always", "always"
    NEVER = "never", "never"


def no_listing() -> dict[str, Any]:
    return {"tools": [], "notes": []}


class McpServer(models.Model):
    """Secrets are named, never kept: their values stay in the environment."""

    slug = models.CharField(
        max_length=24,
        unique=True,
        validators=[
            RegexValidator(
                r"\A[a-z][a-z0-9-]*\Z", "Small letters, digits and hyphens, a letter first."
            )
        ],
        help_text="Begins the names of its tools: files gives files__read_file.",
    )
    name = models.CharField(max_length=80)
    enabled = models.BooleanField(default=False)
    audience = models.PositiveSmallIntegerField(
        choices=[(each.value, each.words) for each in Audience],
        default=Audience.SIGNED_IN.value,
        help_text="Whose chats may use its tools.",
    )
    transport = models.CharField(max_length=5, choices=Transport, default=Transport.STDIO)
    command = models.CharField(
        max_length=500, blank=True, help_text="The program, without its arguments; no shell."
    )
    arguments = models.TextField(
        blank=True, validators=[check_arguments], help_text="One a line, as they are."
    )
    variables = models.TextField(
        blank=True,
        validators=[check_variables],
        help_text="Names of environment variables to pass on, one a line. "
        "It gets no others but PATH and HOME.",
    )
    url = models.CharField(
        "address", max_length=500, blank=True, help_text="Such as http://127.0.0.1:9000/mcp"
    )
    headers = models.TextField(
        blank=True,
        validators=[check_headers],
        help_text="Authorization: VARIABLE, one a line. The variable holds the header's whole "
        "value, such as Bearer and a token.",
    )
    only = models.TextField(
        "tools", blank=True, help_text="Those that are wanted, one a line. Empty: all, up to 120."
    )
    asks = models.CharField(
        max_length=14,
        choices=ApprovalNeed,
        default=ApprovalNeed.UNLESS_READING,
        help_text="Whether a person is asked before each call. What a server says of itself is a "
        "hint that nobody checks.",
    )
    timeout = models.PositiveSmallIntegerField(
        default=30,
        validators=[MinValueValidator(1), MaxValueValidator(600)],
        help_text="Seconds per call.",
    )
    result_limit = models.PositiveIntegerField(
        default=20_000,
        validators=[MinValueValidator(100), MaxValueValidator(200_000)],
        help_text="Characters of a result.",
    )

    state = models.CharField(max_length=7, choices=State, default=State.WAITING, editable=False)
    said = models.CharField(max_length=300, blank=True, editable=False)
    listing = models.JSONField(default=no_listing, editable=False)
    answered = models.DateTimeField(null=True, editable=False)

    class Meta:
        ordering = ["slug"]
        verbose_name = "MCP server"

    def __str__(self) -> str:
        return self.name

    def clean(self) -> None:
        check_server(self.transport, self.command, self.url)

    def needs_approval(self, tool: Mapping[str, Any]) -> bool:
        """A tool of a listing. What was listed before hints were kept says nothing."""
        if self.asks == ApprovalNeed.UNLESS_READING:
            return not tool.get("reads_only", False)
        return self.asks == ApprovalNeed.ALWAYS

    @property
    def selection(self) -> str:
        """As a template's list of tools names it."""
        return PREFIX + self.slug

    @property
    def argument_list(self) -> list[str]:
        return lines(self.arguments)

    @property
    def variable_names(self) -> list[str]:
        return lines(self.variables)

    @property
    def header_variables(self) -> dict[str, str]:
        return pairs(self.headers)

    @property
    def only_names(self) -> list[str]:
        return lines(self.only)
