"""Send frames to open tabs from a view, although their viewers live in the event loop's thread."""

from collections.abc import Callable
from uuid import UUID

from asgiref.sync import async_to_sync

from chatapp.live.viewers import summary_frame, viewers
from history.services.access import Actor


def show_list_again(actor: Actor) -> None:
    """Make this person's open tabs load the list of chats again."""
    _in_loop(lambda: viewers.show_list(actor.person))


def reload(conversation: UUID) -> None:
    """Make every tab that shows the conversation load it again."""
    frame = {"type": "reload", "conversation": str(conversation)}
    _in_loop(lambda: viewers.show(conversation, frame))


def show_summaries_again(conversation: UUID) -> None:
    """Make every tab that shows the conversation ask again which summaries are in use."""
    _in_loop(lambda: viewers.show(conversation, summary_frame(conversation)))


def _in_loop(tell: Callable[[], None]) -> None:
    async def told() -> None:
        tell()

    async_to_sync(told)()
