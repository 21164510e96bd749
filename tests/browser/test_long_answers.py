"""An answer whose formatting becomes too costly continues as plain text, and stays complete."""

from playwright.sync_api import expect

from tests.provider import Reply

SENTENCE = "This message is too long to format. The rest is shown as plain text."
ITEMS = "- *item*\n" * 5_000


def test_the_rest_of_an_answer_that_is_too_long_comes_plainly(tab, provider):
    provider.script(Reply(text=["*Soon:*\n\n", ITEMS, "- *one* ", "more\n", "END"], hang_after=4))
    tab.open()
    tab.say("Go on")

    answer = tab.answers.last
    expect(answer.locator(".settled .too-long")).to_have_text(SENTENCE)
    expect(answer.locator(".settled em")).to_have_text(["Soon:"])
    expect(answer.locator(".tail > pre.plain")).to_contain_text("- *one* more")
    provider.release()
    expect(answer).to_have_attribute("data-status", "done")

    for _ in range(2):
        expect(answer.locator(".too-long")).to_have_text(SENTENCE)
        expect(answer.locator("pre.plain")).to_have_text(f"{ITEMS}- *one* more\nEND")
        tab.page.reload()
