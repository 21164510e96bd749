"""The content of an answer's events: the page's HTML, and data for scripts.

Every function here runs in a database thread; the event loop only passes on what it returns.
"""

from collections.abc import Sequence
from copy import copy
from dataclasses import asdict
from time import time
from typing import Any

from chatapp.transcript import fragments
from history.core.transcript.messages import Role, ToolCall
from history.models import ContextPlan, Generation, GenerationStatus
from history.services.answers.approval_log import approvals_of
from history.services.explain.lookup import last_sent
from history.services.path.appending import head_of
from history.services.path.reading import messages_of, user_message_of
from history.services.wire.delivery import has_left


def started(generation: Generation) -> dict[str, Any]:
    """Show the user's message with the empty answer below it. A continued answer has no user's
    message; instead it has `before`, the block in which the answer above was broken off.
    """
    if generation.kind == Generation.Kind.CONTINUE:
        head = head_of(generation.branch)
        html = fragments.render_started(generation, None)
        base = head.position if head else -1
        before = fragments.broken_off(generation)
        return {"html": html, "client_msg_id": None, "base": base, "before": before}
    message = generation.question or user_message_of(generation.branch, generation.turn)
    client_msg_id = message.client_msg_id if message else None
    return {
        "html": fragments.render_started(generation, message),
        "client_msg_id": str(client_msg_id) if client_msg_id else None,
        "base": message.position - 1 if message else -1,
    }


def planned(generation: Generation, record: ContextPlan) -> dict[str, Any]:
    """Show the plan's cut line and its gauge, and link to the panel that shows the plan."""
    return {
        "step": record.step,
        "asked": round(time() * 1000),
        "html": fragments.render_cut_line(record),
        "url": _panel_of(generation, record),
    }


def _panel_of(generation: Generation, record: ContextPlan) -> str:
    where = f"/chat/{generation.conversation_id}/panel"
    return f"{where}?generation={generation.pk}&step={record.step}"


def call_cards(generation: Generation, calls: Sequence[ToolCall]) -> dict[str, Any]:
    """Show calls that have no result yet."""
    rows = [asdict(call) for call in calls]
    return {"html": fragments.render_calls(rows, generation, approvals_of(generation))}


def call_card(generation: Generation, call_id: str) -> dict[str, Any]:
    """Show a call as it is now."""
    return {"call": call_id, "html": fragments.render_card(generation, call_id)}


def waiting(generation: Generation) -> dict[str, Any]:
    """Show the answer while it waits for a person."""
    waiting = copy(generation)
    waiting.status = GenerationStatus.WAITING
    return {"html": fragments.render_answer(waiting, messages_of(waiting))}


def ended(generation: Generation) -> dict[str, Any]:
    """Show the answer in its final form; if its last request was not sent, also what was."""
    messages = messages_of(generation)
    return {
        **_sent_instead(generation),
        "status": generation.status,
        "html": fragments.render_answer(generation, messages),
        "words": sum(len(m.text.split()) for m in messages if m.role == Role.ASSISTANT),
    }


def _sent_instead(generation: Generation) -> dict[str, Any]:
    """Show the last request that was sent or, if none was, say so at the composer. Empty if the
    newest request was sent, for then it is shown already.
    """
    if generation.status == GenerationStatus.DONE:
        return {}  # Something was answered.
    record = generation.plans.select_related("outcome").order_by("step").last()
    if record is None or has_left(record):
        return {}
    record.generation = generation
    sent_plan = last_sent(record)
    plan = fragments.render_cut_line(sent_plan, has_left=has_left(sent_plan))
    address = {} if sent_plan is record else {"url": _panel_of(generation, sent_plan)}
    return {"plan": plan, **address}
