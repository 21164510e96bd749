"""Helpers that read and submit the pages of accounts."""

import html
import re

OLD, NEW = "correct horse battery", "quiet green harbour"


def text_of(response):
    """Return the text that a reader sees; runs of blanks become one."""
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
