"""Find an agent's present MCP tools in its servers' stored listings: no turn waits for a server."""

from collections.abc import Iterable, Iterator, Mapping, Sequence

from agents.mcp.listing import MOST_TOOLS
from agents.mcp.models import PREFIX, McpServer, SessionState
from agents.mcp.offer import NO_OFFER, Offer, OfferedTool
from agents.tools import Audience
from history.core.words.facts import Note, Rule, note, warning


def selections(names: Iterable[str]) -> list[str]:
    """Return the servers' slugs among the names of a template's tools."""
    return [name.removeprefix(PREFIX) for name in names if name.startswith(PREFIX)]


def without_servers(names: Iterable[str]) -> list[str]:
    return [name for name in names if not name.startswith(PREFIX)]


def offer_for(names: Sequence[str], audience: Audience) -> Offer:
    """Return the tools of the servers that a template names, for this audience."""
    slugs = selections(names)
    if not slugs:
        return NO_OFFER
    servers = {server.slug: server for server in McpServer.objects.filter(slug__in=slugs)}
    notes = list(_notes(slugs, servers, audience))
    usable = [servers[s] for s in slugs if s in servers and not _fault(servers[s], audience)]
    tools = [tool for server in usable for tool in _tools(server)]
    if len(tools) > MOST_TOOLS:
        notes.append(note(Rule.TOO_MANY_TOOLS, count=len(tools), most=MOST_TOOLS))
    return Offer(tuple(tools[:MOST_TOOLS]), tuple(notes))


def _notes(
    slugs: Sequence[str], servers: Mapping[str, McpServer], audience: Audience
) -> Iterator[Note]:
    for slug in slugs:
        if slug not in servers:
            yield warning(Rule.SERVER_UNKNOWN, slug=slug)
        elif fault := _fault(servers[slug], audience):
            yield warning(Rule.SERVER_LEFT_OUT, name=servers[slug].name, **fault)


def _fault(server: McpServer, audience: Audience) -> dict[str, str]:
    """Say why the server's tools are not offered; empty if they are."""
    if not server.enabled:
        return {"why": "disabled"}
    if audience < server.audience:
        return {"why": Audience(server.audience).name.lower()}
    if server.state == SessionState.FAILED:
        return {"why": "silent", "said": server.said}
    if not server.listing["tools"]:
        return {"why": "empty" if server.answered else "waiting"}
    return {}


def _tools(server: McpServer) -> Iterator[OfferedTool]:
    for tool in server.listing["tools"]:
        own = {name: value for name, value in tool.items() if name != "reads_only"}
        yield OfferedTool(server=server.slug, needs_approval=server.needs_approval(tool), **own)
