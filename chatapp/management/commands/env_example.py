"""Print `.env.example`: `manage.py env_example > .env.example`."""

from itertools import groupby
from operator import attrgetter
from textwrap import wrap
from typing import Any

from django.core.management.base import BaseCommand

from chatapp.env.variables import VARIABLES, Variable

INTRODUCTION = """\
# Every variable that Vitrine reads. Copy this file to .env, and take the # away from what you set.
# What the process was started with is stronger than the file; an empty variable is unset.
# This file is made by `manage.py env_example` from the table in chatapp/env/variables.py.
"""


class Command(BaseCommand):
    help = "Print .env.example from the table of variables."

    def handle(self, *args: Any, **options: Any) -> None:
        self.stdout.write(render(), ending="")


def render() -> str:
    groups = groupby(VARIABLES, key=attrgetter("group"))
    return INTRODUCTION + "".join(_group(title, list(members)) for title, members in groups)


def _group(title: str, members: list[Variable]) -> str:
    return f"\n\n# ---- {title} ----\n" + "".join(map(_entry, members))


def _entry(variable: Variable) -> str:
    local = f" In local mode: {variable.local}." if variable.local is not None else ""
    meaning = "\n".join(f"# {line}" for line in wrap(f"{variable.help}{local}", 96))
    return f"\n{meaning}\n#{variable.name}={variable.default}\n"
