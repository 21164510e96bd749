"""Pictures in a bucket: a server that speaks as much S3 as is needed, over HTTP."""

from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread

import pytest

from chatapp.env.media import media_storage
from history.services.access import Actor
from history.services.media.attaching import remove
from history.services.media.reading import picture_of_unsent
from tests.attached import attach_picture, picture

pytest.importorskip("storages")
ADA = Actor(visitor="a" * 32)


class Bucket(BaseHTTPRequestHandler):
    """Keeps objects by their path, and notes who signed each request."""

    kept: dict[str, bytes]
    signed: list[str]

    def do_PUT(self):
        data = self.rfile.read(int(self.headers["Content-Length"]))
        is_framed = "aws-chunked" in self.headers.get("Content-Encoding", "")
        self.kept[self.path] = _unframed(data) if is_framed else data
        self._answer(200)

    def do_GET(self):
        self._answer(200 if self.path in self.kept else 404, self.kept.get(self.path, b""))

    do_HEAD = do_GET

    def do_DELETE(self):
        self.kept.pop(self.path, None)
        self._answer(204)

    def _answer(self, status, body=b""):
        self.signed.append(self.headers.get("Authorization", ""))
        self.send_response(status)
        self.send_header("Content-Length", str(len(body)))
        self.send_header("ETag", '"e"')
        self.send_header("Last-Modified", "Sun, 22 Nov 2026 22:00:00 GMT")
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(body)

    def log_message(self, *args):
        """Say nothing."""


def _unframed(data: bytes) -> bytes:
    """Undo the framing of a body that is signed piece by piece."""
    size, _, rest = data.partition(b"\r\n")
    length = int(size.partition(b";")[0], 16)
    return rest[:length] + _unframed(rest[length + 2 :]) if length else b""


@contextmanager
def serving() -> Iterator[tuple[str, type[Bucket]]]:
    bucket = type("OwnBucket", (Bucket,), {"kept": {}, "signed": []})
    server = ThreadingHTTPServer(("127.0.0.1", 0), bucket)
    Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}", bucket
    server.shutdown()
    server.server_close()


@pytest.mark.django_db(transaction=True)
@pytest.mark.filterwarnings("ignore::DeprecationWarning")
def test_a_picture_is_kept_read_and_deleted_in_a_bucket(settings, monkeypatch, tmp_path):
    with serving() as (address, bucket):
        for name, value in {
            "MEDIA_S3_BUCKET": "pictures",
            "MEDIA_S3_ENDPOINT": address,
            "MEDIA_S3_REGION": "eu-north-1",
            "MEDIA_S3_ACCESS_KEY": "key",
            "MEDIA_S3_SECRET_KEY": "secret",
        }.items():
            monkeypatch.setenv(name, value)
        settings.STORAGES = {**settings.STORAGES, "default": media_storage(tmp_path)}

        attachment = attach_picture(ADA, "map")

        (path,) = bucket.kept
        assert path.startswith("/pictures/")
        assert bucket.kept[path] == picture(text="map")
        assert picture_of_unsent(ADA, attachment.pk).data == picture(text="map")
        remove(ADA, attachment.pk)
        assert bucket.kept == {}
        assert all("Credential=key/" in each for each in bucket.signed)
        assert not list(tmp_path.iterdir())
