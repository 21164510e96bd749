"""What the tests of accounts type and read."""

import html
import re

OLD, NEW = "correct horse battery", "quiet green harbour"


def text_of(response):
    """Return what a reader sees, blanks folded."""
    text = re.sub(r"<[^>]+>", " ", response.content.decode())
    return re.sub(r"\s+", " ", html.unescape(text)).strip()


def path_of(text):
    """Return the path of a reset link in a text."""
    return re.search(r"https?://[^/\s]+(/account/reset/\S+)", text)[1]


def set_password(client, path, password=NEW):
    """Open a reset link and set a password there, as a person does."""
    form = client.get(path, follow=True)
    if not form.redirect_chain:
        return form
    fields = {"new_password1": password, "new_password2": password}
    return client.post(form.request["PATH_INFO"], fields, follow=True)
