from tests.browser.conftest import *
from tests.browser.test_config import configure
from tests.conftest import *
def test_x(tab, provider):
    tab.open()
    tab.ask("q1")
    tab.ask("q2")
    d = configure(tab)
    d.locator("[name=max_items]").fill("2")
    tab.page.keyboard.press("Enter")
    expect(d).to_contain_text("Saved.")
    tab.page.keyboard.press("Escape")
    expect(tab.field).to_be_focused()
    tab.page.on("request", lambda r: print("REQ", r.method, r.url)); tab.page.evaluate("for (const n of [`outbox:done`,`outbox:refused`,`socket:error`,`chat:shown`,`composer:config`,`answer:started`, `socket:ack`, `keydown`, `submit`, `outbox:waiting`]) document.addEventListener(n, e => console.log(n, JSON.stringify(e.detail), e.target?.id, e.key, document.activeElement?.outerHTML?.slice(0,80)))"); tab.page.on("console", lambda m: print("LOG", m.text)); tab.page.keyboard.type("last")
    tab.page.keyboard.press("Enter")
    tab.page.wait_for_timeout(3000)
    tab.page.screenshot(path="/tmp/dbg.png")
    print(tab.said(), tab.page.locator(".ending").all_inner_texts())
