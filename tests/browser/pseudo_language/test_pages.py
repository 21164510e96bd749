"""In the pseudo-language, no page outside the chats has plain letters, not even an error page."""

from uuid import UUID, uuid4

import httpx
from playwright.sync_api import expect

from tests.browser.pseudo_language.steps import (
    ANSWER,
    DOCUMENTS,
    QUESTION,
    USAGE,
    begin,
    entered,
    settled,
    sign_in,
)
from tests.patience import PATIENCE
from tests.provider import Reply


def test_the_overview(tab, ada, provider, reader):
    provider.script(Reply(text=[ANSWER], usage=USAGE))
    begin(tab)
    tab.ask(QUESTION)
    conversation = tab.conversation
    sign_in(tab, ada, "/inspect/")
    expect(tab.page.locator(f"a[href*='{conversation}']").first).to_be_visible()
    reader.page(settled(tab), "the overview")
    shown = tab.page.goto(f"{tab.server.url}/inspect/{conversation}")
    reader.page(tab.page, "somebody else's chat")
    record = tab.page.goto(f"{tab.server.url}/chat/{conversation}/debug/turn/1")
    reader.page(tab.page, "the record of somebody else's turn")
    assert (shown.status, record.status) == (200, 200)
    assert reader.told() == ""


def test_accounts(tab, ada, reader, forgiven):
    tab.page.goto(f"{tab.server.url}/login")
    reader.page(tab.page, "signing in")
    tab.page.locator("[name=username]").fill(ada)
    tab.page.locator("[name=password]").fill("wrong")
    tab.page.keyboard.press("Enter")
    expect(tab.page.locator(".problem")).to_be_visible()
    reader.page(tab.page, "a wrong password")
    tab.page.locator("[name=password]").fill("wrong")
    reader.page(entered(tab), "too many wrong passwords")
    for path in ("/account/reset", "/account/reset/sent", "/account/reset/done"):
        tab.page.goto(tab.server.url + path)
        reader.page(tab.page, path)
    tab.page.goto(f"{tab.server.url}/account/reset/MQ/x-y")
    reader.page(tab.page, "a link that no longer works")
    sign_in(tab, ada)
    tab.page.goto(f"{tab.server.url}/account/password")
    reader.page(tab.page, "a new password")
    for name in ("old_password", "new_password1", "new_password2"):
        tab.page.locator(f"[name={name}]").fill("1")
    reader.page(entered(tab), "a bad new password")


def test_what_is_about_vitrine_and_ones_own(tab, ada, provider, reader):
    """The documents are in English, but the page around them is translated."""
    begin(tab)
    provider.script(Reply(text=[ANSWER], usage=USAGE))
    tab.ask(QUESTION)
    for path in ("/about", "/account", "/account/deleted"):
        assert tab.page.goto(tab.server.url + path).status == 200
        reader.page(tab.page, path)
    for address in DOCUMENTS:
        assert tab.page.goto(f"{tab.server.url}/about/docs/{address}").status == 200
        title = tab.page.locator("h1").inner_text()
        reader.page(tab.page, address)
        reader.found.pop((f"{title} · Vitrine", "head > title"))
    begin(tab)
    tab.page.locator("[data-shortcuts]").dispatch_event("click")
    expect(tab.page.get_by_role("dialog").locator("kbd").first).to_be_visible()
    reader.page(settled(tab), "the shortcuts")
    sign_in(tab, ada, "/account")
    expect(tab.page.locator("[name=password]")).to_be_visible()
    reader.page(tab.page, "one's account")
    tab.page.locator("[name=password]").fill("wrong")
    tab.page.locator(".plain-card form [type=submit]").last.click()
    expect(tab.page.locator(".problem")).to_be_visible()
    reader.page(settled(tab), "one's account, kept")


def test_pages_that_refuse(tab, reader, forgiven):
    for path in ("/nowhere", f"/chat/{NOWHERE}", "/inspect/"):
        assert tab.page.goto(tab.server.url + path).status == 404
        reader.page(tab.page, path)
    tab.page.goto(f"{tab.server.url}/login")
    tab.page.context.clear_cookies()
    tab.page.locator("[name=username]").fill("花子")
    tab.page.locator("[name=password]").fill("1")
    with tab.page.expect_navigation() as refused:
        tab.page.keyboard.press("Enter")
    assert refused.value.status == 403
    reader.page(settled(tab), "an old form")
    assert reader.told() == ""


NOWHERE = "00000000-0000-4000-8000-000000000000"
BEGIN = "/conversations"
CHAINS = [
    {"agent": 1},
    {"nowhere_1": []},
    {"agent": [{"use": "nothing_1"}]},
    {"agent": [{"use": "token_limiter"}]},
    {"agent": [{"use": "token_limiter", "limit": 0}]},
    {"agent": [{"use": "token_limiter", "limit": 9, "more_1": 1}]},
    {"agent": [{"use": "tool_call_filter", "exclude": []}]},
    {"agent": [{"use": "tool_call_filter", "exclude": ["a1"], "include": ["a1"]}]},
]
# Requests that the API refuses; `~` is a conversation in which an answer is being written.
REFUSED = [
    ("GET", f"{BEGIN}/{NOWHERE}", None),
    ("GET", "~/turns/9/context", None),
    ("GET", f"~/generations/{NOWHERE}", None),
    ("PUT", "~/messages/999999/mark", {"kind": "pin"}),
    ("DELETE", "~/checkpoints/999999", None),
    ("PATCH", "~", {"history_settings": {"max_items": 1}}),
    ("PATCH", "~", {"history_settings": {"nothing_1": 1}}),
    ("POST", "~/what-if", {"variants": [{"settings": {"policy": "x1"}}]}),
    *[("POST", "~/what-if", {"variants": [{"processors": each}]}) for each in CHAINS],
    ("POST", "~/what-if", {"variants": [], "step": 1}),
    ("POST", "~/what-if", {"variants": [], "turns": 1}),
    ("POST", "~/checkpoints", {}),
    ("POST", "~/messages", {"text": "語", "client_msg_id": str(UUID(int=1))}),
    ("POST", "~/messages", {"text": "語", "client_msg_id": str(UUID(int=1)), "head": -1}),
    ("POST", BEGIN, {"client_msg_id": "x1", "head": -9, "more_1": 1, "agent": "\x00"}),
    ("POST", BEGIN, {"text": "語", "client_msg_id": NOWHERE, "agent": "1" * 99}),
    ("POST", BEGIN, {"text": " ", "client_msg_id": NOWHERE, "agent": "demo1"}),
    ("POST", BEGIN, {"text": "語" * 700, "client_msg_id": NOWHERE, "agent": "demo1"}),
    ("POST", BEGIN, {"text": "\x00", "client_msg_id": NOWHERE, "agent": "demo1"}),
    ("POST", BEGIN, {"text": "語", "client_msg_id": NOWHERE, "agent": "none1"}),
    ("POST", BEGIN, {"text": "語", "client_msg_id": NOWHERE, "network": "none1"}),
]


def test_errors_of_the_api(tab, provider, reader):
    begin(tab)
    provider.script(Reply(text=[ANSWER, ANSWER], hang_after=1))
    tab.say(QUESTION)
    expect(tab.answers.last).to_contain_text("八時")
    cookies = {cookie["name"]: cookie["value"] for cookie in tab.page.context.cookies()}
    headers = {"X-CSRFToken": cookies["csrftoken"], "Referer": tab.server.url}
    options = {"cookies": cookies, "headers": headers, "timeout": PATIENCE}
    with httpx.Client(base_url=f"{tab.server.url}/api", **options) as api:
        for method, path, body in REFUSED:
            address = path.replace("~", f"{BEGIN}/{tab.conversation}")
            response = api.request(method, address, json=body)
            assert response.status_code >= 400, (method, path, response.text)
            reader.answer(response, f"{method} {path} {body}"[:90])
        narrow = {"settings": {"context_window": 512, "output_reserve": 511}}
        tried = api.post(f"{BEGIN}/{tab.conversation}/what-if", json={"variants": [narrow]}).json()
        reader.text(tried["tried"][1]["refused"], "refused", "a request that is too large")
        while response.status_code != 429:
            body = {"text": "語", "client_msg_id": str(uuid4()), "agent": "demo1"}
            response = api.post(BEGIN, json=body)
        reader.answer(response, "too many messages")
        reader.answer(api.post(BEGIN, content=b" " * 99_999), "a body that is too large")
        reader.answer(api.post(BEGIN, json={}, headers={"X-CSRFToken": ""}), "no token")
        reader.answer(api.get(BEGIN, headers={"Cookie": ""}), "no session")
    provider.release()
