"""An MCP server as the administrator configures it, with its last known state."""

from collections.abc import Mapping
from typing import Any

from django.core.validators import MaxValueValidator, MinValueValidator, RegexValidator
from django.db import models
from django.utils.translation import gettext_lazy as _

from agents.mcp.fields import check_arguments, check_headers, check_server, check_variables
from agents.tools import Audience

PREFIX = "mcp:"  # Stands before a server's slug in a template's list of tools.


class Transport(models.TextChoices):
    STDIO = "stdio", _("a program on this machine (stdio)")
    HTTP = "http", _("an address (streamable HTTP)")


class SessionState(models.TextChoices):
    """The state of a server's session: waiting, until the server first answers this process."""

    WAITING = "waiting", _("waiting")
    READY = "ready", _("ready")
    FAILED = "failed", _("not responding")


class ApprovalNeed(models.TextChoices):
    """Whether a person must approve each call before it is made."""

    UNLESS_READING = "unless_reading", _("unless the server marks the tool as read-only")
    ALWAYS = "always", _("always")
    NEVER = "never", _("never")


def no_listing() -> dict[str, Any]:
    return {"tools": [], "notes": []}


class McpServer(models.Model):
    """An MCP server. Its secrets are named here, but their values stay in the environment."""

    slug = models.CharField(
        _("slug"),
        max_length=24,
        unique=True,
        validators=[
            RegexValidator(
                r"\A[a-z][a-z0-9-]*\Z",
                _("Use lower-case letters, digits and hyphens, starting with a letter."),
            )
        ],
        help_text=_("Prefix for this server's tool names: files gives files__read_file."),
    )
    name = models.CharField(_("name"), max_length=80)
    enabled = models.BooleanField(_("enabled"), default=False)
    audience = models.PositiveSmallIntegerField(
        _("audience"),
        choices=Audience,
        default=Audience.SIGNED_IN,
        help_text=_("Who may use these tools."),
    )
    transport = models.CharField(
        _("transport"), max_length=5, choices=Transport, default=Transport.STDIO
    )
    command = models.CharField(
        _("command"),
        max_length=500,
        blank=True,
        help_text=_("The program without its arguments. No shell is used."),
    )
    arguments = models.TextField(
        _("arguments"),
        blank=True,
        validators=[check_arguments],
        help_text=_("One per line, without quotes."),
    )
    variables = models.TextField(
        _("variables"),
        blank=True,
        validators=[check_variables],
        help_text=_(
            "Names of environment variables to pass on, one per line. Apart from these, the "
            "program only gets PATH and HOME."
        ),
    )
    url = models.CharField(
        _("address"),
        max_length=500,
        blank=True,
        help_text=_("For example http://127.0.0.1:9000/mcp"),
    )
    headers = models.TextField(
        _("headers"),
        blank=True,
        validators=[check_headers],
        help_text=_(
            "One per line, as in Authorization: VARIABLE. The variable "
            "contains the whole value, such as Bearer followed by a token."
        ),
    )
    only = models.TextField(
        _("tools"), blank=True, help_text=_("Tools to offer, one per line. Empty: all, up to 120.")
    )
    asks = models.CharField(
        _("needs approval"),
        max_length=14,
        choices=ApprovalNeed,
        default=ApprovalNeed.UNLESS_READING,
        help_text=_(
            "Whether the user must approve each call. Nobody checks a server's claim that a tool "
            "is read-only."
        ),
    )
    timeout = models.PositiveSmallIntegerField(
        _("timeout"),
        default=30,
        validators=[MinValueValidator(1), MaxValueValidator(600)],
        help_text=_("Seconds per call."),
    )
    result_limit = models.PositiveIntegerField(
        _("result limit"),
        default=20_000,
        validators=[MinValueValidator(100), MaxValueValidator(200_000)],
        help_text=_("Maximum characters per result."),
    )

    state = models.CharField(
        _("state"), max_length=7, choices=SessionState, default=SessionState.WAITING, editable=False
    )
    said = models.CharField(_("error"), max_length=300, blank=True, editable=False)
    listing = models.JSONField(default=no_listing, editable=False)
    answered = models.DateTimeField(_("last answer"), null=True, editable=False)

    class Meta:
        ordering = ["slug"]
        verbose_name = _("MCP server")
        verbose_name_plural = _("MCP servers")

    def __str__(self) -> str:
        return self.name

    def clean(self) -> None:
        check_server(self.transport, self.command, self.url)

    @property
    def shown_state(self) -> str:
        return str(self.get_state_display() if self.enabled else _("disabled"))

    def needs_approval(self, tool: Mapping[str, Any]) -> bool:
        """Whether a listed tool needs approval. Older listings don't say which tools only read."""
        if self.asks == ApprovalNeed.UNLESS_READING:
            return not tool.get("reads_only", False)
        return self.asks == ApprovalNeed.ALWAYS

    @property
    def selection(self) -> str:
        """The entry in a template's list of tools that stands for all tools of the server."""
        return PREFIX + self.slug
