"""Convert AgentDock's `template.json` to our values, and list what has no counterpart."""

from collections.abc import Iterator, Mapping
from typing import Any

from agents.tools import TOOLS

MODEL_NODE = "llm."  # Begins a model node's name; the provider's name follows, as in litellm.
FORM = "version"  # A field that describes the file, not the agent.
FIELDS = {  # AgentDock's fields, with our fields of the same meaning.
    "agentId": "slug",
    "name": "name",
    "description": "description",
    "isEnabled": "enabled",
}
OPTIONS = {"temperature": "temperature", "maxTokens": "output_limit"}  # Options of a model node.
SETTINGS = {"historyPolicy": "policy", "historyLength": "length"}
COMPOUND = {"personality", "nodes", "modules", "nodeConfigurations", "chatSettings", FORM}


def is_template(content: object) -> bool:
    return isinstance(content, Mapping) and "agentId" in content


def converted(content: Mapping[str, Any]) -> dict[str, Any]:
    """Convert a file's fields to ours. Their types are checked later, as for any file.

    Raise ValueError for a part without the shape that AgentDock gives it.
    """
    values = _renamed(content, FIELDS)
    if "personality" in content:
        values["system_prompt"] = _joined(content["personality"])
    if tools := _tools(content):
        values["tools"] = [name for name in tools if name in TOOLS]
    values |= _model(content)
    chat = _part(content, "chatSettings", {})
    if settings := _renamed(chat, SETTINGS):
        values["history_settings"] = settings
    if "chatPrompts" in chat:
        values["starters"] = "\n".join(_one_line(text) for text in _part(chat, "chatPrompts", []))
    return values


def without_counterpart(content: Mapping[str, Any]) -> Iterator[str]:
    """Yield every part that `converted` leaves out, by its path in the file."""
    yield from _others("", content, FIELDS.keys() | COMPOUND)
    yield from (f"node {_one_line(n)}: unknown tool" for n in _tools(content) if n not in TOOLS)
    node, *further = _models(content) or [""]
    yield from (f"node {name}: the agent's model comes from {node}" for name in further)
    for name, options in _part(content, "nodeConfigurations", {}).items():
        names = {"model", *OPTIONS} if name == node else set()
        yield from _others(f"nodeConfigurations.{_one_line(name)}.", options, names)
    chat = _part(content, "chatSettings", {})
    yield from _others("chatSettings.", chat, {"chatPrompts", *SETTINGS})


def _models(content: Mapping[str, Any]) -> list[str]:
    """Return the nodes that are models; an agent here uses only the first."""
    nodes = [*_nodes(content), *_part(content, "nodeConfigurations", {})]
    return [name for name in dict.fromkeys(map(str, nodes)) if name.startswith(MODEL_NODE)]


def _tools(content: Mapping[str, Any]) -> list[str]:
    return [name for name in _nodes(content) if not name.startswith(MODEL_NODE)]


def _nodes(content: Mapping[str, Any]) -> list[str]:
    """Return the nodes, which older files call modules."""
    parts = [*_part(content, "nodes", []), *_part(content, "modules", [])]
    return list(dict.fromkeys(map(str, parts)))


def _model(content: Mapping[str, Any]) -> dict[str, Any]:
    for name in _models(content)[:1]:
        options = _part(_part(content, "nodeConfigurations", {}), name, {})
        values = _renamed(options, OPTIONS)
        if model := options.get("model"):
            values["model"] = f"{name.removeprefix(MODEL_NODE)}/{model}"
        return values
    return {}


def _part(source: Mapping[str, Any], name: str, missing: Any) -> Any:
    value = source.get(name, missing)
    if not isinstance(value, type(missing)):
        raise ValueError(f"{name}: must be a {'list' if missing == [] else 'JSON object'}")
    return value


def _renamed(source: Mapping[str, Any], names: Mapping[str, str]) -> dict[str, Any]:
    return {ours: source[theirs] for theirs, ours in names.items() if theirs in source}


def _others(prefix: str, source: object, names: set[str]) -> Iterator[str]:
    for name in source if isinstance(source, Mapping) else ():
        if name not in names:
            yield f"{prefix}{_one_line(name)}"


def _joined(personality: Any) -> Any:
    """Join a list to a text with one line per item, as AgentDock does."""
    is_list = isinstance(personality, list) and all(isinstance(line, str) for line in personality)
    return "\n".join(personality) if is_list else personality


def _one_line(text: object) -> str:
    return " ".join(str(text).split())
