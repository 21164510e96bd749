"""No text of the app is in plain letters in the pseudo-language, what is hidden included.

Others write Japanese here, and what programs call them has a digit or an underscore.
"""

import json
from uuid import UUID, uuid4

import httpx
import pytest
from playwright.sync_api import expect

from tests.browser.tab import PASSWORD, Tab
from tests.people import PATIENCE, Person
from tests.provider import Call, Reply
from tests.pseudo.untouched import Reader
from tests.running.malformed_streams import calling
from tests.running.raw_connections import warm
from tests.servers import manage, running

QUESTION, ANSWER = "今何時ですか", "八時です。"
USAGE = {"prompt_tokens": 900, "completion_tokens": 20}
CLOCK = Call("current_time", id="clock1")
NOTE = Call("send_note", json.dumps({"to": "花子", "text": "八時に"}), id="note1")
TRANSFER = Call("transfer_to_accountant1", '{"reason": "計算"}', id="t1")
JAPANESE = [
    """UPDATE agents_agenttemplate SET slug = slug || '1', name = '太郎', description = '答えます',
       starters = '何ですか', system_prompt = '親切に'""",
    """UPDATE agents_network SET slug = 'team1', name = '仲間', description = '三人',
       starters = '何ですか', entry = 'greeter1', members = '["greeter1", "accountant1"]'""",
    """UPDATE agents_agenttemplate SET asks = '["goldfish1"]',
       history_settings = '{"policy": "lastN", "length": 2}' WHERE slug = 'demo1'""",
    "UPDATE history_conversation SET title = '挨拶'",
    """UPDATE agents_agenttemplate SET context = '[{"use": "none1"}]',
       tools = '["mcp:files1", "mcp:none1"]' WHERE slug IN ('accountant1', 'greeter1')""",
]
TIGHT = {"SENDS_PER_MINUTE": "12", "LOGIN_TRIES": "1", "MAX_MESSAGE_BYTES": "2000"}
PEOPLE = f"""from django.contrib.auth.models import User
from agents.mcp.models import McpServer
User.objects.create_superuser("花子", password="{PASSWORD}")
McpServer.objects.create(slug="files1", name="書類")"""


@pytest.fixture(scope="module")
def served(migrated, package_provider, tmp_path_factory):
    """The app as another language would have it."""
    folder = tmp_path_factory.mktemp("pseudo") / "data"
    environment = {**package_provider.environment, **TIGHT}
    environment["DJANGO_SETTINGS_MODULE"] = "tests.pseudo.settings"
    with running(migrated, folder, **environment) as server:
        warm(Person(server))
        for statement in JAPANESE:
            server.write(statement)
        yield server


@pytest.fixture(scope="module")
def ada(served):
    """The name of a superuser."""
    manage(served.folder, "shell", "-c", PEOPLE, ENV_FILE="/dev/null")
    return "花子"


@pytest.fixture
def reader():
    reading = Reader()
    yield reading
    if reading.found:
        pytest.fail(f"Not translated:\n{reading.told()}", pytrace=False)


@pytest.fixture
def tab(somebody, served, provider):
    return Tab(somebody(reduced_motion="reduce", locale="ja-JP").new_page(), served)


@pytest.fixture
def forgiven(complaints):
    """The browser complains of every refusal."""
    yield
    complaints[:] = [
        text for text in complaints if "the server responded with a status" not in text
    ]


def begin(tab, query="agent=demo1"):
    tab.page.goto(f"{tab.server.url}/chat?{query}")
    expect(tab.field).to_be_focused()


def sign_in(tab, name, path="/chat?agent=demo1"):
    tab.page.goto(f"{tab.server.url}/login?next={path}")
    tab.page.locator("[name=username]").fill(name)
    tab.page.locator("[name=password]").fill(PASSWORD)
    tab.page.keyboard.press("Enter")
    expect(tab.page.locator("[name=password]")).to_have_count(0)


def expect_end(tab, status):
    expect(tab.answers.last).to_have_attribute("data-status", status)


def settled(tab):
    """The page once nothing is fetched for it."""
    tab.page.wait_for_load_state("networkidle")
    return tab.page


def test_a_chat(tab, provider, reader):
    begin(tab)
    reader.page(tab.page, "an empty chat")
    provider.script(*[Reply(text=[ANSWER], usage=USAGE)] * 3, calling(CLOCK), Reply(text=[ANSWER]))
    for _ in range(4):
        tab.ask(QUESTION)
    reader.page(tab.page, "a chat with a tool call")
    for button in tab.page.locator("[data-asks-verdict]").all():
        button.dispatch_event("click")
    expect(tab.page.locator(".verdict-card")).not_to_have_count(0)
    reader.page(settled(tab), "the verdicts")
    for mark in ("pin", "exclusion"):
        tab.page.locator(".marking > .menu > summary").first.dispatch_event("click")
        tab.page.locator(f"[data-mark-as={mark}]").first.dispatch_event("click")
        expect(tab.page.locator("#toasts .toast")).to_be_visible()
        reader.page(settled(tab), f"a message with {mark}")
    tab.page.locator("[data-action=edit]").last.dispatch_event("click")
    reader.page(tab.page, "a message while it is edited")


def test_answers_that_are_not_whole(tab, provider, reader):
    statuses = [400, 401, 402, 403, 404, 408, 413, 429, 500]
    begin(tab)
    provider.script(*[Reply(status=status) for status in statuses])
    tab.say(QUESTION)
    expect_end(tab, "failed")
    reader.page(tab.page, "a failed answer")
    provider.reset()
    provider.script(Reply(text=[ANSWER] * 3, hang_after=2))
    tab.say(QUESTION)
    expect(tab.answers.last).to_contain_text("八時")
    reader.page(tab.page, "an answer under way")
    tab.page.locator("#composer .stop").click()
    expect_end(tab, "stopped")
    reader.page(tab.page, "a stopped answer")


def test_approvals_and_refusals(tab, provider, reader):
    begin(tab, "agent=courier1")
    second = Call("send_note", NOTE.arguments, id="note2")
    provider.script(calling(NOTE, second, CLOCK), Reply(text=[ANSWER]))
    tab.say(QUESTION)
    expect(tab.page.locator("[data-decide=approve]")).to_have_count(2)
    reader.page(tab.page, "a call that waits")
    tab.page.locator("[data-decide=approve]").first.click()
    expect(tab.page.locator("[data-decide=approve]")).to_have_count(1)
    reader.page(tab.page, "a call that is approved")
    tab.page.locator("[data-decide=refuse]").click()
    expect_end(tab, "done")
    reader.page(tab.page, "calls that are decided")


def test_several_agents(tab, ada, provider, reader):
    ask = Call("ask_goldfish1", '{"task": "いくつ"}', id="a1")
    begin(tab)
    provider.script(calling(ask), *[Reply(text=[ANSWER])] * 2)
    tab.ask(QUESTION)
    tab.page.locator("details.tool").first.evaluate("card => card.open = true")
    tab.page.locator("details.asked > summary").click()
    expect(tab.page.locator(".delegation .speaker")).to_be_visible()
    reader.page(settled(tab), "a delegation")
    tab.page.locator(".delegation a").last.click()
    expect(tab.page.locator(".asked-by")).to_be_visible()
    reader.page(settled(tab), "the asked agent's chat")
    begin(tab, "network=team1&debug=true")
    provider.script(calling(TRANSFER), Reply(text=[ANSWER]))
    tab.ask(QUESTION)
    expect(tab.page.locator(".hand-over")).to_be_visible()
    reader.page(settled(tab), "a network's chat")


def test_commands_and_settings(tab, provider, reader, forgiven):
    begin(tab)
    provider.script(*[Reply(text=[ANSWER * 40])] * 3)
    for command in ("/foo1", "/undo", "/compact", "/config"):
        tab.field.fill(command)
        tab.page.keyboard.press("Enter")
        reader.page(settled(tab), f"{command} in an empty chat")
        tab.page.keyboard.press("Escape")
    for _ in range(3):
        tab.field.fill("")
        tab.ask(QUESTION)
    provider.script(*[Reply(text=['{"要約": "八時"}'])] * 2)
    for command in ("/undo", "/undo 7", "/compact", "/compact"):
        tab.field.fill(command)
        tab.page.keyboard.press("Enter")
        reader.page(settled(tab), command)
    tab.field.fill("/config")
    tab.page.keyboard.press("Enter")
    fields = tab.page.locator("#memory-panel [name=max_items]")
    expect(fields).to_be_visible()
    reader.page(tab.page, "/config")
    fields.fill("1")
    fields.press("Enter")
    expect(tab.page.locator(".memory-error")).to_be_visible()
    reader.page(tab.page, "/config with a bad value")
    fields.fill("2")
    fields.press("Enter")
    expect(tab.page.locator(".memory-said")).to_be_visible()
    reader.page(tab.page, "/config saved")


def test_the_panel(tab, provider, reader):
    begin(tab, "agent=demo1&debug=true&historyLength=x&maxMessages=3")
    reader.page(settled(tab), "the panel before a request")
    provider.script(
        *[Reply(text=[ANSWER], usage=USAGE)] * 4,
        Reply(calls=[CLOCK], finish="tool_calls", usage=USAGE),
        Reply(text=[ANSWER], usage=USAGE),
    )
    for _ in range(5):
        tab.ask(QUESTION)
    for part in ("raw-request", "raw-difference", "raw-response", "raw-events"):
        tab.panel.locator(f'[data-keep="{part}"] > summary').click()
    reader.page(settled(tab), "the panel")
    tab.page.locator("#gauge [data-why=window]").click()
    expect(tab.panel.locator(".zone:has(#zone-window)")).to_be_focused()
    tab.panel.locator("[name='set.policy']").select_option("all")
    expect(tab.panel.locator(".whatif-figures")).to_be_visible()
    reader.page(tab.page, "a try")
    tab.panel.locator("[data-compare] [type=submit]").click()
    expect(tab.panel.locator(".whatif-totals").first).to_be_visible()
    reader.page(tab.page, "a replay")
    tab.panel.locator("[data-take]").click()
    expect(tab.panel.locator(".whatif-said")).to_be_visible()
    reader.page(tab.page, "a try that was taken")
    tab.panel.locator("[name='set.length']").fill("999999")
    expect(tab.panel.locator("#what-if-result .whatif-fault")).to_be_visible()
    reader.page(tab.page, "a bad try")


def test_everybodys_settings(tab, ada, provider, reader):
    provider.script(Reply(text=[ANSWER], usage=USAGE))
    sign_in(tab, ada, "/chat%3Fagent=demo1%26debug=true")
    expect(tab.field).to_be_focused()
    reader.page(tab.page, "an empty chat of somebody signed in")
    tab.ask(QUESTION)
    tab.page.reload()
    tab.panel.locator("[name='set.length']").fill("7")
    tab.panel.locator("[data-everybody]").click()
    dialog = tab.page.locator("#everybody-dialog")
    expect(dialog).to_be_visible()
    reader.page(tab.page, "a try for everybody")
    dialog.locator("[type=submit]").click()
    undo = tab.panel.locator(".whatif-done button")
    expect(undo).to_be_focused()
    reader.page(tab.page, "settings for everybody")
    undo.click()
    expect(undo).to_have_count(0)
    reader.page(tab.page, "former settings for everybody")


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
    tab.page.keyboard.press("Enter")
    reader.page(settled(tab), "too many wrong passwords")
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
    tab.page.keyboard.press("Enter")
    reader.page(settled(tab), "a bad new password")


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
# What the API refuses; `~` is a conversation in which an answer is being written.
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
