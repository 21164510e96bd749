"""Put a short text before a request that would begin with the assistant: some providers require
that the user speaks first. No such opening is needed if a summary, or a text injected for the turn,
comes first anyway.
"""

from history.core.draft.draft import Draft
from history.core.plan.injected import OPENING, Injected
from history.core.projection.request import ProjectionRequest
from history.core.transcript.clamp import FRAME, Count
from history.core.transcript.messages import Message, Role, Unread
from history.core.transcript.segments import Segment

TEXT = "[What you see of this conversation begins with the assistant.]"


def reserve(draft: Draft, request: ProjectionRequest) -> int:
    """Reserve tokens for an opening if one may be needed, so that the budget has room for it.

    No opening is needed where every turn that is sent begins with its user message, whatever is
    cut.
    """
    greets = bool(draft.transcript) and _first_turn(draft.transcript[0]) == 0
    within = request.levels or request.settings.value("max_items")
    may = greets or within or _marks_part_turns(draft, request)
    return _tokens(request.count) if may and not request.summaries else 0


def put_opening(draft: Draft, injected: tuple[Injected, ...], count: Count) -> None:
    """Add the opening if, and only if, the first message sent is not the user's."""
    messages = draft.messages()
    first = next((m for m in messages if m.role is not Role.SYSTEM), None)
    if first is None or first.role is Role.USER:
        return
    has_turn = first.turn == messages[-1].turn
    if not any(_stands_ahead(text, has_turn=has_turn) for text in injected):
        note = Message(
            first.position,
            Role.USER,
            TEXT,
            turn=first.turn,
            tokens=_tokens(count),
            label=OPENING,
        )
        draft.live = (Segment((note,)), *draft.live)


def _marks_part_turns(draft: Draft, request: ProjectionRequest) -> bool:
    """Whether marks may separate a turn from its user message. Marked messages are always read."""
    if not (request.pins or request.exclusions):
        return False
    start = draft.first_current
    past = (part for part in draft.live if part.position < start)
    return any(_parts_its_turn(part, request) for part in past)


def _parts_its_turn(part: Segment, request: ProjectionRequest) -> bool:
    is_question = part.messages[0].role is Role.USER
    marked = request.exclusions if is_question else request.pins
    return any(message.position in marked for message in part.messages)


def _stands_ahead(text: Injected, *, has_turn: bool) -> bool:
    """Whether an injected user text precedes all messages. `has_turn`: the messages start in the
    current turn.
    """
    is_ahead = text.place == "start" or (text.place == "turn" and has_turn)
    return is_ahead and text.role is Role.USER


def _first_turn(item: Message | Unread) -> int:
    return item.first_turn if isinstance(item, Unread) else item.turn


def _tokens(count: Count) -> int:
    return FRAME + count(TEXT)
