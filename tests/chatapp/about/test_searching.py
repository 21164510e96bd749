"""A search in the documents shows the most fitting section first."""

import pytest

from chatapp.about.documents import documents
from chatapp.about.groups import LOOKED_UP
from chatapp.about.searching import search
from chatapp.about.sections import sections_of
from chatapp.about.spelling import WRITTEN, letters_apart, mended
from chatapp.about.words import stem


def excerpt(found):
    return "".join(piece.text for piece in found.excerpt)


def test_a_search_leads_to_the_sections_that_say_what_was_asked_headings_first(client):
    found = search("what BECOMES of it").found

    assert found[0].section.address == "/about/docs/import#what-becomes-of-it"
    html = client.get("/about?q=what+BECOMES+of+it").text
    assert (
        'href="/about/docs/import#what-becomes-of-it">Importing chats · What becomes of it' in html
    )
    every = [each.section for each in found]
    said = [f"{each.heading} {each.document.title} {each.text}".lower() for each in every]
    assert all("become" in text for text in said)  # The other words are too common.


QUESTIONS = """
backup | operations#backup
back up | operations#backup
how do I back up | operations#backup
restore backup | operations#backup
change the port | operations#on-your-own-machine
port already in use | operations#health-and-logs
getting started | operations#on-your-own-machine
run on my network | operations#for-a-trusted-network
reverse proxy | operations#behind-a-proxy
https | operations#behind-a-proxy
certificate | operations#behind-a-proxy
systemd | operations#for-others-production
docker | operations#in-a-container
kubernetes | operations#in-a-container
create a user | operations#people-and-permissions
invite people | operations#people-and-permissions
single sign-on | operations#people-and-permissions
reset password | operations#passwords
forgot my password | operations#passwords
postgres | operations#postgresql
postgers | operations#postgresql
rate limit | operations#limits
rate limits | operations#limits
image size limit | security#limits
max upload size | security#limits
upgrade to a new version | operations#upgrade
gdpr | operations#personal-data
how long are chats kept | operations#old-chats
delete old chats | operations#old-chats
metrics | operations#metrics
prometheus | operations#metrics
monitoring | operations#metrics
tracing | operations#traces
move to another server | operations#moving-to-another-server
two servers | operations#a-cluster-two-servers-or-more
cluster | operations#a-cluster-two-servers-or-more
several processes | operations#a-cluster-two-servers-or-more
workers | operations#workers
logs | operations#logs
where are the logs | operations#logs
environment variables | operations#environment-variables
use it on my phone | operations#on-a-phone
session expired | operations#when-a-session-expires
how many users can it handle | operations#one-process-or-several
lock settings | operations#locking-history-settings
history lenght | history#who-decides
why is my chat so expensive | inspector#what-does-this-chat-cost
why did the model forget | history
what is a summary | history#summaries
what is a turn | history#turns
pin a message | history#pins-and-exclusions
who can read my chats | inspector#who-sees-what
screen reader | reasoning
delete | chats#deleting-and-undo
undo delete | chats#deleting-and-undo
delete my account | chats#deleting-and-undo
dark theme | chats#settings-and-theme
dark mode | chats#settings-and-theme
rename a chat | chats#titles
branch | chats#versions-and-branches
keyboard shortcuts | keys
export my data | export
import from chatgpt | import
add a provider | providers#on-a-page
openai key | providers#in-the-environment
ollama | README#using-a-real-model
mcp | mcp#adding-one-files-as-an-example
write my own tool | tools#adding-a-tool
"""


@pytest.mark.parametrize(
    ("asked", "address"), [line.split(" | ") for line in QUESTIONS.strip().splitlines()]
)
def test_the_first_that_is_found_is_what_was_looked_for(asked, address):
    assert search(asked).found[0].section.address == f"/about/docs/{address}"


@pytest.mark.parametrize(
    ("word", "meant"),
    [
        *[("lenght", "length"), ("mesage", "message"), ("postgers", "postgres")],
        *[("sumary", "summary"), ("provders", "providers"), ("admnistraton", "administration")],
    ],
)
def test_an_unknown_word_is_mended_to_one_that_is_a_letter_or_two_away(word, meant):
    assert mended(word) == meant


@pytest.mark.parametrize(
    "word", ["reverse", "docker", "the", "zzzyqx", "lock", "proxies", "interface"]
)
def test_a_word_that_is_known_or_far_from_all_stays(word):
    assert mended(word) == word


def test_no_word_of_the_documents_is_mended():
    texts = (section.text for name in documents() for section in sections_of(name))
    words = {word for text in texts for word in WRITTEN.findall(text.casefold())}

    assert len(words) > 2_000
    assert [word for word in words if mended(word) != word] == []


@pytest.mark.parametrize(
    ("one", "other", "apart"),
    [("form", "form", 0), ("form", "from", 1), ("fom", "form", 1), ("farm", "form", 1)],
)
def test_swapped_neighbours_are_one_letter_apart(one, other, apart):
    assert letters_apart(one, other, most=2) == apart


def test_words_are_compared_without_their_endings():
    for words in ("delete deletes deleted deleting", "policy policies", "stop stopped stopping"):
        assert len({stem(word) for word in words.split()}) == 1


def test_the_changelog_the_pictures_and_the_words_come_after_the_guides():
    names = [each.section.document.name for each in search("summary").found]
    late = [name.startswith("adr/") or name in LOOKED_UP for name in names]

    assert late == sorted(late)
    assert set(late) == {False, True}


def test_a_misspelt_word_is_searched_for_as_it_may_be_meant(client):
    result = search("exclude a mesage")

    assert result.meant == "exclude a message"
    assert result.found[0].section.heading == "Pins and exclusions"
    assert "Nothing matches “exclude a mesage” exactly." in client.get(
        "/about?q=exclude+a+mesage"
    ).text.replace("\n", " ")


def test_where_no_section_has_all_words_those_with_some_are_found(client):
    result = search("passwords zzzyqx")

    assert not result.has_all
    assert result.found[0].section.heading == "Passwords"
    assert "No section has all the words." in client.get("/about?q=passwords+zzzyqx").text


def test_cells_and_rows_of_a_table_are_apart_in_an_excerpt():
    section = next(each for each in sections_of("security") if each.heading == "What is deleted")

    assert "promise · shown by; A chat that is deleted" in section.text


def test_an_excerpt_marks_what_was_found_in_its_own_letters():
    (first, *_) = search("max_import_bytes").found

    assert "MAX_IMPORT_BYTES" in [piece.text for piece in first.excerpt if piece.is_hit]
    assert excerpt(first).strip("…") in first.section.text


def test_the_number_of_results_is_a_status_that_describes_the_field(client):
    html = client.get("/about?q=delete").text

    assert '<p id="documents-count" role="status">' in html
    assert f"{len(search('delete').found)} sections found for “delete”." in html
    assert 'autofocus aria-describedby="documents-count"' in html
    assert "autofocus" not in client.get("/about").text


def test_the_page_of_keys_has_the_anchors_that_a_search_leads_to(client):
    html = client.get("/about/docs/keys").text

    for each in search("chat ctrl").found:
        if each.section.document.name == "keys":
            assert f'id="{each.section.anchor}"' in html
    assert "keys" not in documents()


@pytest.mark.parametrize("asked", ["", "%20%20", "zzzyqx", "%3Czzzyqx%3E", "a" * 5_000])
def test_a_search_without_a_hit_says_so_and_a_bare_one_nothing(client, asked):
    html = client.get(f"/about?q={asked}").text

    assert ("Nothing was found for" in html) == bool(asked.replace("%20", ""))
    assert "<zzzyqx>" not in html
