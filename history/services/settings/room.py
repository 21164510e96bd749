"""Refuse a chat's new token budget if the tokens reserved for the answer use up all of it."""

from collections.abc import Mapping
from copy import copy
from typing import Any

from agents.effective import without_room
from agents.models import AgentTemplate
from history.core.words.errors import SettingErrors
from history.models import Conversation
from history.services.access import Actor
from history.services.settings.layers import changed_settings, resolve_settings

BUDGET = "token_budget"


def refuse_without_room(
    actor: Actor, conversation: Conversation, template: AgentTemplate, changes: Mapping[str, Any]
) -> None:
    """Raise `SettingErrors` if a change gives the chat a budget that leaves nothing for messages.

    The settings count as they would be after the change, because the reserve depends on them. A
    budget that stays the same is not checked, so that people can still save everything else.
    """
    after = copy(conversation)
    after.history_settings = changed_settings(conversation, changes)
    budget = after.history_settings.get(BUDGET)
    if budget in {None, conversation.history_settings.get(BUDGET)}:
        return
    if sentence := without_room(resolve_settings(template, actor, "", after)):
        raise SettingErrors({BUDGET: sentence})
