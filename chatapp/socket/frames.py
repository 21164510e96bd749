"""The frames that answer a command."""

from uuid import UUID

from chatapp.limits.spending import TooMany
from chatapp.live.viewers import Frame
from history.services.answers.queueing import Ack
from history.services.errors import Refused


def error_frame(refusal: Refused, client_msg_id: str | None) -> Frame:
    """Return an error's frame. `seconds` says how long to wait before trying again."""
    seconds = {"seconds": refusal.seconds} if isinstance(refusal, TooMany) else {}
    answer = {"code": refusal.code, "message": refusal.message}
    return {"type": "error", "client_msg_id": client_msg_id, **answer, **seconds}


def ack_frame(ack: Ack, client_msg_id: UUID | None) -> Frame:
    return {
        "type": "ack",
        "client_msg_id": str(client_msg_id) if client_msg_id else None,
        "conversation": str(ack.conversation.pk),
        "generation": str(ack.generation.pk),
        "turn": ack.generation.turn,
        "position": ack.message.position if ack.message else None,
        "url": f"/chat/{ack.conversation.pk}",
    }
