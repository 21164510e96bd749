"""Send a download while it is made. A slow reader keeps no row, no thread and no connection."""

import asyncio
from collections.abc import AsyncIterator, Iterator

from django.http import StreamingHttpResponse
from django.utils.http import content_disposition_header
from django.utils.translation import get_language, override

from chatapp.databases.threads import in_database
from history.services.exports.exporting import Download

AT_ONCE = 2  # Exports that read the database at the same time: fewer than there are threads.
_turns = asyncio.Semaphore(AT_ONCE)


def streamed(download: Download) -> StreamingHttpResponse:
    answer = StreamingHttpResponse(_pieces(download.pieces), content_type=download.media_type)
    header = content_disposition_header(as_attachment=True, filename=download.name)
    answer["Content-Disposition"] = header or "attachment"
    return answer


async def _pieces(pieces: Iterator[bytes]) -> AsyncIterator[bytes]:
    language = get_language()
    while True:
        async with _turns:
            piece = await in_database(_next, pieces, language)
        if piece is None:
            return
        yield piece


def _next(pieces: Iterator[bytes], language: str) -> bytes | None:
    with override(language):
        return next(pieces, None)
