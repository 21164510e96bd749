"""A tool's definition and error, and what a tool may know besides its arguments."""

import inspect
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

from django.db.models import IntegerChoices
from django.utils.translation import gettext_lazy as _

from agents.tools.arguments import Arguments, arguments_of, function_schema


class ToolError(Exception):
    """A tool refuses its arguments. The message is for the model, which may correct itself."""


class Audience(IntegerChoices):
    """The people who may use a tool; each number includes those of the higher numbers."""

    EVERYONE = 0, _("everyone")
    SIGNED_IN = 1, _("signed-in users")
    STAFF = 2, _("staff")


@dataclass(frozen=True, slots=True)
class FoundMessage:
    """A message of the conversation that a search found, with the part that matches."""

    turn: int
    who: str
    excerpt: str


# A search function. Its arguments are the query and the maximum number of messages to find.
Search: TypeAlias = Callable[[str, int], Sequence[FoundMessage]]


def search_nothing(query: str, most: int) -> Sequence[FoundMessage]:
    """Find nothing; this replaces the search if there is no conversation."""
    return ()


@dataclass(frozen=True, slots=True)
class ToolContext:
    """What a tool may know of its conversation: what kind of person is in it, and how to search it.

    `approved`: a person was asked about this very call, and agreed.
    """

    audience: Audience = Audience.EVERYONE
    search: Search = search_nothing
    approved: bool = False


@dataclass(frozen=True, slots=True)
class Tool:
    """A function that a model may call. `function` returns text, or raises ToolError.

    `timeout` is in seconds, applied by the caller, who runs the function in a thread;
    `result_limit` is in characters. A tool that `needs_approval` changes something outside: a
    person must approve each call.
    """

    name: str
    description: str
    function: Callable[..., str]
    arguments: Arguments
    timeout: float = 10.0
    result_limit: int = 20_000
    audience: Audience = Audience.EVERYONE
    needs_approval: bool = False

    @property
    def schema(self) -> dict[str, Any]:
        return function_schema(self.name, self.description, self.arguments.schema)

    def run(self, values: Mapping[str, Any], context: ToolContext) -> str:
        """Run the function; `values` have the types in its signature."""
        own = {"context": context} if self.arguments.takes_context else {}
        return self.function(**values, **own)


def tool(function: Callable[..., str], *, name: str = "", **traits: Any) -> Tool:
    """Make a tool of a function: its schema is the signature, its description the docstring.

    The model never supplies an argument called `context`: it gets the `ToolContext`.
    """
    description = " ".join((inspect.getdoc(function) or "").split("\n\n")[0].split())
    arguments = arguments_of(function)
    return Tool(name or function.__name__, description, function, arguments, **traits)
