"""API calls that export a person's chats as files."""

from uuid import UUID

from django.http import HttpRequest, HttpResponseBase
from ninja import Query, Router, Schema

from chatapp.api.generations import caller
from chatapp.databases.threads import in_database
from chatapp.exports import asking
from chatapp.exports.asking import ExportChoice, FormName
from chatapp.exports.streaming import streamed

router = Router(tags=["conversations"])


class ExportQuery(Schema):
    """`thoughts` says whether Markdown includes the models' reasoning; JSON always does."""

    format: FormName
    thoughts: bool = True

    @property
    def choice(self) -> ExportChoice:
        return ExportChoice(self.format, self.thoughts)


Wanted = Query(...)


@router.get("/conversations/{conversation_id}/export")
async def export_conversation(
    request: HttpRequest, conversation_id: UUID, query: ExportQuery = Wanted
) -> HttpResponseBase:
    """Export a conversation as a file: Markdown of the open branch, or JSON with everything, as
    docs/export.md describes it. If files or delegated conversations belong to it, the answer is a
    zip archive.
    """
    actor = caller(request)
    download = await in_database(asking.one, actor, conversation_id, query.choice)
    return streamed(download, actor)


@router.get("/export")
async def export_everything(request: HttpRequest, query: ExportQuery = Wanted) -> HttpResponseBase:
    """Export all of your conversations as a zip archive, each in a file of its own."""
    actor = caller(request)
    return streamed(await in_database(asking.everything, actor, query.choice), actor)
