"""Neither an address nor a chat changes a setting that the environment locks; the page says so."""

import re

import pytest
from playwright.sync_api import expect

from tests.browser.tab import PHONE, Tab
from tests.browser.test_config import dialog_of
from tests.people import Person
from tests.running.raw_connections import warm
from tests.servers import running

pytestmark = pytest.mark.daily


@pytest.fixture
def locked(migrated, package_provider, provider, tmp_path):
    """Run the app with an environment that sets how many turns are sent."""
    environment = {"DEFAULT_HISTORY_POLICY": "lastN", "DEFAULT_HISTORY_LENGTH": "1"}
    with running(
        migrated, tmp_path / "data", **package_provider.environment, **environment
    ) as server:
        warm(Person(server))
        yield server


def test_a_locked_length_holds_against_the_address_and_names_its_source(somebody, locked, provider):
    tab = Tab(somebody().new_page(), locked)
    tab.open("/chat?agent=demo&historyPolicy=all&debug=true")
    notice = tab.page.locator(".address-notices")
    expect(notice).to_contain_text(
        "historyPolicy=all in the address is ignored because the server sets how much is remembered"
    )
    expect(notice).to_be_in_viewport(ratio=1)
    for text in ("one", "two", "three"):
        tab.ask(text)

    asked = [m["content"] for m in provider.requests[-1]["messages"] if m["role"] == "user"]
    assert asked == ["three"]
    winners = tab.panel.locator(".cascade .winner")
    expect(winners.nth(0)).to_contain_text("the server's DEFAULT_HISTORY_POLICY")
    expect(winners.nth(1)).to_contain_text("the server's DEFAULT_HISTORY_LENGTH")


@pytest.fixture
def capped(migrated, package_provider, provider, tmp_path):
    """Run the app with an environment that limits how many turns are sent."""
    environment = {**package_provider.environment, "HISTORY_LENGTH_MAX": "2"}
    with running(migrated, tmp_path / "data", **environment) as server:
        warm(Person(server))
        yield server


def test_the_settings_of_a_chat_say_the_servers_maximum_and_what_applies(
    somebody, capped, provider
):
    tab = Tab(somebody(**PHONE).new_page(), capped)
    tab.page.goto(capped.url + "/chat?agent=demo")
    tab.say("/config")
    dialog = dialog_of(tab)
    expect(dialog.get_by_text("turns, at most 2")).to_be_in_viewport()

    length = dialog.get_by_label("History length")
    length.fill("40")
    dialog.get_by_role("button", name="Save").tap()
    expect(length).to_have_accessible_description(re.compile("40 is too much: .*at most 2"))
    expect(length).to_be_focused()

    dialog.get_by_label("Everything").check()
    length.fill("")
    dialog.get_by_label("Everything").check()
    dialog.get_by_role("button", name="Save").tap()

    said = dialog.get_by_text("Saved. The server allows at most 2 turns, so 2 are remembered.")
    expect(said).to_be_in_viewport(ratio=1)
    expect(said).to_be_focused()
    expect(tab.page).to_have_url(re.compile("own.policy=all"))  # The page behind, opened anew.


def test_where_nothing_can_be_changed_the_dialog_offers_no_save(somebody, locked):
    tab = Tab(somebody().new_page(), locked)
    tab.open("/chat?agent=demo&historyPolicy=all")
    tab.say("/config")
    dialog = dialog_of(tab)
    expect(dialog).to_contain_text("Remembers nothing: every message stands alone.")
    expect(dialog).to_contain_text("Set by the server.")
    save = dialog.get_by_role("button", name="Save")
    expect(save).to_be_hidden()

    dialog.get_by_text("More", exact=True).click()
    expect(save).to_be_visible()


def test_on_a_phone_the_notice_of_a_lock_is_whole_and_says_it_once(somebody, locked):
    phone = Tab(somebody(**PHONE).new_page(), locked)
    phone.page.goto(f"{locked.url}/chat?agent=demo&historyPolicy=all&historyLength=50")

    notice = phone.page.locator(".address-notices .notice")
    expect(notice).to_be_in_viewport(ratio=1)
    expect(notice.locator("li")).to_have_text(
        "historyPolicy=all and historyLength=50 in the address are ignored because the server sets "
        "how much is remembered. Remembers nothing: every message stands alone. Only an "
        "administrator can change that."
    )
    whole = "box => box.scrollHeight <= box.clientHeight"
    assert phone.page.locator(".address-notices").evaluate(whole)
