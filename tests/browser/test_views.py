"""No view, wide or narrow, light or dark, has a fault that axe-core finds, or a text cut off.

The views are rows of a table. A test fails for an address of the app that no row shows.
"""

from urllib.parse import urljoin, urlsplit

import pytest
from django.contrib import admin
from django.urls import Resolver404, get_resolver, resolve
from django.urls.resolvers import URLPattern, URLResolver
from playwright.sync_api import expect

from tests.browser.tab import PHONE, Tab
from tests.browser.test_accessibility import settled, violations
from tests.browser.views.home import furnished
from tests.browser.views.table import VIEWS

WIDE = {"viewport": {"width": 1440, "height": 900}}
SIZES = [pytest.param(WIDE, id="wide"), pytest.param(PHONE, id="phone")]
SCHEMES = ("light", "dark")
MODELS = sorted(admin.site._registry, key=lambda model: model._meta.label_lower)
TOO_WIDE = "document.documentElement.scrollWidth - innerWidth"
# Addresses that show no view of their own, with the reason.
NOT_VIEWS = {
    **dict.fromkeys(("older", "around"), "more messages of a chat"),
    **dict.fromkeys(
        ("rename", "branch", "model", "take", "what_if_undo", "undo_summary"), "changes"
    ),
    **dict.fromkeys(
        ("attach", "remove_attachment", "stop_import", "change_chats", "marks"), "changes"
    ),
    **dict.fromkeys(("undo_import", "redo_import"), "changes"),
    **dict.fromkeys(("visitor", "logout"), "changes"),
    **dict.fromkeys(("export", "export_all", "file", "attachment", "document_file"), "files"),
    **dict.fromkeys(("raw_json", "raw_wire_json", "raw_curl", "figures_file"), "files"),
    **dict.fromkeys(("healthz", "readyz"), "for programs"),
    **dict.fromkeys(
        ("new_panel", "import", "next_summary", "found_in", "found_older"),
        "part of a view, asked for later",
    ),
    **dict.fromkeys(("raw_message", "raw_wire", "raw_difference"), "folds as in `what was sent`"),
    "summary_wire": "a fold as in `what was sent`",
    "experiments": "asked for while the answer of an experiment is being written",
}


@pytest.fixture(scope="module")
def home(migrated, tmp_path_factory):
    with furnished(migrated, tmp_path_factory.mktemp("views") / "data") as home:
        yield home


@pytest.fixture
def visit(home, somebody):
    """Return a function that opens a person's tab, and lists the routes that the tab requests."""

    def opened(who, size):
        context = somebody(**size, reduced_motion="reduce")
        person = {"ada": home.ada, "guest": home.guest}.get(who)
        context.add_cookies(home.cookies(person) if person else [])
        asked: list[str] = []
        page = context.new_page()
        page.on("request", lambda request: asked.append(route(request.url)))
        return Tab(page, home.server, folded=True), asked

    return opened


def route(url):
    try:
        return resolve(urlsplit(url).path).view_name
    except Resolver404:
        return ""


def routes(resolver, namespace=""):
    """Yield the names of all routes except those of the API and the administration."""
    for each in resolver.url_patterns:
        if isinstance(each, URLResolver) and not each.namespace:
            yield from routes(each)
        elif isinstance(each, URLPattern) and each.name:
            yield each.name


def faults(tab):
    """Return axe-core's findings in both schemes, and whether the page scrolls sideways."""
    found = []
    expect(tab.page.locator(".preview [aria-busy=true]")).to_have_count(0)
    for scheme in SCHEMES:
        settled(tab, scheme)
        found += [f"{scheme}: {fault}" for fault in violations(tab)]
    if tab.page.evaluate(TOO_WIDE) > 0:
        found.append("scrolls sideways")
    return found


@pytest.mark.daily
def test_every_address_is_seen_in_a_view():
    shown = {name for view in VIEWS for name in view.routes}

    assert shown | NOT_VIEWS.keys() == set(routes(get_resolver()))
    assert not shown & NOT_VIEWS.keys()


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("view", VIEWS, ids=lambda view: view.name)
def test_nothing_is_wrong_with_a_view(visit, home, complaints, view, size):
    tab, asked = visit(view.who, size)
    answer = tab.page.goto(home.server.url + view.path.format(**home.chats))
    assert answer.status == view.status
    view.walk(tab)

    assert faults(tab) == []
    assert set(view.routes) <= set(asked)
    if view.status != 200:
        complaints.clear()  # The browser logs the error status.


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("model", MODELS, ids=lambda model: model._meta.model_name)
def test_nothing_is_wrong_with_a_list_and_a_form_of_the_administration(visit, home, model, size):
    tab, _ = visit("ada", size)
    names = model._meta
    tab.page.goto(f"{home.server.url}/admin/{names.app_label}/{names.model_name}/")
    found = faults(tab)
    pages = [
        tab.page.locator(selector).first.get_attribute("href")
        for selector in ("#result_list tbody a", ".object-tools .addlink")
        if tab.page.locator(selector).count()
    ]
    for address in pages:
        tab.page.goto(urljoin(tab.page.url, address))
        found += faults(tab)

    assert found == []


@pytest.mark.parametrize("template", ["403.html", "403_csrf.html", "500.html", "503.html"])
def test_nothing_is_wrong_with_pages_that_say_what_went_wrong(visit, home, complaints, template):
    """No address leads to these pages, so the test serves them."""
    tab, _ = visit("nobody", PHONE)
    text = home.rendered(template)
    tab.page.route(
        "**/broken", lambda asked: asked.fulfill(status=500, body=text, content_type="text/html")
    )
    tab.page.goto(f"{home.server.url}/broken")

    assert faults(tab) == []
    complaints.clear()
