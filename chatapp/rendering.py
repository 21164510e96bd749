"""The HTML that the server pushes: the very templates that a page is made of."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from django.template.loader import render_to_string

from chatapp.pages import tools
from chatapp.pages.bubbles import Answer, Said, bubbles
from chatapp.pages.delegations import address
from chatapp.pages.hand_overs import hand_over
from chatapp.pages.switchers import switcher_at
from chatapp.pages.window import cut_of, gauge_of, panel_query
from history.core.plan import Plan
from history.models import ContextPlan, Conversation, Generation, Message
from history.services.appending import head_of


def render_started(generation: Generation, user_message: Message | None) -> str:
    """The user's message, if it is shown anew, with the empty answer under it."""
    if user_message is None:
        return _answer(Answer(_next_position(generation), generation.turn, generation))
    switcher = switcher_at(generation, user_message.position)
    said = render_to_string("chat/said.html", {"said": Said(user_message, switcher)})
    return said + _answer(Answer(user_message.position + 1, generation.turn, generation))


def render_cut_line(conversation: Conversation, plan: ContextPlan) -> str:
    """The cut line, if there is one, and the gauge at the composer."""
    url = panel_query(plan.generation.snapshot.get("query", ""))
    read = Plan.from_dict(plan.plan)
    context = {"cut": cut_of(read, url), "gauge": gauge_of(read, url)}
    return render_to_string("chat/plan.html", context)


def render_calls(calls: Sequence[dict[str, Any]], generation: Generation | None = None) -> str:
    """Cards of calls that are being run; each call has id, name and arguments."""
    cards = (replace(tools.pending(call), asked=address(generation, call)) for call in calls)
    return "".join(render_to_string("chat/tool.html", {"card": card}) for card in cards)


def render_result(message: Message, call: dict[str, Any]) -> str:
    """The card of a call with its result; it takes the place of the one that was waiting. A
    hand-over is a line.
    """
    if moved := hand_over(message):
        return render_to_string("chat/hand_over.html", {"hand_over": moved})
    card = replace(tools.answered(call, message), asked=address(message.generation, call))
    return render_to_string("chat/tool.html", {"card": card})


def render_answer(generation: Generation) -> str:
    """The whole answer, from what is stored."""
    messages = list(generation.messages.order_by("position"))
    if not messages:
        return _answer(Answer(_next_position(generation), generation.turn, generation))
    for message in messages:
        message.generation = generation
    (answer,) = bubbles(messages)
    return _answer(replace(answer, switcher=switcher_at(generation, answer.position)))


def _next_position(generation: Generation) -> int:
    head = head_of(generation.branch)
    return head.position + 1 if head else 0


def _answer(answer: Said | Answer) -> str:
    return render_to_string("chat/answer.html", {"answer": answer})
