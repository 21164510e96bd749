"""The API: who may call it, how a refusal looks, and the commands that start an answer."""

import asyncio
from contextlib import AbstractContextManager
from typing import Annotated, Any, Self
from uuid import UUID

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from ninja import NinjaAPI, Schema, Status
from ninja.errors import HttpError, ValidationError
from ninja.operation import Operation
from ninja.parser import Parser
from ninja.security import APIKeyCookie
from pydantic import Field, model_validator

import history.whatif_api  # noqa: F401 (it adds its path to the router)
from agents.api import router as agents_router
from chatapp.api.generations import caller
from chatapp.databases.threads import give_back, in_database
from chatapp.generation import deleting, summaries, supervisor
from chatapp.generation.queue import turns
from chatapp.limits.admission import Admission
from chatapp.limits.buckets import TooMany
from chatapp.live.viewers import person
from chatapp.server.client_address import address_of_request
from history.api import router  # One path has one router: more is added below.
from history.core.json_text import read_json
from history.core.settings.resolution import LayerName, SettingError, url_layer, validate
from history.models import CheckpointState
from history.records import checkpoint_record
from history.schemas import CheckpointOut, Incoming
from history.services.access import Actor, actor_of
from history.services.answers import sending
from history.services.answers.sending import Ack, Send
from history.services.errors import NotFound, Refused


class OwnSession(APIKeyCookie):
    """The browser's session, of a user or a visitor; a change needs the CSRF token too."""

    param_name = settings.SESSION_COOKIE_NAME

    def authenticate(self, request: HttpRequest, key: str | None) -> Actor | None:
        actor = actor_of(request)
        give_back()  # The call may wait long, for a summary for example.
        return None if actor.is_nobody else actor


class BodyParser(Parser):
    """What it raises becomes the cause of an `HttpError`."""

    def parse_body(self, request: HttpRequest) -> dict[str, Any]:
        found: dict[str, Any] = read_json(request.body)
        return found


SHOWN = {"docs_url": "/docs", "openapi_url": "/openapi.json"}


class Api(NinjaAPI):
    def get_openapi_operation_id(self, operation: Operation) -> str:
        """Which module a function is in is no part of its name."""
        return operation.view_func.__name__


api = Api(
    title="Vitrine",
    version="1",
    auth=OwnSession(),
    parser=BodyParser(),
    **(SHOWN if settings.API_DOCS else dict.fromkeys(SHOWN)),
)
CODES = {400: "invalid", 401: "not_signed_in", 403: "forbidden"}


class MessageIn(Incoming):
    """A person's text. `head`: the newest position they saw, so that nothing is talked past."""

    text: str
    client_msg_id: UUID
    head: Annotated[int, Field(ge=-1, lt=2**31)] | None = None


class FirstMessageIn(MessageIn):
    """To an agent, or to a network: one of the two is named."""

    agent: Annotated[str, Field(max_length=50)] = ""
    network: Annotated[str, Field(max_length=50)] = ""

    @model_validator(mode="after")
    def names_one(self) -> Self:
        if bool(self.agent) == bool(self.network):
            raise ValueError("name an agent or a network, one of the two")
        return self


class AckOut(Schema):
    conversation: UUID
    generation: UUID
    message: int | None
    position: int | None
    is_new: bool


@router.post("/conversations", response=AckOut)
async def begin_conversation(request: HttpRequest, message: FirstMessageIn) -> dict[str, Any]:
    """The first message makes the conversation. History settings go in this address's query."""
    command = Send(**message.dict(), query=_checked_query(request))
    return await _send(request, command)


@router.post("/conversations/{conversation_id}/messages", response=AckOut)
async def send_message(
    request: HttpRequest, conversation_id: UUID, message: MessageIn
) -> dict[str, Any]:
    """Store a message and start its answer; the same `client_msg_id` again gives the same ack."""
    query = _checked_query(request)
    command = Send(**message.dict(), conversation=conversation_id, query=query)
    return await _send(request, command)


@router.delete("/conversations/{conversation_id}", response={204: None})
async def delete_conversation(request: HttpRequest, conversation_id: UUID) -> Status[None]:
    """The conversation with every word of it. A running answer is stopped first."""
    await deleting.delete(caller(request), conversation_id)
    return Status(204, None)


@router.post("/conversations/{conversation_id}/checkpoints", response={201: CheckpointOut})
async def make_checkpoint(request: HttpRequest, conversation_id: UUID) -> Status[dict[str, Any]]:
    """Have all but the newest exchange summarised, and wait for it. A failure is in its state.

    It is made to the end whoever waits.
    """
    with _admitting(request) as admit:
        await in_database(admit, 0)
    task = await summaries.compact(caller(request), conversation_id)
    row = await asyncio.shield(task)
    if row is None:
        raise NotFound
    applies = {row.pk} if row.state == CheckpointState.READY else ()
    return Status(201, checkpoint_record(row, applies))


def _checked_query(request: HttpRequest) -> str:
    """A program is told of a bad setting; only a page may ignore one, since it shows it."""
    query: str = request.META.get("QUERY_STRING", "")
    validate(LayerName.URL, url_layer(query).values)
    return query


async def _send(request: HttpRequest, command: Send) -> dict[str, Any]:
    with _admitting(request) as admit:
        return await _started(await in_database(sending.send, caller(request), command, admit))


def _admitting(request: HttpRequest) -> AbstractContextManager[Admission]:
    return turns.admitting(person(caller(request)), address_of_request(request))


async def _started(ack: Ack) -> dict[str, Any]:
    if ack.given_up:
        await supervisor.give_up(ack.given_up)
    if ack.is_new:
        supervisor.start(ack.generation)
    return {
        "conversation": ack.conversation.pk,
        "generation": ack.generation.pk,
        "message": ack.message.pk if ack.message else None,
        "position": ack.message.position if ack.message else None,
        "is_new": ack.is_new,
    }


@api.exception_handler(Refused)
def refused(request: HttpRequest, refusal: Refused) -> HttpResponse:
    body = {"code": refusal.code, "detail": refusal.message}
    response = api.create_response(request, body, status=refusal.status)
    if isinstance(refusal, TooMany):
        response["Retry-After"] = str(refusal.seconds)
    return response


@api.exception_handler(HttpError)
def http_error(request: HttpRequest, error: HttpError) -> HttpResponse:
    """Nobody's session, no CSRF token, or a body that is no JSON."""
    why = f": it {error.__cause__}" if isinstance(error.__cause__, ValueError) else ""
    code = CODES.get(error.status_code, "refused")
    body = {"code": code, "detail": f"{error}{why}"}
    return api.create_response(request, body, status=error.status_code)


@api.exception_handler(SettingError)
def bad_setting(request: HttpRequest, error: SettingError) -> HttpResponse:
    return api.create_response(request, {"code": "invalid", "detail": str(error)}, status=422)


@api.exception_handler(ValidationError)
def bad_request(request: HttpRequest, error: ValidationError) -> HttpResponse:
    """Where and what, never the value: it may be a megabyte, or not even be JSON."""
    faults = [f"{'.'.join(map(str, e['loc'][1:]))}: {e['msg']}" for e in error.errors[:10]]
    body = {"code": "invalid", "detail": "; ".join(faults)[:1_000]}
    return api.create_response(request, body, status=422)


api.add_router("", agents_router)
api.add_router("", router)
