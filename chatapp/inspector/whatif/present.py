"""The settings that a chat has now, as a key: a replay with another key is of earlier settings."""

import hashlib
import json
from uuid import UUID

from history.models import Conversation
from history.services.whatif.advising import basis_of
from history.services.whatif.trying import present_settings


def present_key(conversation: UUID) -> str:
    """Hash what the next message's request depends on besides the transcript. The chat's own
    settings count even where the newest message's address, with which a replay counts, overrides
    them: the page leaves that address when others are applied.
    """
    chat = Conversation.objects.get(pk=conversation)  # Its agent may have changed a moment ago.
    settings, agent = present_settings(chat)
    basis = basis_of(settings, agent.model, agent.processors)
    both = json.dumps([basis, chat.history_settings], sort_keys=True)
    return hashlib.sha256(both.encode()).hexdigest()[:16]
