"""What Vitrine consists of: its version, and the libraries that it uses."""

import re
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from importlib.metadata import PackageMetadata, PackageNotFoundError, metadata

from django.conf import settings
from django.templatetags.static import static

LONGEST = 40  # A licence field with 40 characters or more is a whole text, not a licence's name.
NAME = re.compile(r"[A-Za-z0-9_.-]+")


@dataclass(frozen=True, slots=True)
class Library:
    """A library. `address` leads to its licence, if that is served here."""

    name: str
    version: str
    licence: str
    address: str = ""


def version() -> str:
    return str(_project()["version"])


def vendored() -> tuple[Library, ...]:
    """The third-party scripts that are served to browsers."""
    return (Library("htmx", "4.0.1", "0BSD", static("vendor/htmx-LICENSE.txt")),)


@cache
def libraries() -> tuple[Library, ...]:
    """Return Vitrine's direct dependencies, with the versions that are installed."""
    names = [match[0] for each in _project()["dependencies"] if (match := NAME.match(each))]
    return tuple(_installed(sorted(names, key=str.lower)))


def _installed(names: list[str]) -> Iterator[Library]:
    for name in names:
        try:
            package = metadata(name)
        # A dependency that is not installed is not required on this system.
        except PackageNotFoundError:
            continue
        yield Library(package["Name"], package["Version"], _licence(package))


def _licence(package: PackageMetadata) -> str:
    """Read a package's licence: its expression or name, or else what its classifiers say."""
    fields = [name for name in ("License-Expression", "License") if name in package]
    line = package[fields[0]].strip().partition("\n")[0] if fields else ""
    if line and len(line) < LONGEST:
        return line
    licenses = [each for each in package.get_all("Classifier", []) if each.startswith("License ::")]
    return ", ".join(each.rpartition(" :: ")[2] for each in licenses)


@cache
def _project() -> dict[str, list[str]]:
    with (settings.BASE_DIR / "pyproject.toml").open("rb") as file:
        project: dict[str, list[str]] = tomllib.load(file)["project"]
    return project
