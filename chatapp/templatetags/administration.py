"""The administration's lists, each with a sentence, in the order in which people need them."""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from django import template
from django.utils.translation import gettext_lazy as _

if TYPE_CHECKING:
    from django_stubs_ext import StrOrPromise

register = template.Library()

EXPLAINED: Mapping[str, "StrOrPromise"] = {
    "AgentTemplate": _("Who answers: the model, its prompt, its tools and what it remembers."),
    "Network": _("Groups of agents that hand a chat over to each other."),
    "Provider": _("The servers that models run on, with their addresses and keys."),
    "SiteDefaults": _("What agents remember, unless their own pages say otherwise."),
    "McpServer": _("Programs and servers that give agents more tools."),
    "KnownModel": _("Prices and limits of models, where the built-in list is wrong or lacks them."),
    "User": _("Everybody who can sign in, with their rights, and links for a new password."),
    "Group": _("Sets of rights to give to several people."),
    "Conversation": _("Every chat, with its owner and agent. A chat can be deleted here."),
    "Message": _("What was said in the chats, message by message."),
    "Generation": _("Each answer that an agent wrote or began: when, and how it ended."),
    "ContextPlan": _("What each request to a model contained, what it left out, and why."),
    "TokenCalibration": _("How each model counts tokens, compared with Vitrine's own count."),
    "Viewing": _("Which staff looked at whose chat, and when."),
}


@register.filter
def explained(apps: Sequence[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """Return the apps with their lists in order; each list has its sentence as `explained`."""
    order = list(EXPLAINED)

    def place(row: Mapping[str, Any]) -> int:
        name = row["object_name"]
        return order.index(name) if name in order else len(order)

    return [
        {
            **app,
            "models": [
                {**row, "explained": EXPLAINED.get(row["object_name"], "")}
                for row in sorted(app["models"], key=place)
            ],
        }
        for app in apps
    ]
