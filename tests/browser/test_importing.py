"""A person imports chats in the sidebar's dialog, then reads and continues them."""

import json

import pytest
from playwright.sync_api import expect

from tests.browser.test_accessibility import violations
from tests.history.services.imports.files import chatgpt, node, zipped
from tests.provider import Reply

CHAT = chatgpt(
    node("s", "root", "system", "Be rude."),
    node("a", "s", text="The capital of France?"),
    node("b", "a", "assistant", "Paris", metadata={"model_slug": "gpt-4o"}),
    title="Capitals",
)
BROKEN = {"title": "Broken", "mapping": 7}


def opened(tab):
    tab.page.locator("summary.account").click()
    tab.page.get_by_role("button", name="Import chats").click()
    dialog = tab.page.locator("#import-dialog")
    expect(dialog).to_be_visible()
    return dialog


@pytest.mark.daily
def test_a_file_is_imported_reported_and_its_chat_goes_on(tab, provider):
    provider.script(Reply(text=["Madrid"]))
    tab.open()
    dialog = opened(tab)
    data = zipped({"conversations.json": [CHAT, BROKEN]})
    given = {"name": "chatgpt.zip", "mimeType": "application/zip", "buffer": data}
    dialog.locator("[type=file]").set_input_files(given)
    dialog.get_by_role("button", name="Import", exact=True).click()
    report = dialog.locator(".import-report[data-state=done]")
    expect(report).to_contain_text("1 chat imported")
    expect(report).to_contain_text("Not a chat")
    assert violations(tab) == []
    report.get_by_role("link", name="Capitals").click()

    expect(dialog).to_be_hidden()
    expect(tab.page.locator(".chat-header .imported-mark")).to_be_visible()
    expect(tab.page.locator(".message[data-role=system]")).to_contain_text("never sent")
    expect(tab.answers).to_contain_text("Imported · gpt-4o")
    tab.ask("And of Spain?")
    sent = [message["content"] for message in provider.requests[-1]["messages"]]
    assert sent[-3:] == ["The capital of France?", "Paris", "And of Spain?"]
    assert not any("rude" in text for text in sent)


def test_an_imported_answer_is_tried_again(tab, provider):
    provider.script(Reply(text=["Paris, still."]))
    tab.open()
    dialog = opened(tab)
    dialog.locator("[type=file]").set_input_files(ONE)
    dialog.get_by_role("button", name="Import", exact=True).click()
    dialog.get_by_role("link", name="Capitals").click()
    expect(tab.answers).to_contain_text("Imported · gpt-4o")

    with tab.another_answer():
        tab.page.get_by_role("button", name="Retry").click()

    expect(tab.answers).to_contain_text("Paris, still.")
    expect(tab.answers.locator(".switcher")).to_contain_text("2 / 2")
    assert provider.requests[-1]["messages"][-1]["content"] == "The capital of France?"


ONE = {"name": "one.json", "mimeType": "application/json", "buffer": json.dumps([CHAT]).encode()}
DROP = """([name, text]) => {
  const data = new DataTransfer();
  data.items.add(new File([text], name, { type: "application/json" }));
  return data;
}"""


def test_the_keyboard_alone_imports_a_file(tab):
    page = tab.page
    page.on("filechooser", lambda chooser: chooser.set_files([ONE]))
    tab.open()
    page.locator("summary.account").focus()
    page.keyboard.press("Enter")
    page.get_by_role("button", name="Import chats").focus()
    page.keyboard.press("Enter")
    dialog = page.locator("#import-dialog")
    expect(dialog).to_be_visible()
    dialog.locator("[type=file]").focus()
    page.keyboard.press("Enter")
    expect(dialog.locator("[data-chosen]")).to_have_text("one.json")
    page.keyboard.press("Tab")
    expect(dialog.get_by_label("Who answers")).to_be_focused()
    page.keyboard.press("Tab")
    expect(dialog.get_by_label("as copies")).to_be_focused()
    for _ in range(2):
        page.keyboard.press("Tab")
    expect(dialog.get_by_role("button", name="Import", exact=True)).to_be_focused()
    page.keyboard.press("Enter")
    expect(dialog.locator(".import-report[data-state=done]")).to_contain_text("1 chat imported")
    page.keyboard.press("Escape")
    expect(dialog).to_be_hidden()
    expect(page.locator("summary.account")).to_be_focused()


def test_what_was_wrong_with_a_file_goes_when_another_is_chosen(tab):
    tab.open()
    dialog = opened(tab)
    bad = {"name": "bad.json", "mimeType": "application/json", "buffer": b'{"x": 1}'}
    dialog.locator("[type=file]").set_input_files(bad)
    dialog.get_by_role("button", name="Import", exact=True).click()
    expect(dialog.locator("#import-report [data-state=failed]")).to_be_visible()

    dialog.locator("[type=file]").set_input_files(ONE)

    expect(dialog.locator(".import-report")).to_have_count(0)


def test_the_search_that_is_led_to_from_the_dialog_keeps_the_focus(tab):
    tab.open()
    dialog = opened(tab)
    tab.page.keyboard.press("Control+k")
    expect(dialog).to_be_hidden()
    expect(tab.page.locator("#import-dialog > *")).to_have_count(0)

    expect(tab.page.locator("#chat-search")).to_be_focused()


def test_a_file_is_dropped_on_the_dialog_and_not_on_the_chat(tab):
    tab.open()
    dialog = opened(tab)
    text = json.dumps([CHAT])
    dropped = tab.page.evaluate_handle(DROP, ["dropped.json", text])
    dialog.locator(".import-drop").dispatch_event("drop", {"dataTransfer": dropped})
    expect(dialog.locator("[data-chosen]")).to_have_text("dropped.json")
    dialog.get_by_role("button", name="Import", exact=True).click()
    expect(dialog.locator(".import-report[data-state=done]")).to_contain_text("1 chat imported")
    expect(tab.page.locator(".tray .attachment")).to_have_count(0)


def test_an_import_is_undone_and_that_is_taken_back(tab, provider):
    provider.script(Reply(text=["Madrid"]))
    tab.open()
    dialog = opened(tab)
    other = CHAT | {"conversation_id": "c-2", "title": "Rivers"}
    given = {**ONE, "buffer": json.dumps([CHAT, other]).encode()}
    dialog.locator("[type=file]").set_input_files(given)
    dialog.get_by_role("button", name="Import", exact=True).click()
    dialog.get_by_role("link", name="Rivers").click()
    expect(tab.page.get_by_role("heading", level=1)).to_have_text("Rivers")
    tab.ask("And of Spain?")
    listed = tab.page.locator("#chats .chat-entry")
    expect(listed).to_have_count(2)

    tab.page.reload()
    earlier = opened(tab).locator(".import-recent")
    earlier.get_by_text("one.json").click()
    earlier.get_by_text("Undo this import").click()
    expect(earlier.locator(".import-undo")).to_contain_text("Deletes the 1 chat")
    expect(earlier.locator(".import-undo")).to_contain_text(
        "1 chat was continued here and will be kept."
    )
    assert violations(tab) == []
    earlier.get_by_role("button", name="Delete").click()

    expect(dialog.locator(".import-undone")).to_contain_text("1 chat deleted.")
    expect(listed).to_have_count(1)
    expect(listed).to_contain_text("Rivers")
    dialog.get_by_role("button", name="Restore").click()
    expect(listed).to_have_count(2)
    expect(dialog.locator(".import-undone")).to_have_count(0)


def test_a_file_that_is_no_export_is_told_in_the_dialog(tab):
    tab.open()
    dialog = opened(tab)
    given = {"name": "notes.json", "mimeType": "application/json", "buffer": b'{"a": 1}'}
    dialog.locator("[type=file]").set_input_files(given)
    dialog.get_by_role("button", name="Import", exact=True).click()
    expect(dialog.locator(".import-report[data-state=failed]")).to_contain_text("can be imported")


def test_a_closed_dialog_says_later_how_it_ended(tab):
    tab.open()
    dialog = opened(tab)
    many = [CHAT | {"conversation_id": str(n), "title": f"Chat {n}"} for n in range(30)]
    given = {**ONE, "name": "many.json", "buffer": json.dumps(many).encode()}
    dialog.locator("[type=file]").set_input_files(given)
    dialog.get_by_role("button", name="Import", exact=True).click()
    tab.page.keyboard.press("Escape")

    expect(tab.page.locator(".toasts")).to_contain_text("many.json: 30 chats imported")
    expect(tab.page.locator("#chats")).to_contain_text("Chat 29")


def test_a_dialog_closed_before_its_report_came_says_how_it_ended(tab):
    tab.open()
    dialog = opened(tab)
    dialog.locator("[type=file]").set_input_files(ONE)
    escape = tab.page.keyboard.press
    tab.page.route("**/imports/*", lambda at: (escape("Escape"), at.continue_()), times=1)
    dialog.get_by_role("button", name="Import", exact=True).click()

    expect(dialog).to_be_hidden()
    expect(tab.page.locator(".toasts")).to_contain_text("1 chat imported")


def test_the_menu_saves_a_chat_and_the_account_all_of_them(tab):
    tab.open()
    tab.ask("Where to?")
    for name, ending, word in (
        ("Export as Markdown", ".md", "Where to?"),
        ("Export without thoughts", ".md", "Where to?"),
        ("Export as JSON", ".json", "vitrine-chat"),
    ):
        tab.page.get_by_label("Chat menu").click()
        with tab.page.expect_download() as saved:
            tab.page.get_by_role("link", name=name).click()
        assert saved.value.suggested_filename.endswith(ending)
        assert word in saved.value.path().read_text()
    tab.page.goto(f"{tab.server.url}/account")
    with tab.page.expect_download() as saved:
        tab.page.get_by_role("link", name="Export everything (JSON)").click()
    assert saved.value.suggested_filename.startswith("vitrine-chats-")
    assert saved.value.path().read_bytes().startswith(b"PK")


def test_a_continued_answer_reads_the_same_in_the_copy(tab, provider):
    broken = ["Look:\n\n```python\n", "print(41"]
    rest = ")\nprint(42)\n```\n\nEnd."
    provider.script(Reply(text=[*broken, "x"], hang_after=2), Reply(text=[rest]))
    tab.open()
    tab.say("Which berth?")
    expect(tab.answers.last).to_contain_text("print(41")
    tab.page.keyboard.press("Escape")
    tab.page.get_by_role("button", name="Continue").click()
    expect(tab.answers.last).to_have_attribute("data-status", "done")
    tab.page.reload()
    told = shown(tab)
    tab.page.get_by_label("Chat menu").click()
    with tab.page.expect_download() as saved:
        tab.page.get_by_role("link", name="Export as JSON").click()
    data = saved.value.path().read_bytes()

    dialog = opened(tab)
    given = {"name": "berths.json", "mimeType": "application/json", "buffer": data}
    dialog.locator("[type=file]").set_input_files(given)
    dialog.get_by_role("button", name="Import", exact=True).click()
    report = dialog.locator(".import-report[data-state=done]")
    expect(report).to_contain_text("1 already here and left alone")
    dialog.get_by_label("as copies").check()
    dialog.locator("[type=file]").set_input_files(given)
    dialog.get_by_role("button", name="Import", exact=True).click()
    expect(report).to_contain_text("1 chat imported")
    report.get_by_role("link", name="Copy of Which berth?").click()

    expect(tab.page.locator(".chat-header .imported-mark")).to_be_visible()
    assert shown(tab) == told == ["Look:", "print(41)\nprint(42)", "End."]


def shown(tab):
    visible = tab.transcript.locator(".answer :is(p, pre):visible")
    expect(visible).to_have_count(3)
    return [text.strip() for text in visible.all_inner_texts()]
