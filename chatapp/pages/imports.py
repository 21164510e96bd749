"""The dialog in which people import chats: it takes a file, then shows progress and result."""

from contextlib import suppress
from typing import Any
from uuid import UUID

from django.conf import settings
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render
from django.urls import reverse
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from chatapp.imports.receiving import receive
from chatapp.imports.report import report_of
from chatapp.imports.undoing import redo, undo
from chatapp.limits.spending import TooMany
from chatapp.pages.beginning import offered
from chatapp.pages.guard import chatting
from chatapp.pages.telling import show_list_again
from history.models import UNFINISHED, Import
from history.services.access import Actor
from history.services.errors import Conflict, NotFound, Refused
from history.services.imports import lifecycle
from history.services.imports.undoing import fruitful, fruitless

PAGE = 10  # The most earlier imports shown at once.
FRUITLESS = 20  # How many of the imports that brought no chats are shown.


@require_http_methods(["GET", "HEAD", "POST"])
@chatting
def imports(request: HttpRequest, actor: Actor) -> HttpResponse:
    """Show the dialog or more of its list, or receive a file. A refusal has status 200, because
    browsers log any other status as an error.
    """
    if not settings.IMPORTS:
        raise NotFound("imports")
    if request.method == "POST":
        return _received(request, actor)
    jobs = lifecycle.imports_of(actor)
    earlier = _earlier(jobs, _number(request.GET.get("from", ""), 0))
    if "from" in request.GET:
        return render(request, "imports/earlier.html", earlier)
    nothing = fruitless(jobs.exclude(state__in=UNFINISHED))
    unfinished = jobs.filter(state__in=UNFINISHED).first()
    offers = offered()
    context = {
        **earlier,
        "agents": offers.agents,
        "networks": offers.networks,
        "current": unfinished and report_of(unfinished, noteworthy=True),
        "fruitless": [report_of(job, noteworthy=True) for job in nothing[:FRUITLESS]],
        "may_instruct": actor.is_staff,
    }
    return render(request, "imports/dialog.html", context)


def _earlier(imports: QuerySet[Import], start: int) -> dict[str, Any]:
    """Return a page of imports that can still be undone, and where the next page starts, if any."""
    ended = fruitful(imports.exclude(state__in=UNFINISHED))
    jobs = list(ended[start : start + PAGE + 1])
    reports = [report_of(job, noteworthy=True) for job in jobs[:PAGE]]
    return {"earlier": reports, "next": start + PAGE if len(jobs) > PAGE else None}


def _number(text: str, default: int) -> int:
    is_number = text.isascii() and text.isdecimal() and len(text) <= 9
    return int(text) if is_number else default


@require_safe
@chatting
def one_import(request: HttpRequest, actor: Actor, job: UUID) -> HttpResponse:
    """Show how far an import has come, and its result."""
    return _report(request, lifecycle.access_import(actor, job))


@require_safe
@chatting
def imported_chats(request: HttpRequest, actor: Actor, job: UUID) -> HttpResponse:
    """Show a page of an import's chats: those whose numbers are above `after` in the query."""
    after = _number(request.GET.get("after", ""), -1)
    accessed = lifecycle.access_import(actor, job)
    is_noteworthy = request.GET.get("noteworthy") == "1"
    report = report_of(accessed, after, noteworthy=is_noteworthy)
    return render(request, "imports/chats.html", {"report": report, "noteworthy": is_noteworthy})


@require_POST
@chatting
def stop_import(request: HttpRequest, actor: Actor, job: UUID) -> HttpResponse:
    return _report(request, lifecycle.stop(actor, job))


@require_POST
@chatting
def undo_import(request: HttpRequest, actor: Actor, job: UUID) -> HttpResponse:
    undo(actor, job, continued="continued" in request.POST)
    return _report(request, lifecycle.access_import(actor, job))


@require_POST
@chatting
def redo_import(request: HttpRequest, actor: Actor, job: UUID) -> HttpResponse:
    """Restore an import's chats, and show which ones are back; for some it may be too late."""
    with suppress(Conflict):
        redo(actor, job)
    show_list_again(actor)
    return _report(request, lifecycle.access_import(actor, job))


def _received(request: HttpRequest, actor: Actor) -> HttpResponse:
    if actor.is_nobody:
        raise NotFound("page")
    agent = request.POST.get("agent", "")
    choices = {"instructs": "instructions" in request.POST, "copies": "copies" in request.POST}
    try:
        job = receive(actor, request.FILES, agent, **choices)
    except TooMany:
        raise
    except Refused as refusal:
        return JsonResponse({"refused": refusal.message, "code": refusal.code})
    return JsonResponse({"address": reverse("import", args=[job.pk])}, status=201)


def _report(request: HttpRequest, job: Import) -> HttpResponse:
    """Render an import's report. At the import's end, the page also reloads the list of chats."""
    context = {"report": report_of(job, noteworthy=True)}
    answer = render(request, "imports/report.html", context)
    if not job.is_unfinished:
        answer["HX-Trigger"] = "chat:list"
    return answer
