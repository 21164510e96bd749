"""Send a download while it is being made. A slow reader holds no row, thread or connection."""

from collections.abc import AsyncIterator, Iterator

from django.http import StreamingHttpResponse
from django.utils.http import content_disposition_header
from django.utils.translation import get_language, override

from chatapp.databases.threads import in_database
from chatapp.limits.shared_places import EXPORTS
from history.services.access import Actor
from history.services.exports.exporting import Download


def streamed(download: Download, actor: Actor) -> StreamingHttpResponse:
    pieces = _pieces(download.pieces, actor.person)
    answer = StreamingHttpResponse(pieces, content_type=download.media_type)
    header = content_disposition_header(as_attachment=True, filename=download.name)
    answer["Content-Disposition"] = header or "attachment"
    return answer


async def _pieces(pieces: Iterator[bytes], whose: str) -> AsyncIterator[bytes]:
    language = get_language()
    while True:
        async with EXPORTS.turn(whose):
            piece = await in_database(_next, pieces, language)
        if piece is None:
            return
        yield piece


def _next(pieces: Iterator[bytes], language: str) -> bytes | None:
    with override(language):
        return next(pieces, None)
