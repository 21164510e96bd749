"""Screen readers get each answer to read aloud, even in a hidden tab or out of view."""

from playwright.sync_api import expect

from tests.provider import Call, Reply

LONG = [f"Line {number}.\n\n" for number in range(60)]
UP = "document.querySelector('.message').scrollIntoView()"


def read_out(tab):
    return tab.page.locator("#final")


def test_a_whole_answer_is_read_out(tab, provider):
    provider.script(Reply(text=["First **this**.\n\n", "Then `that`."]))
    tab.open()

    tab.ask("Hello")

    expect(read_out(tab)).to_have_text("First this.\nThen that.")


def test_code_is_read_out_without_its_button_and_a_tool_is_not_read_again(tab, provider):
    calls = [Call("calculator", '{"expression": "2+3"}')]
    provider.script(Reply(calls=calls), Reply(text=["This:\n\n```python\nx = 5\n```\n"]))
    tab.open()

    tab.ask("Hello")

    expect(tab.page.locator(".tool")).to_have_count(1)
    expect(read_out(tab)).to_have_text("This:\nx = 5")


def test_an_answer_out_of_view_is_read_out(tab, provider):
    provider.script(Reply(text=LONG), Reply(text=[*LONG, "The end."], hang_after=60))
    tab.open()
    tab.ask("Hello")
    tab.say("Again")
    expect(tab.answers.last).to_contain_text("Line 59.")
    tab.page.evaluate(UP)
    expect(tab.page.locator(".message").first).to_be_in_viewport()

    provider.release()

    expect(read_out(tab)).to_contain_text("Line 0.\nLine 1.")
    expect(read_out(tab)).to_contain_text("The end.")


def test_an_answer_in_a_tab_behind_another_one_is_read_out(tab):
    tab.open()
    tab.ask("Hello")
    behind = tab.another(tab.path)
    tab.page.bring_to_front()

    tab.ask("Again")

    expect(read_out(behind)).to_have_text("reply 2")


def test_why_an_answer_failed_is_read_out(tab, provider, complaints):
    provider.script(Reply(text=["Half"], finish=None, cut_after=1))
    tab.open()

    tab.say("Hello")

    expect(tab.answers.last).to_have_attribute("data-status", "failed")
    reason = tab.answers.last.locator(".ending p").inner_text()
    expect(read_out(tab)).to_have_text(f"Half\n{reason}", use_inner_text=False)
