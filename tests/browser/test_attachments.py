"""Files in a real browser: chosen, dropped and pasted, sent, shown, and never run."""

from base64 import b64decode, b64encode

from playwright.sync_api import expect

from tests.chatapp.uploads.hostile import image, polyglots
from tests.provider import Reply

CHAT = "/chat?agent=demo"
GIVE = """([kind, name, type, data]) => {
  const carried = new DataTransfer();
  const bytes = Uint8Array.from(atob(data), (sign) => sign.charCodeAt(0));
  carried.items.add(new File([bytes], name, { type }));
  const field = document.getElementById("text");
  const options = { bubbles: true, cancelable: true };
  const event =
    kind === "paste"
      ? new ClipboardEvent("paste", { ...options, clipboardData: carried })
      : new DragEvent("drop", { ...options, dataTransfer: carried });
  field.dispatchEvent(event);
}"""
MARKUP = ("SVG", "markup", "png with markup behind it", "gif with markup behind it")


def give(tab, kind, name, media_type, data):
    """Let the page have a file as if it were pasted or dropped."""
    tab.page.evaluate(GIVE, [kind, name, media_type, b64encode(data).decode()])


def choose(tab, name, media_type, data):
    tab.page.set_input_files("#files", {"name": name, "mimeType": media_type, "buffer": data})


def chips(tab, state="ready"):
    return tab.page.locator(f".attachment[data-state={state}]")


def test_files_are_attached_in_three_ways_kept_with_the_draft_and_sent(tab, provider):
    tab.open(CHAT)
    choose(tab, "map.png", "image/png", image("PNG"))
    give(tab, "drop", "notes.txt", "text/plain", b"Berth 041 is empty")
    give(tab, "paste", "photo.jpg", "image/jpeg", image("JPEG"))
    give(tab, "drop", "setup.exe", "application/octet-stream", b"MZ\0\0")
    expect(chips(tab)).to_have_count(3)
    expect(chips(tab, "failed")).to_contain_text("setup.exe is of a type that can't be read here.")
    tab.page.get_by_role("button", name="Remove setup.exe").press("Enter")

    tab.page.reload()
    expect(chips(tab)).to_have_count(3)
    tab.page.get_by_role("button", name="Remove photo.jpg").click()

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

    provider.script(Reply(text=["Still a map."]))
    tab.page.locator("[data-role=user]").hover()
    tab.page.locator("[data-action=edit]").click()
    tab.page.locator(".edit-form textarea").fill("And now?")
    tab.page.locator(".edit-form").get_by_role("button", name="Send").click()
    expect(tab.answers).to_contain_text("Still a map.")
    expect(shown).to_have_count(1)


def test_nothing_in_an_accepted_file_runs(browser, tab, provider):
    """Each is opened by itself, where a browser would run what it took for a page or a script."""
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
    page = context.new_page()  # The sandbox forbids a browser's own style for an image, loudly.
    page.on("dialog", lambda dialog: (dialogs.append(dialog.message), dialog.dismiss()))
    for address in (*(tab.server.url + each for each in images), *texts):
        page.goto(address)
        kind = page.evaluate("document.contentType")
        assert kind in {"image/png", "text/plain"}, address
        assert page.locator("script, svg").count() == 0

    context.close()
    assert len(images) == 2
    assert dialogs == []
