"""How to connect to an MCP server, with secrets from the environment."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from agents.mcp.fields import lines, pairs
from agents.mcp.models import McpServer, Transport

KEPT = ("PATH", "HOME")  # Variables of our environment that every child process gets.


class ConfigRefused(ValueError):
    """A server's configuration cannot be used; the message names what is missing."""


@dataclass(frozen=True, slots=True)
class ServerConfig:
    """How to reach a server: `command` starts a child process that gets only `environment`; without
    a command, `url` is called with `headers`.

    `timeout` is in seconds per call, `result_limit` in characters.
    """

    slug: str
    name: str
    command: tuple[str, ...] = ()
    environment: Mapping[str, str] = field(default_factory=dict, repr=False)
    url: str = ""
    headers: Mapping[str, str] = field(default_factory=dict, repr=False)
    only: tuple[str, ...] = ()
    timeout: float = 30.0
    result_limit: int = 20_000

    @property
    def secrets(self) -> list[str]:
        """The values that no log may show."""
        values = (value for name, value in self.environment.items() if name not in KEPT)
        return [*values, *self.headers.values()]


def config_of(server: McpServer, environment: Mapping[str, str]) -> ServerConfig:
    """Make the configuration. Raise `ConfigRefused` if a named environment variable is missing."""
    is_child = server.transport == Transport.STDIO
    headers = {} if is_child else pairs(server.headers)
    values = _values(environment, lines(server.variables) if is_child else headers.values())
    base = {name: environment[name] for name in KEPT if name in environment}
    return ServerConfig(
        slug=server.slug,
        name=server.name,
        command=(server.command, *lines(server.arguments)) if is_child else (),
        environment=base | values if is_child else {},
        url="" if is_child else server.url,
        headers={header: values[variable] for header, variable in headers.items()},
        only=tuple(lines(server.only)),
        timeout=server.timeout,
        result_limit=server.result_limit,
    )


def _values(environment: Mapping[str, str], names: Iterable[str]) -> dict[str, str]:
    variables = list(names)
    if missing := [name for name in variables if not environment.get(name)]:
        raise ConfigRefused(f"the environment variable {missing[0]} is not set")
    return {name: environment[name] for name in variables}
