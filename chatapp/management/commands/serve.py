"""The command that starts Vitrine: it prepares the data, then serves until Ctrl+C."""

import os
import signal
import socket
import sys
import warnings
from collections.abc import Callable
from contextlib import suppress
from types import FrameType
from typing import Any, NoReturn

import uvicorn
from django.conf import settings
from django.core.management import call_command
from django.core.management.base import BaseCommand, CommandError, CommandParser

from chatapp.databases import redis
from chatapp.databases.folder import claim_folder
from chatapp.databases.lock import Claim, claim_database
from chatapp.databases.patience import bound
from chatapp.databases.schema import prepare_database
from chatapp.env.private_files import FOR_OTHERS, mend
from chatapp.generation.runner import NAME
from chatapp.process.draining import draining, end_at_last
from chatapp.server.configuration import configuration
from chatapp.server.listening import listen, take_over
from chatapp.server.origins import public_address

FOR_A_NETWORK = "  (for this network, unencrypted; everyone signs in)"
WAY_OUT = """\
Stop it first (Ctrl+C in its terminal, or stop its service), or start this one with data of its own:
  DATA_DIR=another-folder make run PORT=8001"""
LOST = "Vitrine has stopped: another Vitrine has taken over the database in DATABASE_URL."


class AnnouncingServer(uvicorn.Server):
    """A server that calls `announce` as soon as it listens.

    At the first SIGTERM the server lets answers end before it stops. A second SIGTERM, or Ctrl+C,
    stops it at once.
    """

    def __init__(self, config: uvicorn.Config, announce: Callable[[], None]) -> None:
        super().__init__(config)
        self._announce = announce
        self._is_hurried = False

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        self._announce()

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        self._is_hurried |= self.should_exit or sig == signal.SIGINT
        super().handle_exit(sig, frame)

    async def on_tick(self, counter: int) -> bool:
        ends = await super().on_tick(counter) and (self._is_hurried or draining.is_over())
        if ends:
            end_at_last()
        return ends

    def stop(self) -> None:
        self._is_hurried = self.should_exit = True


class Command(BaseCommand):
    help = "Migrate, load the demo agents and serve."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--host", default="127.0.0.1")
        parser.add_argument("--port", type=int, default=8000)
        parser.add_argument("--fd", type=int, help="an open listening socket")

    def handle(self, *args: Any, **options: Any) -> None:
        os.umask(FOR_OTHERS)  # Only their owner may read the files that Vitrine writes.
        fd, shared = options["fd"], bool(settings.REDIS_URL)
        listener = listen(options["host"], options["port"]) if fd is None else take_over(fd)
        if shared:
            redis.require()
        # uvicorn raises KeyboardInterrupt again after it has stopped cleanly.
        with (
            listener,
            claim_folder(settings.DATA_DIR, WAY_OUT, shared=shared),
            claim_database(NAME, shared=shared) as database,
            suppress(KeyboardInterrupt),
        ):
            with database.preparing():
                self._prepare()
            self._serve(listener, database)
        if database.is_lost:
            self.stderr.write(LOST)
            leave(1)
        self.stdout.write("\nVitrine has stopped.")
        leave()

    def _serve(self, listener: socket.socket, database: Claim) -> None:
        bound(settings.STATEMENT_SECONDS, NAME)
        server = AnnouncingServer(configuration(), lambda: self._announce(listener))
        database.give_up = server.stop
        server.run(sockets=[listener])
        if not server.started:
            raise CommandError("Vitrine couldn't start. See the lines above.")

    def _prepare(self) -> None:
        # WhiteNoise iterates over files synchronously, which does no harm here.
        warnings.filterwarnings("ignore", "StreamingHttpResponse must consume synchronous")
        for name in mend(settings.DATA_DIR):
            self.stdout.write(f"{name} was readable by others on this machine. It no longer is.")
        prepare_database()
        settings.STATIC_ROOT.mkdir(exist_ok=True)  # WhiteNoise warns if there is no folder.
        if settings.PRODUCTION:
            call_command("collectstatic", verbosity=0, interactive=False)
        call_command("bootstrap", stdout=self.stdout)

    def _announce(self, listener: socket.socket) -> None:
        host, port = listener.getsockname()[:2]
        address = f"{public_address(host, port)}/chat?agent=demo"
        whom = FOR_A_NETWORK if settings.LAN else ""
        self.stdout.write(f"\n  Vitrine is ready: {address}{whom}\n  Press Ctrl+C to stop.\n")
        self.stdout.flush()


def leave(code: int = 0) -> NoReturn:
    """End the process at once, after everything has been stored.

    Python's normal end can hang: objects of litellm import modules when they are deleted, and the
    thread that loads litellm may have ended while it held an import lock.
    """
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(code)
