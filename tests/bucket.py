"""Fixtures that keep media in a folder, or in a bucket of a small stand-in for an S3 server."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from typing import Any

import pytest

from chatapp.env.media import media_storage

S3 = {
    "MEDIA_S3_BUCKET": "pictures",
    "MEDIA_S3_REGION": "eu-north-1",
    "MEDIA_S3_ACCESS_KEY": "key",
    "MEDIA_S3_SECRET_KEY": "secret",
}


class Bucket(BaseHTTPRequestHandler):
    """A stand-in for S3: it keeps objects by path, and records each `Authorization` header."""

    kept: dict[str, bytes]
    signed: list[str]
    is_refusing = False  # If true, it refuses every deletion.

    def do_PUT(self):
        data = self.rfile.read(int(self.headers["Content-Length"]))
        is_framed = "aws-chunked" in self.headers.get("Content-Encoding", "")
        self.kept[self.path] = _unframed(data) if is_framed else data
        self._answer(200)

    def do_GET(self):
        self._answer(200 if self.path in self.kept else 404, self.kept.get(self.path, b""))

    do_HEAD = do_GET

    def do_DELETE(self):
        if self.is_refusing:
            self._answer(403)
            return
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
        """Write no access log."""


def _unframed(data: bytes) -> bytes:
    """Decode an S3 body that is sent in separately signed pieces."""
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


@pytest.fixture
def bucket(settings, monkeypatch, media_folder):
    """Keep the test's media in a bucket instead of a folder."""
    pytest.importorskip("storages")
    with serving() as (address, found):
        for name, value in {**S3, "MEDIA_S3_ENDPOINT": address}.items():
            monkeypatch.setenv(name, value)
        settings.STORAGES = {**settings.STORAGES, "default": media_storage(media_folder)}
        yield found


@dataclass(frozen=True)
class Folder:
    path: Path

    def files(self) -> list[str]:
        return [path.name for path in self.path.rglob("*") if path.is_file()]

    @contextmanager
    def refusing(self) -> Iterator[None]:
        """Make every deletion fail: each file is replaced by a folder that is not empty."""
        kept = {path: path.read_bytes() for path in self.path.rglob("*") if path.is_file()}
        for path in kept:
            path.unlink()
            (path / "inside").mkdir(parents=True)
        yield
        for path, data in kept.items():
            (path / "inside").rmdir()
            path.rmdir()
            path.write_bytes(data)


@dataclass(frozen=True)
class InBucket:
    bucket: type[Bucket]

    def files(self) -> list[str]:
        return list(self.bucket.kept)

    @contextmanager
    def refusing(self) -> Iterator[None]:
        self.bucket.is_refusing = True
        yield
        self.bucket.is_refusing = False


@pytest.fixture
def folder(media_folder):
    return Folder(media_folder)


@pytest.fixture(params=["folder", "bucket"])
def kept(request: pytest.FixtureRequest) -> Any:
    """Run the test twice: with media in a folder, and with media in a bucket."""
    found = request.getfixturevalue(request.param)
    return InBucket(found) if request.param == "bucket" else found
