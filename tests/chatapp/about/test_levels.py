"""The headings of a document's page have one `h1`, and skip no level."""

import re
from itertools import pairwise

import pytest

from chatapp.about.documents import documents

PAGES = ["/about", "/about/docs/keys", *(f"/about/docs/{name}" for name in documents())]


@pytest.mark.parametrize("address", PAGES)
def test_headings_skip_no_level(client, db, address):
    page = client.get(address)

    levels = [int(level) for level in re.findall(r"<h([1-6])\b", page.text)]
    assert page.status_code == 200
    assert levels[0] == 1
    assert levels.count(1) == 1
    assert [pair for pair in pairwise(levels) if pair[1] > pair[0] + 1] == []
