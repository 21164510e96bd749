"""Hide parts of a request that a reader may not see. Hidden text never leaves the server."""

from collections.abc import Mapping
from typing import Any

from django.utils.translation import gettext as _

from history.models import ContextPlan
from history.services.access import Actor
from history.services.explain.prompts import may_read_prompt
from history.services.explain.raw.request import RebuiltRequest, SentMessage
from history.services.explain.raw.wire import HIDDEN
from history.wording.names import injected_text


class Redaction:
    """Hides the prompts that the agent's author wrote, and everything of its tools except their
    names, from readers who may not see the prompt.
    """

    def __init__(self, actor: Actor, record: ContextPlan) -> None:
        self.applies = not may_read_prompt(actor, record)

    def hides(self, message: SentMessage) -> bool:
        return self.applies and message.is_private

    def message(self, message: SentMessage) -> Mapping[str, Any]:
        return {**message.content, "content": HIDDEN} if self.hides(message) else message.content

    def body(self, request: RebuiltRequest) -> dict[str, Any]:
        body = {**request.body, "messages": [self.message(message) for message in request.sent]}
        if self.applies and "tools" in body:
            body["tools"] = [
                {"type": tool["type"], "function": {"name": tool["function"]["name"]}}
                for tool in body["tools"]
            ]
        return body

    def sentence(self, request: RebuiltRequest) -> str:
        """Say which parts of a request are hidden; empty if none are."""
        parts = [injected_text(message.label) for message in request.sent if self.hides(message)]
        if self.applies and request.body.get("tools"):
            parts.append(_("the tools' descriptions and parameters"))
        hidden = _("Not shown to the chat's owner: {parts}.")
        return hidden.format(parts=_(" and ").join(parts)) if parts else ""
