"""The panel shows what each of two images, a PDF and a thought cost, and why one was left out."""

import re

import pytest
from playwright.sync_api import expect

from tests.browser.tab import HEIGHT
from tests.browser.test_accessibility import violations
from tests.browser.test_attachments import chips
from tests.chatapp.uploads.hostile_pdfs import with_text
from tests.chatapp.uploads.making import image
from tests.provider import Reply

PRICED = """UPDATE agents_agenttemplate SET model = ?, history_settings = ?
            WHERE slug = 'archivist'"""
# GPT-4o costs $2.50 per million input tokens, $1.25 if cached, and $10 per million output tokens.
# It counts images by tiles: the first one costs 765 tokens, and the second 255.
FILES = (
    ("old.png", "image/png", image("PNG", (1024, 1024))),
    ("new.png", "image/png", image("PNG", (512, 512))),
    ("report.pdf", "application/pdf", with_text("Sales rose by a third. " * 20)),
)
KINDS = ("texts", "images", "files", "difference")
THOUGHT = "Two maps: which one is older?"
TOO_WIDE = "[...document.querySelectorAll('html, #panel')].map(e => e.scrollWidth > e.clientWidth)"
SIZES = [(1440, "dark"), (1280, "light"), (390, "light"), (390, "dark")]


def reply(sent, cached=0):
    usage = {
        "prompt_tokens": sent,
        "completion_tokens": 1210,
        "prompt_tokens_details": {"cached_tokens": cached},
        "completion_tokens_details": {"reasoning_tokens": 1204},
    }
    return Reply(thinking=[THOUGHT], text=["The first."], usage=usage)


@pytest.fixture
def asked(tab, served, provider):
    """Open a chat with files in its first turn; the agent sends only the newest image."""
    was = served.rows(
        "SELECT model, history_settings FROM agents_agenttemplate WHERE slug = 'archivist'"
    )
    served.write(PRICED, "openai/gpt-4o", '{"policy": "all", "images_keep": 1}')
    provider.script(reply(2000), reply(1500, cached=1000))
    tab.open("/chat?agent=archivist&debug=true")
    tab.page.set_input_files(
        "#files", [{"name": n, "mimeType": kind, "buffer": data} for n, kind, data in FILES]
    )
    expect(chips(tab)).to_have_count(len(FILES))
    tab.ask("Which map is older?")
    yield tab
    served.write(PRICED, *was[0])


def told(pattern):
    return re.compile(pattern, re.DOTALL)


def part(tab, name):
    return tab.panel.locator(".held > li", has_text=name)


def figure(tab, kind, column):
    """Return a cell of the table on the input. Columns: 0 is tokens, 1 cached tokens, 2 money."""
    return tab.panel.locator(f".inputs [data-kind={kind}] td").nth(column).inner_text()


def amount(text):
    return float(text.replace(",", "").replace("$", "").replace("\N{MINUS SIGN}", "-"))


def tokens(tab, name):
    return amount(re.search(r"([\d,]+) tokens", part(tab, name).inner_text())[1])


def expect_sums_that_close(tab, total):
    for column, places in ((0, 0), (1, 0), (2, 5)):
        found = sum(amount(figure(tab, kind, column)) for kind in KINDS)
        assert found == pytest.approx(amount(figure(tab, "total", column)), abs=1.5 * 10**-places)
    assert amount(figure(tab, "total", 0)) == total


def test_each_image_file_and_thought_has_its_tokens_and_its_money(asked):
    expect(part(asked, "old.png")).to_contain_text(told(r"765 tokens.*\$0\.00191"))
    expect(part(asked, "new.png")).to_contain_text(told(r"255 tokens.*\$0\.000638"))
    expect(part(asked, "report.pdf")).to_contain_text("1 page")
    file = tokens(asked, "report.pdf")
    assert amount(figure(asked, "files", 0)) == file > 50
    assert amount(figure(asked, "files", 2)) == pytest.approx(file * 2.5e-6, rel=0.01)
    assert figure(asked, "images", 0) == "1,020"
    expect_sums_that_close(asked, 2000)
    thinking = asked.panel.get_by_role("row", name="of which reasoning")
    expect(thinking.get_by_role("cell")).to_have_text(["1,204", "$0.0120"])
    expect(asked.page.locator(".not-sent:visible")).to_have_count(0)


def test_what_leaves_says_why_and_what_that_saves(asked):
    asked.ask("And now?")

    first = part(asked, "old.png")
    expect(first.locator(".verdict")).to_have_text("P")
    expect(first).to_contain_text(told(r"765 tokens.*saves \$0\.00190"))
    expect(first).to_contain_text("“Images kept” is 1 (agent archivist v")
    expect(first).to_contain_text("so only the newest image is")
    expect(part(asked, "new.png")).to_contain_text(told(r"255 tokens.*from cache"))
    expect(part(asked, "Reasoning")).to_contain_text(told("1,204 tokens.*not sent"))
    assert figure(asked, "images", 0) == "255"
    expect_sums_that_close(asked, 1500)
    expect(asked.panel.locator(".headline")).to_contain_text("1 image was left out.")


def test_the_message_shows_which_image_was_not_sent(asked):
    asked.ask("And now?")
    left = asked.page.locator("[data-role=user]").first.locator(".attached > li")
    marks = asked.page.locator(".not-sent:visible")

    expect(left.nth(0).locator(".not-sent")).to_be_visible()
    expect(left.nth(0).locator("img")).to_have_attribute("alt", "old.png")
    expect(marks).to_have_count(1)
    asked.page.reload()
    expect(marks).to_have_count(1)


def test_all_of_it_fits_on_every_screen(asked):
    asked.ask("And now?")
    for width, scheme in SIZES:
        asked.page.emulate_media(color_scheme=scheme, reduced_motion="reduce")
        asked.page.set_viewport_size({"width": width, "height": HEIGHT})
        expect(part(asked, "old.png")).to_be_visible()
        assert asked.page.evaluate(TOO_WIDE) == [False, False], (width, scheme)
    assert violations(asked) == []
