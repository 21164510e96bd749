"""Read the text of pages."""

import re

from django.urls import reverse

NAMED = re.compile(r"<code>(\w*(?:=[^<]*|[A-Z_][^<]*))</code>")  # A name, set as code.


def page(client, path, **options):
    response = client.get(path, **options)
    assert response.status_code == 200
    return NAMED.sub(r"\1", response.content.decode())


def chat_page(client, conversation, query=""):
    return page(client, reverse("chat", args=[conversation.pk]) + query)


def data(html, name):
    return re.findall(rf'data-{name}="([^"]*)"', html)


def memory_address(conversation, query=""):
    return f"/chat/{conversation.pk}/memory{query}"
