"""The HTML that the server sends to open tabs, made by the same templates as the page."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from django.template.loader import render_to_string

from chatapp.transcript import tool_cards
from chatapp.transcript.branches import switcher_at, switcher_to
from chatapp.transcript.bubbles import Answer, bubbles
from chatapp.transcript.cut_line import cut_of, gauge_of, panel_query
from chatapp.transcript.hand_overs import hand_over
from chatapp.transcript.joining import linked
from chatapp.transcript.summary_line import undoable_summary
from chatapp.transcript.tool_cards import with_delegation
from chatapp.transcript.user_message import UserMessage
from history.models import Branch, ContextPlan, Generation, GenerationStatus, Message
from history.services.answers.approval_log import NO_APPROVALS, ByCall, approvals_in, approvals_of
from history.services.answers.delegating import hindered_in
from history.services.explain.filtered_calls import removed_calls
from history.services.path.appending import head_of
from history.services.path.reading import turn_messages


def render_started(generation: Generation, user_message: Message | None) -> str:
    """Render the user's message, if it must be shown again, and the empty answer below it."""
    if user_message is None:
        return _answer(_joined(Answer(_next_position(generation), generation.turn, generation)))
    switcher = switcher_at(generation, user_message.position)
    html = render_to_string("chat/said.html", {"said": UserMessage(user_message, switcher)})
    return html + _answer(Answer(user_message.position + 1, generation.turn, generation))


def render_cut_line(record: ContextPlan, *, has_left: bool = True) -> str:
    """Render the cut line, if there is one, and the gauge at the composer."""
    url = panel_query(record.generation.snapshot.get("query", ""))
    gauge = gauge_of(record.core_plan, url, has_left=has_left)
    cut = cut_of(record.core_plan, url, removed_calls(record), undoable_summary(record))
    context = {"cut": cut, "gauge": gauge}
    return render_to_string("chat/plan.html", context)


def render_calls(
    calls: Sequence[dict[str, Any]],
    generation: Generation | None = None,
    approvals: ByCall = NO_APPROVALS,
) -> str:
    """Render the cards of calls that run or wait for approval; a call has id, name, arguments."""
    running = GenerationStatus.RUNNING
    cards = [
        with_delegation(
            tool_cards.card_of(call, None, approvals.get(call["id"]), running), generation, call
        )
        for call in calls
    ]
    return "".join(render_to_string("chat/tool.html", {"card": card}) for card in cards)


def render_card(generation: Generation, call_id: str) -> str:
    """Render the card of a call in its present state, which replaces the card on the page.

    A hand-over has a line instead of a card.
    """
    messages = list(generation.messages.order_by("-position"))
    result = next((m for m in messages if m.tool_call_id == call_id), None)
    if result and (moved := hand_over(result)):
        return render_to_string("chat/hand_over.html", {"hand_over": moved})
    call = next(call for m in messages for call in m.tool_calls if call["id"] == call_id)
    approval = approvals_of(generation).get(call_id)
    card = tool_cards.card_of(call, result, approval, generation.status)
    card = with_delegation(card, generation, call, hindered_in(messages))
    return render_to_string("chat/tool.html", {"card": card})


def render_answer(generation: Generation, messages: Sequence[Message]) -> str:
    """Render the whole answer, from the stored messages of its generation."""
    if not messages:
        return _answer(Answer(_next_position(generation), generation.turn, generation))
    (answer,) = bubbles(messages, approvals=approvals_in(messages))
    assert isinstance(answer, Answer)
    return _answer(_joined(replace(answer, switcher=switcher_at(generation, answer.position))))


def render_switcher(branch: Branch) -> str:
    """Render the switcher that the newest branch needs on the open one; empty if it needs none."""
    if (place := switcher_to(branch)) is None:
        return ""
    context = {"position": place[0], "switcher": place[1]}
    return render_to_string("chat/switcher.html", context)


def broken_off(generation: Generation) -> str:
    """Return the block in which the answer above was broken off, if this answer continues it."""
    return _joined(Answer(_next_position(generation), generation.turn, generation)).before


def _joined(answer: Answer) -> Answer:
    if not (answer.generation and answer.is_continued):
        return answer
    turn = turn_messages(answer.generation.branch, answer.turn)
    above = [message for message in turn if message.position < answer.position]
    (*_, last) = linked([*bubbles(above), answer])
    assert isinstance(last, Answer)
    return last


def _next_position(generation: Generation) -> int:
    head = head_of(generation.branch)
    return head.position + 1 if head else 0


def _answer(answer: UserMessage | Answer) -> str:
    return render_to_string("chat/answer.html", {"answer": answer})
