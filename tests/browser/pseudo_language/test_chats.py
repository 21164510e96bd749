"""In the pseudo-language, no text of the app in a chat has plain letters, not even hidden texts.

People and models write Japanese in these tests; names for programs contain a digit or an
underscore. So plain letters can only come from an untranslated text.
"""

from playwright.sync_api import expect

from tests.browser.pseudo_language.steps import (
    ANSWER,
    CLOCK,
    NOTE,
    QUESTION,
    TRANSFER,
    USAGE,
    begin,
    command,
    expect_end,
    settled,
    sign_in,
)
from tests.provider import Call, Reply
from tests.running.malformed_streams import calling


def test_a_chat(tab, provider, reader):
    begin(tab)
    reader.page(tab.page, "an empty chat")
    provider.script(*[Reply(text=[ANSWER], usage=USAGE)] * 3, calling(CLOCK), Reply(text=[ANSWER]))
    for _ in range(4):
        tab.ask(QUESTION)
    reader.page(tab.page, "a chat with a tool call")
    for opener in tab.page.locator("[data-more]").all():
        opener.dispatch_event("click")
        tab.page.locator("[data-asks-verdict]").dispatch_event("click")
    expect(tab.page.locator(".verdict-card")).not_to_have_count(0)
    for mark in ("pin", "exclusion"):
        tab.page.locator(".marking > [data-more]").first.dispatch_event("click")
        reader.page(settled(tab), f"the verdicts, and the menu before {mark}")
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


def test_commands_in_an_empty_chat(tab, reader, forgiven):
    begin(tab)
    for text in ("/foo1", "/undo", "/compact"):
        command(tab, text, "#problem")
        reader.page(tab.page, f"{text} in an empty chat")
    command(tab, "/config", "#config-dialog")
    reader.page(tab.page, "/config in an empty chat")


def test_commands(tab, provider, reader, forgiven):
    begin(tab)
    provider.script(*[Reply(text=[ANSWER * 40])] * 3)
    for _ in range(3):
        tab.field.fill("")
        tab.ask(QUESTION)
    provider.script(*[Reply(text=['{"要約": "八時"}'])] * 2)
    for text in ("/undo", "/undo 7"):
        command(tab, text, "#problem")
        reader.page(tab.page, text)
    for _ in range(2):
        command(tab, "/compact", ".toast")
        reader.page(tab.page, "/compact")
        tab.page.locator(".toast [data-dismiss]").click()


def test_settings(tab, provider, reader, forgiven):
    begin(tab)
    provider.script(Reply(text=[ANSWER]))
    tab.ask(QUESTION)
    command(tab, "/config", "#config-dialog")
    tab.page.locator(".memory-more > summary").first.click()
    fields = tab.page.locator("#memory-panel [name=max_items]")
    reader.page(tab.page, "/config")
    for value, shown, name in (("1", ".memory-error", "a bad value"), ("2", "#toasts .done", "2")):
        fields.fill(value)
        fields.press("Enter")
        expect(tab.page.locator(shown)).to_be_visible()
        reader.page(tab.page, f"/config with {name}")


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
    tab.page.locator("#gauge [data-why=reason]").click()
    expect(tab.panel.locator(".map .row:focus")).to_be_in_viewport()
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
    expect(tab.panel.locator(".whatif-fault[data-fault-of='set.length']")).to_be_visible()
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
