"""Views of the zone "What-if": a try, a replay of the newest turns, and applying the settings."""

from typing import Any
from urllib.parse import parse_qsl
from uuid import UUID

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.views.decorators.http import require_POST, require_safe

from chatapp.inspector.cost import example
from chatapp.inspector.forms import RecordQueryForm, read
from chatapp.inspector.whatif import chart
from chatapp.inspector.whatif.asking import asking_line
from chatapp.inspector.whatif.cautions import cautions
from chatapp.inspector.whatif.experiments import experiments_of
from chatapp.inspector.whatif.form import WhatIfForm, values_of
from chatapp.inspector.whatif.present import present_key
from chatapp.inspector.whatif.result import WhatIfResult
from chatapp.inspector.whatif.taking import returns_of, take_back, to_conversation
from chatapp.limits.shared_places import PREDICTIONS
from chatapp.pages.guard import chatting, query_of_page
from history.core.words.errors import SettingError, SettingErrors
from history.models import ContextPlan, Conversation, Viewing
from history.services.access import Actor, access_conversation, may_see_cost
from history.services.explain.lookup import shown_plan
from history.services.settings.answerer import template_of
from history.services.settings.layers import refusal
from history.services.summaries.numbers import SummaryNumbers
from history.services.whatif.replaying import replayed
from history.services.whatif.revising import may_revise
from history.services.whatif.trying import (
    PlannedRequest,
    Variant,
    present,
    present_settings,
    recorded,
    try_variants,
)
from history.services.wire.delivery import has_left
from history.wording.faults import word_error
from history.wording.replays.address import whose_address

MOST = 4  # The most variants of a replay, besides the present settings.
TURNS = 50  # How many turns are replayed, unless the address says otherwise.
CHOICES = (20, 50, 200)


@require_safe
@chatting
def what_if(request: HttpRequest, actor: Actor, conversation: UUID) -> HttpResponse:
    """Show the request under the settings of the query."""
    chat = access_conversation(actor, conversation, reading=Viewing.Page.PANEL)
    record = record_of(request, chat)
    return render(request, "panel/whatif/result.html", tried_of(actor, record, request))


def tried_of(actor: Actor, record: ContextPlan, request: HttpRequest) -> dict[str, Any]:
    """Return what the result's template needs. Bad values are shown beside their fields."""
    planned = recorded(record)
    form = form_of(planned, request.GET)
    chat = record.generation.conversation
    context: dict[str, Any] = {"form": form, "conversation": chat, "record": record}
    if not form.is_valid():
        return context
    if not form.changes:
        return context | {"returns": returns_of(actor, chat, form, query_of_page(request) or "")}
    with PREDICTIONS.held(actor.person):
        as_it_is, other = try_variants(planned, [form.variant])
    context["result"] = WhatIfResult(
        *(as_it_is, other, may_see_cost(actor, chat), has_left(record)),
        output=planned.output,
        numbers=SummaryNumbers(chat.pk),
    )
    context["link"] = _link(request, record, form)
    context["kept"] = form.query_beside(values_of(*present_settings(chat)))
    context["cautions"] = cautions(form, other.settings, is_staff=actor.is_staff)
    context["is_own"] = actor.owns(chat) and not refusal(actor)
    if actor.owns(chat):
        context["asking"] = asking_line(actor, record, form)
    context["template"] = template_of(record) if may_revise(actor) else None
    return context


@require_safe
@chatting
def replay(request: HttpRequest, actor: Actor, conversation: UUID) -> HttpResponse:
    """Replay the newest turns under the present settings and up to four variants; each parameter
    `v` is a variant's query. With `brief`, show only the totals. They stand beside an advice, whose
    amounts end with the turn `advised`; say so if there are newer turns.
    """
    chat = access_conversation(actor, conversation, reading=Viewing.Page.PANEL)
    turns = request.GET.get("turns", str(TURNS))
    if turns not in map(str, CHOICES):
        raise Http404("turns: must be 20, 50 or 200.")
    now = present(chat)
    try:
        variants = _variants(request, now)
        with PREDICTIONS.held(actor.person):
            replays = [example.replayed(each) for each in replayed(chat, variants, int(turns))]
    except SettingError as error:
        raise Http404(word_error(error)) from error
    with_money = may_see_cost(actor, chat)
    examples = list(map(example.is_free, replays))
    is_mixed = any(examples) and not all(examples)
    is_brief = "brief" in request.GET
    context = {
        "replays": list(zip("ABCDE", replays, examples, strict=False)),
        "charts": [] if is_brief else chart.charts(replays, with_money=with_money and not is_mixed),
        "rows": [] if is_brief else chart.table(replays),
        "turns": min(int(turns), now.turn.number),
        "with_money": with_money,
        "priced_as": example.NAME if any(examples) else "",
        "is_mixed": is_mixed,
        "is_brief": is_brief,
        "advised": _before(request.GET.get("advised", ""), now.turn.number),
        "address": whose_address(now.turn.settings, query_of_page(request) or ""),
        "present": present_key(chat.pk),
    }
    return render(request, "panel/whatif/replay.html", context)


def _before(turn: str, newest: int) -> int | None:
    """Read the number of a turn before the newest; None for any other text."""
    return number if turn.isdecimal() and (number := int(turn[:9])) < newest else None


@require_safe
@chatting
def experiments(request: HttpRequest, actor: Actor, conversation: UUID) -> HttpResponse:
    """Show the experiments with a request's turn as they are now."""
    chat = access_conversation(actor, conversation, reading=Viewing.Page.PANEL)
    record = record_of(request, chat)
    context = {
        "experiments": experiments_of(record, with_money=may_see_cost(actor, chat)),
        "record": record,
        "conversation": chat,
        "is_recorded": not actor.owns(chat),
    }
    return render(request, "panel/whatif/experiments.html", context)


@require_POST
@chatting
def take(request: HttpRequest, actor: Actor, conversation: UUID) -> HttpResponse:
    """Apply the changed settings to this chat, starting with the next message, or undo that."""
    chat = access_conversation(actor, conversation)
    context: dict[str, Any] = {"conversation": chat}
    if before := request.POST.get("before"):
        context |= _taken_back(actor, chat, before)
        return render(request, "panel/whatif/taken.html", context | _present(chat))
    form = form_of(recorded(record_of(request, chat)), request.POST)
    query = query_of_page(request) or ""
    if not form.is_valid() or not (form.changes or returns_of(actor, chat, form, query)):
        return render(request, "panel/whatif/result.html", {"form": form})
    context["taken"] = to_conversation(actor, chat, form, query)
    return render(request, "panel/whatif/taken.html", context | _present(chat))


def _present(conversation: Conversation) -> dict[str, str]:
    """Return what marks the replays on the page that are of other settings."""
    return {"present": present_key(conversation.pk)}


def _taken_back(actor: Actor, conversation: Conversation, before: str) -> dict[str, Any]:
    try:
        return {"taken": take_back(actor, conversation, before)}
    except (ValueError, RecursionError, SettingErrors) as error:
        raise Http404("before: not what a chat's settings can be.") from error


def record_of(request: HttpRequest, conversation: Conversation) -> ContextPlan:
    return shown_plan(conversation, **read(RecordQueryForm(request.GET)))


def form_of(planned: PlannedRequest, query: Any) -> WhatIfForm:
    return WhatIfForm(planned.turn.settings, planned.turn.agent, query)


def _variants(request: HttpRequest, now: PlannedRequest) -> list[Variant]:
    """Read the variants. Raise Http404 for an invalid one: the page made them from a valid form."""
    forms = [form_of(now, dict(parse_qsl(text))) for text in request.GET.getlist("v")]
    if len(forms) > MOST:
        raise Http404(f"v: at most {MOST} settings side by side.")
    if not all(form.is_valid() for form in forms):
        raise Http404("v: these settings cannot be tried.")
    return [form.variant for form in forms]


def _link(request: HttpRequest, record: ContextPlan, form: WhatIfForm) -> str:
    """Link to the page that shows this try."""
    generation = record.generation
    page = reverse("turn", args=[generation.conversation_id, generation.turn])
    request_query = f"generation={generation.pk}&step={record.step}"
    return request.build_absolute_uri(f"{page}?{request_query}&{form.query}#what-if")
