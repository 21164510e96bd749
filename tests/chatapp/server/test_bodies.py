"""The same limit applies to all bodies, whether or not their length is declared."""

import json
import tempfile

import pytest
from django.conf import settings

from tests.asgi import PIECE, ask

pytestmark = pytest.mark.django_db(transaction=True)
MOST = settings.DATA_UPLOAD_MAX_MEMORY_SIZE
SENTENCE = f"The request is too large. The limit is {MOST:,} bytes."
both = pytest.mark.parametrize("declared", [True, False], ids=["declared", "in chunks"])


def sent(address, size, *, declared):
    length = {"Content-Length": str(size)} if declared else {}
    answer = ask("POST", address, size=size, headers=length)
    return answer, answer.status, answer.headers["content-type"].partition(";")[0]


@both
@pytest.mark.parametrize("address", ["/chat", "/nowhere", "/healthz", "/admin/login/"])
@pytest.mark.parametrize(
    "size", [MOST + 1, 10 * MOST, 100_000_000], ids=["1 more", "10 times", "100 MB"]
)
def test_a_longer_one_is_refused_with_a_sentence(address, size, declared):
    answer, *told = sent(address, size, declared=declared)

    assert (*told, answer.body.decode()) == (413, "text/plain", SENTENCE)
    assert answer.taken <= (0 if declared else MOST + PIECE)


@both
@pytest.mark.parametrize("address", ["/api/conversations", "/api/nowhere"])
def test_a_program_is_refused_with_a_code(address, declared):
    answer, *told = sent(address, MOST + 1, declared=declared)

    assert told == [413, "application/json"]
    assert json.loads(answer.body) == {"code": "too_long", "detail": SENTENCE}


@both
@pytest.mark.parametrize("size", [0, 1, MOST - 1, MOST], ids=["0", "1", "1 less", "the limit"])
def test_one_up_to_the_limit_comes_to_the_page(size, declared):
    answer, status, _ = sent("/nowhere", size, declared=declared)

    assert (status, answer.taken) == (404, size)


UPLOADS = {
    "/attachments": settings.MAX_UPLOAD_BYTES,
    "/imports": settings.MAX_IMPORT_BYTES + 65_536,
}


@both
@pytest.mark.parametrize("before", ["", "/api"], ids=["page", "API"])
@pytest.mark.parametrize(("address", "most"), UPLOADS.items())
def test_a_file_may_be_longer(before, address, most, declared):
    if most > 100_000_000 and not declared:
        pytest.skip("Half a gigabyte in chunks takes too long.")
    address = before + address
    _, fitting, _ = sent(address, MOST + 1, declared=declared)
    answer, refused, _ = sent(address, most + 1, declared=declared)

    assert fitting != 413
    assert refused == 413
    assert answer.taken <= (0 if declared else most + PIECE)


def test_nothing_of_it_stays_on_the_disk(monkeypatch, tmp_path):
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))

    sent("/nowhere", 100_000_000, declared=False)

    assert list(tmp_path.iterdir()) == []
