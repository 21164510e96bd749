"""Files in a browser: people choose, drop, paste and send them, and nothing in them ever runs."""

from base64 import b64decode, b64encode

import pytest
from playwright.sync_api import expect

from tests.chatapp.uploads.hostile import polyglots
from tests.chatapp.uploads.hostile_pdfs import scanned
from tests.chatapp.uploads.making import image
from tests.provider import Reply

CHAT = "/chat?agent=demo"
GIVE = """([selector, kind, name, type, data]) => {
  const carried = new DataTransfer();
  const bytes = Uint8Array.from(atob(data), (sign) => sign.charCodeAt(0));
  carried.items.add(new File([bytes], name, { type }));
  const field = document.querySelector(selector);
  const options = { bubbles: true, cancelable: true };
  const event =
    kind === "paste"
      ? new ClipboardEvent("paste", { ...options, clipboardData: carried })
      : new DragEvent("drop", { ...options, dataTransfer: carried });
  field.dispatchEvent(event);
}"""
HUGE = """() => {
  const carried = new DataTransfer();
  carried.items.add(new File([new Uint8Array(20_000_001)], "film.txt", { type: "text/plain" }));
  const chooser = document.querySelector("#files");
  chooser.files = carried.files;
  chooser.dispatchEvent(new Event("change", { bubbles: true }));
}"""
MARKUP = ("SVG", "markup", "png with markup behind it", "gif with markup behind it")


def give(tab, kind, name, media_type, data, field="#text"):
    """Simulate pasting or dropping a file."""
    tab.page.evaluate(GIVE, [field, kind, name, media_type, b64encode(data).decode()])


def choose(tab, name, media_type, data):
    tab.page.set_input_files("#files", {"name": name, "mimeType": media_type, "buffer": data})


def chips(tab, state="ready"):
    return tab.page.locator(f".attachment[data-state={state}]")


def remove(tab, name):
    tab.page.get_by_role("button", name=f"Remove {name}").press("Enter")


def attach_three(tab):
    """Add three files: choose the first, drop the second, and paste the third."""
    choose(tab, "map.png", "image/png", image("PNG"))
    give(tab, "drop", "notes.txt", "text/plain", b"Berth 041 is empty")
    give(tab, "paste", "photo.jpg", "image/jpeg", image("JPEG"))


def test_a_message_goes_without_a_refused_file_only_after_that_was_said(tab):
    tab.open(CHAT)
    choose(tab, "map.png", "image/png", image("PNG"))
    give(tab, "drop", "setup.exe", "application/octet-stream", b"MZ\0\0")
    expect(chips(tab, "failed")).to_contain_text("setup.exe is of a type that can't be read here.")
    tab.field.press("Enter")
    said = "Not attached: setup.exe. Press Send again to send the rest."
    expect(tab.page.locator("#problem")).to_contain_text(said)
    expect(tab.page.locator(".message")).to_have_count(0)
    tab.page.evaluate(HUGE)
    expect(chips(tab, "failed").last).to_contain_text("film.txt is larger than 20 MB.")
    tab.field.press("Enter")
    expect(tab.page.locator("#problem")).to_contain_text("Not attached: film.txt.")
    tab.field.press("Enter")
    expect(tab.answers.last).to_have_attribute("data-status", "done")
    expect(tab.page.locator("[data-role=user] .attached > li")).to_have_count(1)


def test_files_beyond_what_a_message_can_have_are_told_when_they_are_chosen(tab):
    tab.open(CHAT)
    most = int(tab.page.locator("#files").get_attribute("data-most-files"))
    files = [
        {"name": f"{number}.txt", "mimeType": "text/plain", "buffer": b"A berth"}
        for number in range(most + 2)
    ]

    tab.page.set_input_files("#files", files)

    said = f"A message can have at most {most} files. Not attached: 2, from {most}.txt on."
    expect(tab.page.locator("#toasts")).to_contain_text(said)
    expect(chips(tab)).to_have_count(most)


def test_a_message_waits_for_its_files_until_somebody_types_on(tab):
    slow = []

    def keep_waiting(route):
        slow.append(route)

    tab.page.route("**/attachments", keep_waiting, times=1)
    tab.open(CHAT)
    attach_three(tab)
    expect(chips(tab, "uploading")).to_have_count(3)
    tab.field.press("Enter")
    expect(tab.page.locator("#problem[data-calm]")).to_contain_text("Will be sent when")
    tab.field.press_sequentially("Or not")
    tab.field.fill("")
    slow.pop().continue_()

    expect(chips(tab)).to_have_count(3)


@pytest.mark.daily
def test_files_attached_in_three_ways_are_kept_with_the_draft_and_sent(tab, provider):
    tab.open(CHAT)
    attach_three(tab)
    expect(chips(tab)).to_have_count(3)
    tab.page.goto(f"{tab.server.url}/chat?agent=seeker")
    expect(tab.field).to_be_focused()
    expect(tab.page.locator(".attachment")).to_have_count(0)
    tab.open(CHAT)
    names = tab.page.locator(".attachment .name")
    assert sorted(names.all_inner_texts()) == ["map.png", "notes.txt", "photo.jpg"]
    remove(tab, "photo.jpg")

    provider.script(Reply(text=["A map."]))
    tab.ask("What is this?")
    expect(chips(tab)).to_have_count(0)
    shown = tab.page.locator(".attached img")
    expect(shown).to_have_js_property("naturalWidth", 64)
    tab.page.locator(".attached-file summary").click()
    expect(tab.page.locator(".attached-file pre")).to_have_text("Berth 041 is empty")
    content = provider.requests[-1]["messages"][-1]["content"]
    (url,) = (part["image_url"]["url"] for part in content if part["type"] == "image_url")
    served = tab.page.request.get(tab.server.url + shown.get_attribute("src")).body()
    assert b64decode(url.removeprefix("data:image/png;base64,")) == served


@pytest.mark.daily
def test_a_picture_stops_loading_when_its_file_is_removed(tab):
    tab.open(CHAT)
    choose(tab, "map.png", "image/png", image("PNG"))
    expect(chips(tab)).to_have_count(1)
    loading = []

    def never_answer(route):
        loading.append(route.request)

    tab.page.route("**/attachments/*", never_answer)
    # A picture that is asked for before the page has loaded would keep the page loading for ever.
    with tab.page.expect_request("**/attachments/*"):
        tab.page.goto(tab.server.url + CHAT, wait_until="domcontentloaded")
    expect(chips(tab)).to_have_count(1)

    with tab.page.expect_event("requestfailed") as stopped:
        remove(tab, "map.png")

    assert loading == [stopped.value]
    assert stopped.value.failure == "net::ERR_ABORTED"


def ask_with_files(tab):
    """Send a message with three files; return locators of the message and of its edit form."""
    tab.open(CHAT)
    choose(tab, "map.png", "image/png", image("PNG"))
    choose(tab, "notes.txt", "text/plain", b"Berth 041 is empty")
    choose(tab, "scan.pdf", "application/pdf", scanned(2))
    expect(chips(tab)).to_have_count(3)
    tab.ask("What is this?")
    return tab.page.locator("[data-role=user]"), tab.page.locator(".edit-form")


def edit_with_other_file(tab, said, form):
    """Replace a message's files and text by one picture, after removing a refused file."""
    said.locator("[data-action=edit]").press("Enter")
    draft, send = form.get_by_role("textbox"), form.get_by_role("button", name="Send")
    draft.fill("")
    remove(tab, "map.png")
    remove(tab, "scan.pdf")
    expect(draft).to_be_focused()
    remove(tab, "notes.txt")
    expect(send).to_be_disabled()
    give(tab, "drop", "setup.exe", "application/octet-stream", b"MZ\0\0", ".edit-form")
    give(tab, "paste", "photo.jpg", "image/jpeg", image("JPEG"), ".edit-form textarea")
    send.click()
    expect(form.get_by_role("alert")).to_contain_text("Not attached: setup.exe.")
    remove(tab, "setup.exe")
    with tab.another_answer():
        send.press("Enter")


def test_an_edit_that_is_given_up_leaves_the_files_as_they_were(tab):
    said, form = ask_with_files(tab)
    names = form.locator(".attachment .name")

    said.locator("[data-action=edit]").press("Enter")
    expect(names).to_have_text(["map.png", "notes.txt", "scan.pdf"])
    expect(form.locator("img").first).to_have_js_property("naturalWidth", 64)
    expect(said.get_by_alt_text("scan.pdf, page 2")).to_have_count(1)
    give(tab, "paste", "other.png", "image/png", image("PNG"), ".edit-form textarea")
    expect(names).to_have_count(4)
    form.get_by_role("textbox").press("Escape")

    expect(form).to_be_hidden()
    expect(said.locator(".attached-file")).to_have_count(2)


def test_an_edited_message_loses_and_gains_files(tab, provider):
    said, form = ask_with_files(tab)
    edit_with_other_file(tab, said, form)
    expect(tab.field).to_be_focused()
    expect(chips(tab)).to_have_count(0)
    expect(said.locator(".attached > li")).to_have_count(1)
    expect(said.locator(".attached img")).to_have_attribute("alt", "photo.jpg")

    with tab.another_answer():
        tab.page.locator("[data-action=retry]").click()
    sent = [request["messages"][-1]["content"] for request in provider.requests]
    assert sent[-1] == sent[-2] != sent[0]
    assert [part["type"] for part in sent[-1]] == ["image_url"]
    said.get_by_role("button", name="Previous").click()
    expect(said.locator(".attached-image")).to_have_count(3)


def test_nothing_in_an_accepted_file_runs(browser, tab, provider):
    """Each file is opened as a page of its own, where a browser might run it."""
    tab.open(CHAT)
    files = polyglots()
    for number, name in enumerate(MARKUP):
        choose(tab, f"<img src=x onerror=alert({number})>.html", "text/html", files[name])
    expect(chips(tab)).to_have_count(len(MARKUP))
    provider.script(Reply(text=["Seen."]))
    tab.ask("Open these")
    chat = tab.page.url.partition("?")[0]
    images = [each.get_attribute("src") for each in tab.page.locator(".attached img").all()]
    message = tab.page.locator("[data-role=user]").get_attribute("data-message")
    texts = [f"{chat}/messages/{message}/files/{number}" for number in (0, 1)]

    dialogs = []
    context = browser.new_context(storage_state=tab.page.context.storage_state())
    page = context.new_page()  # No complaints are collected: blocked styles log errors.
    page.on("dialog", lambda dialog: (dialogs.append(dialog.message), dialog.dismiss()))
    for address in (*(tab.server.url + each for each in images), *texts):
        page.goto(address)
        kind = page.evaluate("document.contentType")
        assert kind in {"image/png", "text/plain"}, address
        assert page.locator("script, svg").count() == 0

    context.close()
    assert len(images) == 2
    assert dialogs == []
