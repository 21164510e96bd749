"""Read YAML and JSON strictly: a name that occurs twice is an error, so that no value is lost."""

import json
from collections.abc import Hashable, Mapping
from pathlib import Path
from typing import Any

import yaml

from history.core.words.json_text import read_json

SUFFIXES: Mapping[str, str] = {".yaml": "yaml", ".yml": "yaml", ".json": "json"}
MERGE = "tag:yaml.org,2002:merge"  # The key `<<`; keys beside it override the values it merges.
ODD_LINE_ENDS = "\x85\u2028\u2029"
LINE = 100  # The longest line of YAML; longer texts are folded.


def format_of(path: Path) -> str:
    """Return `yaml` or `json`, by the file's name. Raise ValueError for any other ending."""
    try:
        return SUFFIXES[path.suffix.lower()]
    except KeyError:
        raise ValueError(f"the name must end in {', '.join(SUFFIXES)}") from None


def parse(text: str, format_name: str) -> object:
    """Parse a file. A ValueError names the line of the fault."""
    try:
        if format_name == "json":
            return read_json(text, each_name_once=True)
        return yaml.load(text, Loader=_Loader)
    except yaml.YAMLError as error:
        raise ValueError(f"is not YAML: {' '.join(str(error).split())}") from error
    except RecursionError as error:
        raise ValueError("is nested too deeply") from error


def written(document: object, format_name: str) -> str:
    """Write a value. The same value gives the same text, so that files can be compared."""
    if format_name == "json":
        return json.dumps(document, indent=2, ensure_ascii=False) + "\n"
    return yaml.dump(document, Dumper=_Dumper, sort_keys=False, allow_unicode=True, width=LINE)


class _Loader(yaml.SafeLoader):
    """PyYAML's safe loader, but it refuses repeated names instead of keeping the last value."""

    def construct_mapping(self, node: yaml.MappingNode, deep: bool = False) -> dict[Hashable, Any]:  # noqa: FBT001, FBT002 -- the overridden signature
        keys = [key for key, _ in node.value if key.tag != MERGE]
        names = [self.construct_object(key, deep=True) for key in keys]
        for number, name in enumerate(names):
            if name in names[:number]:
                where = keys[number].start_mark
                raise yaml.constructor.ConstructorError(None, None, f"{name!r} twice", where)
        return super().construct_mapping(node, deep)


class _Dumper(yaml.SafeDumper):
    """Writes texts of several lines readably; every list is indented under its name."""

    def increase_indent(self, flow: bool = False, indentless: bool = False) -> None:  # noqa: FBT001, FBT002 -- the overridden signature
        super().increase_indent(flow, False)  # noqa: FBT003

    def ignore_aliases(self, data: object) -> bool:
        """Write repeated values in full, not as YAML aliases, because people read the files."""
        return True


def _text_node(dumper: _Dumper, text: str) -> yaml.ScalarNode:
    return dumper.represent_scalar("tag:yaml.org,2002:str", text, style=_style(text))


def _style(text: str) -> str | None:
    r"""Choose how a text is quoted: PyYAML would read unusual line ends as `\n` without quotes."""
    if any(end in text for end in ODD_LINE_ENDS):
        return '"'
    return "|" if "\n" in text else None


_Dumper.add_representer(str, _text_node)
