"""The list of Vitrine's components and its documents need no network."""

import re
from functools import cache, partial

import pytest
from django.conf import settings
from django.utils.html import escape

from chatapp.about.documents import documents
from chatapp.about.groups import GROUPS, neighbours
from chatapp.about.parts import libraries, vendored, version
from chatapp.about.sections import contents_of

TITLE = re.compile(r"<title>(.*?)</title>", re.DOTALL)
ID = re.compile(r' id="([^"]+)"')
LINK = re.compile(r'(?:href|src)="([^"]+)"')
PICTURE = re.compile(r'<img src="([^"]+)"')


def test_the_version_and_every_library_have_a_licence(client):
    html = client.get("/about").text

    assert f"Version {version()}" in html
    names = {library.name.lower() for library in libraries()}
    assert {"django", "litellm", "uvicorn", "channels"} <= names
    assert [library.name for library in (*libraries(), *vendored()) if not library.licence] == []
    assert all(library.name in html for library in libraries())


def test_every_vendored_script_is_named_with_the_licence_that_lies_beside_it():
    folder = settings.BASE_DIR / "static" / "vendor"
    scripts = {path.name.removesuffix(".min.js") for path in folder.glob("*.js")}

    assert {f"{library.name}-{library.version}" for library in vendored()} == scripts
    for library in vendored():
        assert (folder / library.address.rpartition("/")[2]).exists()


def test_every_document_can_be_read_and_its_links_lead_somewhere(client):
    assert {"history", "security", "adr/0001-append-only"} <= documents().keys()
    pages = {f"/about/docs/{name}": client.get(f"/about/docs/{name}") for name in documents()}
    ids = {address: set(ID.findall(page.text)) for address, page in pages.items()}
    is_there = cache(partial(answers, client))  # Many documents lead to the same address.

    for document, page in zip(documents().values(), pages.values(), strict=True):
        assert f'<h1 translate="no">{escape(document.title)}</h1>' in page.text
        for link in LINK.findall(page.text.partition("</h1>")[2]):
            address, _, anchor = link.partition("#")
            assert link.startswith("https://") or is_there(address), link
            assert not anchor or link.startswith("https://") or anchor in ids[address], link


def test_every_document_but_the_decisions_is_in_one_group(client):
    listed = [name for group in GROUPS for name in group.names]
    html = client.get("/about").text

    others = [name for name in documents() if not name.startswith("adr/")]
    assert sorted(listed) == sorted(others)
    places = [html.index(f">{group.name}</h3>") for group in GROUPS]
    assert places == sorted(places)


def answers(client, address):
    return address == "/chat" or client.get(address).status_code == 200


def test_pictures_are_served_as_such(client):
    html = client.get("/about/docs/inspector").text
    pictures = PICTURE.findall(html)

    assert len(pictures) > 3
    assert {client.get(each)["Content-Type"] for each in pictures} == {"image/png"}


def test_code_is_coloured_and_nothing_is_too_long_to_format(client):
    pages = [client.get(f"/about/docs/{name}").text for name in documents()]

    assert any('<span class="k">' in page for page in pages)
    assert not any('class="plain"' in page.replace('<main class="plain"', "") for page in pages)


@pytest.mark.parametrize(
    "path",
    [
        *("docs/nothing", "docs/Makefile", "docs/adr", "docs/../settings", "docs/..%2Fsettings"),
        *("files/history.md", "files/images", "files/../pyproject.toml", "files/%2Fetc%2Fpasswd"),
    ],
)
def test_nothing_else_can_be_read(client, path):
    assert client.get(f"/about/{path}").status_code == 404


def test_a_document_lists_its_headings_as_links(client):
    html = client.get("/about/docs/import").text
    contents = html.partition('<nav aria-label="Contents"')[2].partition("</nav>")[0]

    assert '<a href="/about/docs/import#what-becomes-of-it">What becomes of it</a>' in contents
    assert [name for name in documents() if len(contents_of(name)) > 2]
    assert '<nav aria-label="Contents"' not in client.get("/about/docs/LICENSE").text


def test_from_a_document_every_other_can_be_reached(client):
    html = " ".join(client.get("/about/docs/chats").text.split())
    listed = html.partition('<nav aria-label="All documents"')[2].partition("</nav>")[0]

    assert all(f'"/about/docs/{name}"' in listed for group in GROUPS for name in group.names)
    assert listed.count('aria-current="page"') == 1
    assert '<a rel="prev" href="/about/docs/README">' in html
    assert '<a rel="next" href="/about/docs/inspector">' in html
    assert 'rel="prev"' not in client.get("/about/docs/README").text
    keys = client.get("/about/docs/keys").text
    assert '"/about/docs/chats"' in keys
    assert keys.count('aria-current="page"') == 1


def test_a_decision_has_neighbours_of_its_own_kind():
    names = [name for name in documents() if name.startswith("adr/")]
    before, after = neighbours(documents()[sorted(names)[1]])

    assert [before.name, after.name] == sorted(names)[0:3:2]


def test_each_block_of_code_has_a_button_that_copies_it(client):
    html = client.get("/about/docs/operations").text

    assert html.count('<figure class="code">') == html.count("data-copy>Copy</button>") > 5


def test_an_empty_corner_of_a_table_is_no_heading(client):
    html = client.get("/about/docs/inspector").text

    assert re.search(r"<td[^>]*></td>\s*<th[^>]*>the owner</th>", html)
    assert not re.search(r"<th[^>]*></th>", html)


@pytest.mark.parametrize("path", ["/about/", "/about/docs/"])
def test_an_address_with_a_slash_leads_to_the_list(client, path):
    assert client.get(path).headers["Location"] == "/about"


def test_the_title_names_what_was_searched_for(client):
    titles = [client.get(f"/about{query}").text for query in ("", "?q=back+up", "?q=<b>")]

    names = [" ".join(TITLE.search(html)[1].split()) for html in titles]
    assert names == [
        "About · Vitrine",
        "“back up” in the documents · Vitrine",
        "“&lt;b&gt;” in the documents · Vitrine",
    ]
