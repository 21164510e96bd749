"""Read agents and networks from files, refusing any field of the wrong type."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from agents.files import agentdock
from agents.files.fields import PARTS, VERSION, Row, carried, fault
from agents.files.formats import format_of, parse
from agents.models import AgentTemplate
from history.core.words.wording import printable

SHAPE = (
    'must contain "version" and a list of "agents" or "networks", or be an AgentDock template.json'
)


class FilesRefused(Exception):
    """Nothing was imported. `messages` name the file, the agent and the field, where known."""

    def __init__(self, messages: Iterable[str]) -> None:
        self.messages = tuple(messages)
        super().__init__("\n".join(self.messages))


def refused(path: Path, *messages: str) -> FilesRefused:
    """Return the error that refuses one file as a whole."""
    return FilesRefused(f"{path}: {message}" for message in messages)


@dataclass(frozen=True, slots=True)
class FiledAgent:
    """The values that a file gives an agent or a network; `model` says which of the two it is.
    Fields that the file omits stay unchanged.

    `unused` lists the parts of the file that have no counterpart here.
    """

    path: Path
    values: Mapping[str, Any]
    unused: tuple[str, ...] = ()
    model: type[Row] = AgentTemplate

    @property
    def slug(self) -> str:
        return str(self.values["slug"])

    def complaint(self, field: str, message: str) -> str:
        what = "agent" if self.model is AgentTemplate else "network"
        where = f"{self.path}, {what} {printable(self.slug)}"
        return f"{where}, {printable(field)}: {message}" if field else f"{where}: {message}"


def read(paths: Iterable[Path]) -> list[FiledAgent]:
    """Read all files, in order. Raise `FilesRefused` with every fault in them."""
    read_so_far: list[FiledAgent] = []
    faults: list[str] = []
    for path in paths:
        try:
            agents = _filed_agents(path)
        except FilesRefused as error:
            faults += error.messages
        else:
            read_so_far += agents
            faults += [message for filed in agents for message in _faults(filed)]
    if faults := [*faults, *_repeated(read_so_far)]:
        raise FilesRefused(faults)
    return read_so_far


def _filed_agents(path: Path) -> list[FiledAgent]:
    content = _content(path)
    if agentdock.is_template(content):
        return [_agentdock(path, content)]
    return [
        FiledAgent(path, _with_slug(path, values), model=PARTS[part])
        for part, rows in _parts(path, content).items()
        for values in rows
    ]


def _agentdock(path: Path, content: Any) -> FiledAgent:
    try:
        values = agentdock.converted(content)
        return FiledAgent(
            path, _with_slug(path, values), tuple(agentdock.without_counterpart(content))
        )
    except ValueError as error:
        raise refused(path, str(error)) from error


def _with_slug(path: Path, values: Any) -> Mapping[str, Any]:
    if not isinstance(values, Mapping) or not isinstance(values.get("slug"), str):
        raise refused(path, f"agent {_brief(values)}: the slug must be text")
    return values


def _content(path: Path) -> object:
    try:
        format_name = format_of(path)
        return parse(path.read_text(encoding="utf-8-sig"), format_name)
    except UnicodeDecodeError as error:
        raise refused(path, "is not UTF-8; save it as UTF-8") from error
    except OSError as error:
        raise refused(path, f"cannot be read: {error.strerror}") from error
    except ValueError as error:
        raise refused(path, str(error)) from error


def _parts(path: Path, content: object) -> dict[str, list[Any]]:
    """Return the file's agents, then its networks, which consist of agents."""
    values = content if isinstance(content, Mapping) else {}
    parts = {part: values[part] for part in PARTS if part in values}
    if not parts or not all(isinstance(rows, list) for rows in parts.values()):
        raise refused(path, SHAPE)
    if others := values.keys() - {"version", *PARTS}:
        raise refused(path, f"{', '.join(map(str, others))}: unknown part; the file {SHAPE}")
    if values.get("version") != VERSION:
        raise refused(
            path, f"version={values.get('version')}: this release reads version {VERSION}"
        )
    return parts


def _faults(filed: FiledAgent) -> Iterator[str]:
    fields = carried(filed.model)
    for name, value in filed.values.items():
        if name not in fields:
            yield filed.complaint(str(name), f"unknown field; available: {', '.join(fields)}")
        elif message := fault(fields[name], value):
            yield filed.complaint(name, message)


def _repeated(agents: Iterable[FiledAgent]) -> Iterator[str]:
    first: dict[tuple[type[Row], str], Path] = {}
    for filed in agents:
        key = (filed.model, filed.slug)
        if key in first:
            yield filed.complaint("slug", f"already in {first[key]}; keep one of the two")
        first.setdefault(key, filed.path)


def _brief(values: object) -> str:
    name = values.get("name", values.get("slug")) if isinstance(values, Mapping) else values
    return printable(str(name))
