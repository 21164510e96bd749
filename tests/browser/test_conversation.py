"""The transcript stays whole, a trimmed request is sent, and the panel explains the request."""

import pytest
from playwright.sync_api import expect

from history.core.settings.spec import LayerName
from tests.browser.tab import squeezed
from tests.provider import Reply
from tests.told import last_turns

TRIMMING = "/chat?agent=demo&historyPolicy=lastN&historyLength=2"
TURNS = 6
SPEAKERS = {"user": "user", "assistant": "agent"}


@pytest.fixture
def told(tab, provider):
    """Hold six turns, typed by keyboard, with the inspector's panel open."""
    tab.open(f"{TRIMMING}&debug=true")
    provider.script(*[Reply(text=["answer ", str(turn)]) for turn in range(1, TURNS + 1)])
    for turn in range(1, TURNS + 1):
        tab.ask(f"question {turn}")
    expect(tab.panel).to_contain_text(f"Turn {TURNS} of {TURNS}")
    return tab


def verdicts(plan):
    """Map each message's position to its verdict."""
    return {
        position: entry["verdict"]
        for entry in plan["entries"]
        if entry["first"] is not None
        for position in range(entry["first"], entry["last"] + 1)
    }


def rows(tab):
    """Map positions to verdicts and texts, as the panel's map shows them with every fold open."""
    folds = tab.panel.locator(".run .show")
    while folds.count():
        folds.first.click()
        expect(folds.first).not_to_be_attached()
    shown = tab.panel.locator(".map .row[data-position]").all()
    return {
        int(row.get_attribute("data-position")): (
            row.get_attribute("data-verdicts"),
            squeezed(row.locator(".text").inner_text()),
        )
        for row in shown
    }


def as_shown(message):
    turn = f" turn {message['turn']}" if message["role"] == "user" else ""
    return f"{SPEAKERS[message['role']]}{turn} {message['text']}"


def test_request_plan_and_panel_agree_message_by_message(told, provider):
    record = told.api(f"/turns/{TURNS}/context")
    stored = {m["position"]: m for m in told.api("/messages")["messages"]}
    verdict = verdicts(record["plan"])

    assert verdict == {position: "T" if position < 8 else "K" for position in range(11)}
    assert rows(told) == {p: (verdict[p], as_shown(stored[p])) for p in verdict}
    request = [(m["role"], m["content"]) for m in provider.requests[-1]["messages"]]
    assert request[1:] == [
        (stored[p]["role"], stored[p]["text"]) for p in verdict if verdict[p] == "K"
    ]
    assert len(provider.requests) == TURNS


def test_what_was_sent_ahead_of_the_transcript_is_in_the_panel(tab, provider):
    tab.open("/chat?agent=demo&debug=true")
    tab.ask("Hello")
    (request,) = provider.requests
    injected = tab.panel.locator('.map .row[data-verdicts="+"]')
    injected.locator("summary", has_text="system prompt").click()

    assert injected.locator("pre").inner_text() == request["messages"][0]["content"]
    expect(injected.last).to_contain_text(
        ", ".join(tool["function"]["name"] for tool in request["tools"])
    )


def test_the_transcript_still_shows_every_turn(told):
    whole = [f"{kind} {turn}" for turn in range(1, TURNS + 1) for kind in ("question", "answer")]

    assert told.said() == whole
    told.page.reload()
    assert told.said() == whole


@pytest.mark.daily
def test_the_panel_names_the_settings_and_their_sources(tab):
    tab.open(f"{TRIMMING}&debug=true")
    tab.ask("Hello")
    expect(tab.panel).to_contain_text("Turn 1 of 1")
    policy, length = tab.panel.locator(".cascade .winner").all()[:2]

    alike = "2 others with the same value"
    won = "History policy lastN the last turns ◀ historyPolicy in the address"
    assert squeezed(policy.inner_text()) == f"{won} {alike}"
    assert squeezed(length.inner_text()) == "History length 2 ◀ historyLength in the address"
    expect(tab.panel.locator(".cascade s").first).to_be_hidden()
    tab.panel.get_by_text(alike).click()
    expect(tab.panel.locator(".cascade s").first).to_have_text("lastN")
    expect(tab.panel.locator(".cascade .loser").first).to_contain_text("20 agent demo v1")


def test_a_line_says_what_is_not_sent_without_debug_too(tab):
    tab.open(TRIMMING)
    for turn in range(1, 4):
        tab.ask(f"question {turn}")

    cut = tab.page.locator(".cut")
    expect(cut).to_contain_text(last_turns(2, left_out=2, by=LayerName.URL))
    assert cut.locator("xpath=following-sibling::article[1]").get_attribute("data-turn") == "2"
    expect(tab.panel).not_to_be_attached()


@pytest.mark.daily
def test_the_plan_is_in_the_panel_before_the_first_token(tab, provider):
    tab.open("/chat?agent=demo&debug=true")
    tab.ask("question 1")
    provider.script(Reply(text=["at last"], hang_after=0))

    tab.say("question 2")

    expect(tab.panel).to_contain_text("Turn 2 of 2")
    expect(tab.panel.locator('.row[data-position="2"]')).to_contain_text("user turn 2 question 2")
    assert tab.said()[2:] == ["question 2", ""]
    provider.release()
    expect(tab.answers.last).to_have_attribute("data-status", "done")


def test_an_invalid_value_in_the_address_is_said_on_the_page(tab, provider):
    tab.open("/chat?agent=demo&historyLength=many&debug=true")

    expect(tab.page.locator(".notice")).to_contain_text("historyLength=many")
    tab.ask("Hello")
    expect(tab.panel.locator(".inspector-notes.ignored")).to_contain_text("historyLength=many")
    expect(tab.panel.locator(".fields")).to_contain_text("agent demo v1")


@pytest.mark.parametrize("query", ["", "&debug=true"], ids=["the chat", "beside the panel"])
def test_the_document_does_not_scroll_into_blank_space(tab, provider, query):
    """Only the transcript scrolls, including its hidden texts for screen readers."""
    provider.script(Reply(text=[f"Paragraph {number}.\n\n" for number in range(200)]))
    tab.open(f"/chat?agent=demo{query}")
    tab.ask("At length, please")
    expect(tab.answers).to_contain_text("Paragraph 199.")
    tab.page.reload()
    expect(tab.answers).to_contain_text("Paragraph 199.")

    document, viewport, transcript = tab.page.evaluate(
        """() => [document.documentElement.scrollHeight, innerHeight,
                  document.getElementById("scroller").scrollHeight]"""
    )

    assert document == viewport
    assert transcript > 4 * viewport
