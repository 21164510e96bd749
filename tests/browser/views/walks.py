"""Steps to views that have no address of their own, on screens of any width."""

from playwright.sync_api import Locator, expect

from tests.browser.tab import PASSWORD, Tab


def nothing(tab: Tab) -> None:
    """Do nothing, because the address itself shows the view."""


def begin(tab: Tab) -> None:
    expect(tab.page.locator(".starters")).to_be_visible()
    tab.field.focus()


def agents(tab: Tab) -> None:
    expect(tab.page.locator(".agents")).to_be_visible()


def read(tab: Tab) -> None:
    expect(tab.answers.last.locator("pre")).to_be_visible()


def unfold(tab: Tab) -> None:
    folded = tab.answers.last.locator("details.tool, details.thought")
    folded.first.locator("summary").click()


def decide(tab: Tab) -> None:
    expect(tab.page.locator("[data-decide=approve]")).to_be_visible()


def delegation(tab: Tab) -> None:
    card = tab.page.locator("details.tool").first
    card.locator("summary", has_text="ask_trips").click()
    card.locator("summary", has_text="What the agent did").click()
    expect(card.locator(".delegation")).to_contain_text("railway")


def picture(tab: Tab) -> None:
    expect(tab.page.locator(".attached-image img")).to_be_visible()


def answer_button(tab: Tab, selector: str) -> Locator:
    tab.answers.last.hover()
    return tab.answers.last.locator(selector)


def mark(tab: Tab) -> None:
    answer_button(tab, "[data-more]").click()
    expect(tab.page.locator("[data-mark-as=pin]").first).to_be_visible()


def verdict(tab: Tab) -> None:
    answer_button(tab, "[data-more]").click()
    tab.page.locator("[data-asks-verdict]").click()
    expect(tab.page.locator(".verdict-card")).to_be_visible()


def edit(tab: Tab) -> None:
    said = tab.page.locator(".message[data-role=user]").last
    said.hover()
    said.locator("[data-action=edit]").click()
    expect(tab.page.locator(".edit-form textarea")).to_be_focused()


def chat_menu(tab: Tab) -> None:
    tab.page.get_by_label("Chat menu").click()
    expect(tab.page.get_by_text("Export as Markdown")).to_be_visible()


def commands(tab: Tab) -> None:
    tab.field.fill("/")
    expect(tab.page.get_by_role("listbox")).to_be_visible()


def panel(tab: Tab) -> None:
    expect(tab.panel.get_by_role("heading", name="Inspector", exact=True)).to_be_visible()
    tab.expect_a_settled_panel()


def styled_panel(tab: Tab) -> None:
    """Wait for the panel's styles; nothing of the panel is drawn before."""
    expect(tab.page.locator(".headline")).to_be_visible()
    tab.page.wait_for_load_state("networkidle")


def zone(tab: Tab, name: str) -> Locator:
    return tab.panel.get_by_role("region", name=name, exact=True)


def zones(tab: Tab, *names: str) -> None:
    panel(tab)
    expect(tab.panel.locator(".advice")).to_be_visible()
    for name in names or ("settings", "summaries", "window", "map", "cost", "timeline", "raw"):
        heading = tab.panel.locator(f"#zone-{name}")
        if not heading.evaluate("heading => heading.closest('details').open"):
            heading.click()


def window_and_cost(tab: Tab) -> None:
    zones(tab, "window", "cost")
    tab.panel.locator(".zone:has(#zone-window)").evaluate("zone => zone.scrollIntoView()")


def map_rows(tab: Tab) -> None:
    panel(tab)
    tab.panel.locator(".actions").get_by_role("link", name="Why?").click()
    tab.panel.get_by_role("button", name="Show", exact=True).first.click()
    expect(tab.panel.locator(".row.unsent").first).to_be_visible()


def raw(tab: Tab) -> None:
    zones(tab, "raw")
    for part in ("raw-request", "raw-response", "raw-events"):
        fold = tab.panel.locator(f'[data-keep="{part}"]')
        fold.locator("summary").first.click()
        expect(fold.locator(".raw-part > a")).to_have_count(0)


def what_if(tab: Tab) -> None:
    panel(tab)
    tab.panel.locator(".actions").get_by_role("link", name="Try other settings").click()
    zone(tab, "What-if").get_by_label("History length").fill("20")
    expect(zone(tab, "What-if").locator(".whatif-changes")).to_be_visible()


def what_if_result(tab: Tab) -> None:
    what_if(tab)
    changes = zone(tab, "What-if").locator(".whatif-changes")
    changes.locator("summary").click()
    changes.evaluate("changes => changes.scrollIntoView({ block: 'end' })")


def compare(tab: Tab) -> None:
    what_if(tab)
    tab.panel.locator("[data-compare] [type=submit]").click()
    expect(tab.panel.locator(".whatif-totals").first).to_be_visible()


def everybody(tab: Tab) -> None:
    what_if(tab)
    tab.panel.locator("#what-if [data-everybody]").click()
    expect(tab.page.locator("#everybody-dialog")).to_be_visible()


def sidebar(tab: Tab) -> None:
    """Open the sidebar if the window is narrow and hides it."""
    opener = tab.page.get_by_role("button", name="Open the sidebar")
    if opener.is_visible():
        opener.click()
    expect(tab.page.locator(".chat-entry").first).to_be_in_viewport()


def search(tab: Tab, words: str = "snow june") -> None:
    sidebar(tab)
    tab.page.locator("#chat-search").fill(words)
    expect(tab.page.locator(".found-text").first).to_be_visible()


def search_in_vain(tab: Tab) -> None:
    sidebar(tab)
    tab.page.locator("#chat-search").fill("zeppelin")
    expect(tab.page.locator(".chats-none")).to_be_visible()


def _list_option(tab: Tab, name: str) -> None:
    sidebar(tab)
    tab.page.get_by_label("Options for the list").click()
    tab.page.get_by_role("button", name=name).click()


def archive(tab: Tab) -> None:
    _list_option(tab, "Archived chats")
    expect(tab.page.locator(".archive-head")).to_be_visible()


def choose(tab: Tab) -> None:
    _list_option(tab, "Select chats")
    tab.page.locator(".chat-entry input[type=checkbox]").first.check()


def account(tab: Tab) -> None:
    sidebar(tab)
    tab.page.locator("summary.account").click()
    expect(tab.page.get_by_role("link", name="About")).to_be_visible()


def imports(tab: Tab) -> None:
    account(tab)
    tab.page.get_by_role("button", name="Import chats").click()
    report = tab.page.locator(".import-recent details").first
    report.locator("summary").first.click()
    report.locator("summary", has_text="All chats of this file").click()
    expect(report.get_by_role("link", name="Capitals of the north")).to_be_visible()


def settings(tab: Tab) -> None:
    tab.page.get_by_label("Chat menu").click()
    tab.page.locator("[data-command='/config']").click()
    expect(tab.page.get_by_role("dialog", name="Chat settings")).to_be_visible()
    expect(tab.page.locator(".remember, .memory-lead").first).to_be_visible()


def shortcuts(tab: Tab) -> None:
    tab.page.locator("[data-shortcuts]").dispatch_event("click")  # Hidden on touch screens.
    expect(tab.page.get_by_role("dialog", name="Keyboard shortcuts")).to_be_visible()


def show_password(tab: Tab) -> None:
    tab.page.locator("[name=password]").fill(PASSWORD)
    tab.page.get_by_role("button", name="Show: Password").click()
    expect(tab.page.locator("[name=password]")).to_have_attribute("type", "text")


def wrong_password(tab: Tab) -> None:
    tab.page.locator("[name=username]").fill("nobody")
    tab.page.locator("[name=password]").fill("wrong")
    tab.page.keyboard.press("Enter")
    expect(tab.page.locator(".problem")).to_be_visible()


def overview(tab: Tab) -> None:
    expect(tab.page.locator("table.sorted")).to_be_visible()


def agent_form(tab: Tab) -> None:
    chosen = tab.page.get_by_role("complementary", name="What this comes to")
    expect(chosen).to_contain_text("messages")
    expect(tab.page.locator(".preview [aria-busy=true]")).to_have_count(0)


def bad_form(tab: Tab) -> None:
    tab.page.get_by_label("History length", exact=True).fill("-5")
    tab.page.get_by_role("button", name="Save", exact=True).click()
    expect(tab.page.locator(".faults")).to_be_focused()
    agent_form(tab)
