"""The socket, which knows only the wire format: commands come in, frames go out."""

import asyncio
import logging
from contextlib import suppress
from typing import Any

from channels.generic.websocket import AsyncWebsocketConsumer
from django.utils.translation import gettext as _

from chatapp.accounts.sessions import actor_of_session, session_key
from chatapp.databases.refusals import RETRY_SECONDS, Unavailable, refusal_in
from chatapp.databases.threads import in_database
from chatapp.generation import supervisor, watching
from chatapp.generation.queue import ProcessEnding, answer_queue
from chatapp.limits.deadline import Deadline
from chatapp.limits.spending import TooMany
from chatapp.live import chat_lists
from chatapp.live.persons import meet, page_person, said_person
from chatapp.live.viewers import (
    SIGNED_OUT,
    TOO_SLOW,
    Viewer,
    ViewerGone,
    encoded,
    rights_of,
    viewers,
)
from chatapp.llm import warming
from chatapp.socket import follow_ups, protocol, slash_commands
from chatapp.socket.frames import ack_frame, error_frame
from chatapp.socket.limits import TOO_MANY, SocketLimits
from history.services.access import Actor, access_conversation, access_generation
from history.services.answers import editing, sending
from history.services.answers.queueing import Ack, Admit
from history.services.errors import Refused

logger = logging.getLogger(__name__)
TAKE_SECONDS = 30  # A socket that accepts no frame for this many seconds is closed.
CLOSE_SECONDS = 5
# Codes with which a socket is closed, as the protocol defines them.
BROKEN, RESTARTING = 1011, 1012


class ChatConsumer(AsyncWebsocketConsumer):
    """The socket of one tab of one person."""

    async def connect(self) -> None:
        self.session_key = session_key(self.scope["headers"])
        self.limits = SocketLimits(self.scope)
        try:
            self.limits.knock()
        except TooMany as refusal:
            await self.accept()
            await self._refuse_tab(refusal)
        else:
            await self._enter(said_person(self.scope))

    async def _enter(self, person: str | None) -> None:
        """Open the socket. `person` is the one for whom the tab's page was made."""
        try:
            actor, code = await in_database(meet, self.session_key, person)
        except Exception as error:
            if not refusal_in(error):
                raise
            await self._turn_away()
            return
        await self.accept()  # Accept even a refused socket: otherwise the browser hides the reason.
        if code:
            await self.close(code)
            return
        self.viewer = Viewer(actor, self.session_key)
        try:
            self.limits.enter(self.viewer.person)
        except TooMany as refusal:
            await self._refuse_tab(refusal)
            return
        viewers.join(self.viewer)
        if person not in {None, now := page_person(actor)}:
            self.viewer.show({"type": "person", "person": now})
        self.writer = asyncio.create_task(self._write())
        await warming.begin(calls=supervisor.writes_here())

    async def disconnect(self, code: int) -> None:
        self.limits.leave()
        if hasattr(self, "writer"):
            viewers.leave(self.viewer)
            self.writer.cancel()

    async def receive(self, text_data: str | None = None, bytes_data: bytes | None = None) -> None:
        """Handle a frame. One that is wrong, or fails, is answered with a sentence."""
        text = text_data or ""
        if not hasattr(self, "writer"):
            return  # The handshake was refused, so nothing is handled.
        try:
            self.limits.take_frame()
            match protocol.parse(text):
                case protocol.Ping():  # A ping is answered at once, even if the database fails.
                    self.viewer.show({"type": "pong"})
                case command:
                    await self._obey(command)
        except ProcessEnding:
            self.viewer.end(RESTARTING)  # The page connects again and repeats the command.
        except Refused as refusal:
            self._refuse(refusal, text)
        except ViewerGone:
            return
        except Exception as error:
            logger.exception("A socket's command failed")
            internal = Refused("internal", _("Something went wrong on the server."))
            self._refuse(Unavailable() if refusal_in(error) else internal, text)

    def _refuse(self, refusal: Refused, text: str) -> None:
        """Refuse a frame. Disconnect a client that goes on despite refusals."""
        self.viewer.show(error_frame(refusal, protocol.client_msg_id(text)))
        if isinstance(refusal, TooMany) and self.limits.goes_on():
            self.viewer.end(TOO_MANY)

    async def _refuse_tab(self, refusal: TooMany) -> None:
        await self.send(encoded({**error_frame(refusal, None), "code": "too_many_tabs"}))
        await self.close(TOO_MANY)

    async def _turn_away(self) -> None:
        """Refuse the handshake while the database fails; the browser tries again later."""
        retry = [(b"retry-after", str(RETRY_SECONDS).encode())]
        response: Any = {"type": "websocket.http.response.start", "status": 503, "headers": retry}
        await self.base_send(response)
        body: Any = {"type": "websocket.http.response.body", "body": b""}
        await self.base_send(body)

    async def _same_actor(self) -> Actor | None:
        """Return the person whom the socket still serves; close it if their session has ended."""
        actor = await in_database(actor_of_session, self.session_key)
        if not actor.is_nobody and rights_of(actor) == self.viewer.rights:
            return actor
        self.viewer.end(SIGNED_OUT)
        return None

    async def _obey(self, command: protocol.Act) -> None:
        actor = await self._same_actor()
        if actor is None:
            return
        match command:
            case protocol.Subscribe():
                await self._subscribe(actor, command)
            case protocol.Seen():
                await chat_lists.see(actor, command.conversation, self.viewer)
            case protocol.Stop():
                generation = await in_database(
                    access_generation, actor, command.conversation, command.generation
                )
                await supervisor.stop(generation)
            case protocol.FollowUp() | protocol.Waiting():
                sender = (self.viewer.person, self.limits.address)
                self.viewer.show(await follow_ups.obey(actor, command, *sender))
            case protocol.Send() if slash_commands.is_command(command.text):
                await self._command(actor, command)
            case protocol.Send():
                text = slash_commands.unescaped(command.text)
                await self._change(actor, command.model_copy(update={"text": text}))
            case _:
                await self._change(actor, command)

    async def _subscribe(self, actor: Actor, command: protocol.Subscribe) -> None:
        conversation = await in_database(access_conversation, actor, command.conversation)
        await watching.watch(self.viewer, conversation.pk, command.generation, command.after_seq)
        if command.follow_up:
            async for frame in follow_ups.shown_beside(conversation.pk):
                self.viewer.show(frame)

    async def _command(self, actor: Actor, command: protocol.Send) -> None:
        """Carry out a typed command. It is no message; its sender gets a sentence as the answer."""
        with answer_queue.admitting(self.viewer.person, self.limits.address) as admit:
            await in_database(admit, 0)
        message = await slash_commands.run(actor, command.text, command.conversation)
        self.viewer.show(slash_commands.notice(message, command.client_msg_id))

    async def _change(self, actor: Actor, command: protocol.Changing) -> None:
        """Send, edit, retry or continue. Each is done at most once, but acknowledged each time."""
        with answer_queue.admitting(self.viewer.person, self.limits.address) as admit:
            await self._answer(await in_database(_do, actor, command, admit), command)

    async def _answer(self, ack: Ack, command: protocol.Changing) -> None:
        self.viewer.show(ack_frame(ack, getattr(command, "client_msg_id", None)))
        viewers.follow(self.viewer, ack.conversation.pk)
        if ack.given_up:
            await supervisor.give_up(ack.given_up)
        if ack.is_new:
            supervisor.start(ack.generation)
            viewers.show_list(self.viewer.person)
        # The answer may have begun, or even ended, by now.
        if not (ack.is_new and supervisor.writes_here()):
            await watching.watch(self.viewer, ack.conversation.pk, ack.generation.pk, 0)

    async def _write(self) -> None:
        """Send the frames of the viewer until it ends; then end the socket."""
        deadline, clock = Deadline(), asyncio.get_running_loop().time
        try:
            while (text := await self.viewer.next()) is not None:
                await deadline.bound(self.send(text), clock() + TAKE_SECONDS)
        except OSError:  # The client accepts nothing, or no longer exists.
            self.viewer.end(TOO_SLOW)
        except Exception:
            logger.exception("A socket could not be written to")
            self.viewer.end(BROKEN)
        await self._hang_up(self.viewer.code)

    async def _hang_up(self, code: int) -> None:
        """Close the socket. Drop its connection even if it accepts no frames, not even the closing
        one.
        """
        with suppress(Exception):
            async with asyncio.timeout(CLOSE_SECONDS):
                await self.close(code)
        leave = {"type": "websocket.disconnect", "code": code}
        await self.channel_layer.send(self.channel_name, leave)


def _do(actor: Actor, command: protocol.Changing, admit: Admit) -> Ack:
    match command:
        case protocol.Send():
            return sending.send(actor, command, admit)
        case protocol.Edit():
            return editing.edit(actor, command, admit)
        case protocol.AnswerAgain():
            at = (command.conversation, command.turn)
            return sending.answer_again(actor, *at, command.query, admit)
        case protocol.Retry(type="retry"):
            act = sending.retry
        case _:
            act = sending.continue_
    return act(actor, command.conversation, command.generation, command.query, admit)
