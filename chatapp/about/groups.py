"""The list of documents, grouped by what a reader wants to know. The search ranks by group, too."""

from dataclasses import dataclass
from typing import TYPE_CHECKING

from django.utils.translation import gettext_lazy as _

from chatapp.about.documents import Document, documents

if TYPE_CHECKING:
    from django_stubs_ext import StrOrPromise


@dataclass(frozen=True, slots=True)
class Group:
    """A group of documents. The search multiplies their scores by `weight`, and lists the documents
    of groups that are not guides after all guides.
    """

    name: "StrOrPromise"
    names: tuple[str, ...]
    weight: float = 1
    is_guide: bool = True

    @property
    def documents(self) -> list[Document]:
        return [documents()[name] for name in self.names]


USING = ("README", "chats", "inspector", "history", "attachments", "export", "import")
RUNNING = ("operations", "scaling", "providers", "reasoning", "security")
EXTENDING = ("agents", "tools", "mcp", "networks", "extending")
CHANGING = ("first-change", "engine", "history/core/README", "testing")
DECIDED = ("architecture", "reliability")
LOOKED_UP = ("CONTEXT", "policies", "benchmarks", "pictures", "CHANGELOG", "LICENSE")
GROUPS = (
    Group(_("Using it"), USING, weight=1.2),
    Group(_("Running it"), RUNNING, weight=1.15),
    Group(_("Extending it"), EXTENDING),
    Group(_("Changing it"), CHANGING, weight=0.6),
    Group(_("Why it works this way"), DECIDED, weight=0.6),
    Group(_("Reference"), LOOKED_UP, is_guide=False),
)
# The document on the architecture links to all decisions.
DECISIONS = Group(_("Decisions"), (), is_guide=False)
LISTED = {name: group for group in GROUPS for name in group.names}


def group_of(document: Document) -> Group:
    return GROUPS[0] if document.name == "keys" else LISTED.get(document.name, DECISIONS)


def neighbours(document: Document) -> tuple[Document | None, Document | None]:
    """Return the documents before and after this one in the list, or among the decisions."""
    names = list(LISTED)
    if document.name not in LISTED:
        names = sorted(documents().keys() - LISTED.keys())
    place = names.index(document.name)
    before, after = names[:place][-1:], names[place + 1 :][:1]
    return _first(before), _first(after)


def _first(names: list[str]) -> Document | None:
    return documents()[names[0]] if names else None
