"""Pages for shortcuts, Vitrine's components and its documents. None needs the network."""

from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.safestring import SafeString
from django.views.decorators.http import require_safe

from chatapp.about import parts
from chatapp.about.documents import SUPPLEMENTS, documents, page_of, supplements
from chatapp.about.groups import GROUPS, neighbours
from chatapp.about.keys import PLACES
from chatapp.about.searching import search
from chatapp.about.sections import contents_of
from chatapp.markdown.sanitise import add_copy_buttons

LONGEST = 100  # The most characters of a query.


@require_safe
def shortcuts(request: HttpRequest) -> HttpResponse:
    """Return the sheet of shortcuts as a fragment, which a page loads when somebody opens it."""
    return render(request, "about/shortcuts.html", {"places": PLACES})


@require_safe
def keys(request: HttpRequest) -> HttpResponse:
    """Show the shortcuts as a page of their own, to which search results link."""
    return render(request, "about/keys.html", {"places": PLACES, "groups": GROUPS, "is_keys": True})


@require_safe
def about(request: HttpRequest) -> HttpResponse:
    """Show Vitrine's components and documents, and the sections that match the query `q`."""
    query = " ".join(request.GET.get("q", "").split())[:LONGEST]
    context = {
        "asked": query,
        "result": search(query),
        "version": parts.version(),
        "groups": GROUPS,
        "vendored": parts.vendored(),
        "libraries": parts.libraries(),
        "has_api_docs": settings.API_DOCS,
    }
    return render(request, "about/page.html", context)


@require_safe
def document(request: HttpRequest, document: str) -> HttpResponse:
    shown_document = documents().get(document)
    if shown_document is None:
        raise Http404("There is no such document.")
    before, after = neighbours(shown_document)
    context = {
        "document": shown_document,
        "html": SafeString(add_copy_buttons(page_of(document))),
        "contents": contents_of(document),
        "groups": GROUPS,
        "before": before,
        "after": after,
    }
    return render(request, "about/document.html", context)


@require_safe
def document_file(request: HttpRequest, supplement: str) -> HttpResponse:
    """Serve a picture that a document shows, or a file to which it links."""
    path = supplements().get(supplement)
    if path is None:
        raise Http404("There is no such file.")
    return HttpResponse(path.read_bytes(), content_type=SUPPLEMENTS[path.suffix])
