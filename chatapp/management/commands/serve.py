"""Start Vitrine: prepare what a start needs, then serve until Ctrl+C."""

import fcntl
import os
import socket
import sys
import warnings
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import IO, Any, NoReturn

import uvicorn
from django.conf import settings
from django.core.management import call_command
from django.core.management.base import BaseCommand, CommandError, CommandParser

from chatapp.databases.lock import Claim, claim_database
from chatapp.databases.patience import bound
from chatapp.databases.schema import prepare_database
from chatapp.env.private_files import FOR_OTHERS, mend
from chatapp.generation.runner import NAME
from chatapp.server.configuration import configuration
from chatapp.server.listening import listen, take_over
from chatapp.server.origins import public_address

LOST = "Vitrine has stopped: another Vitrine has taken over the database in DATABASE_URL."


class AnnouncingServer(uvicorn.Server):
    """Calls back once it really listens."""

    def __init__(self, config: uvicorn.Config, announce: Callable[[], None]) -> None:
        super().__init__(config)
        self._announce = announce

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        self._announce()

    def stop(self) -> None:
        self.should_exit = True


class Command(BaseCommand):
    help = "Migrate, load the demo agents and serve."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--host", default="127.0.0.1")
        parser.add_argument("--port", type=int, default=8000)
        parser.add_argument("--fd", type=int, help="an open listening socket")

    def handle(self, *args: Any, **options: Any) -> None:
        os.umask(FOR_OTHERS)  # Files written from here on are readable by their owner only.
        given = options["fd"]
        listener = listen(options["host"], options["port"]) if given is None else take_over(given)
        # uvicorn raises the interrupt again after it has stopped cleanly.
        with (
            listener,
            claim(settings.DATA_DIR),
            claim_database(NAME) as database,
            suppress(KeyboardInterrupt),
        ):
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
        # WhiteNoise sends files by plain iterators. That does no harm here.
        warnings.filterwarnings("ignore", "StreamingHttpResponse must consume synchronous")
        for name in mend(settings.DATA_DIR):
            self.stdout.write(f"{name} was readable by others on this machine. It no longer is.")
        prepare_database()
        settings.STATIC_ROOT.mkdir(exist_ok=True)  # WhiteNoise warns if it is missing.
        if settings.PRODUCTION:
            call_command("collectstatic", verbosity=0, interactive=False)
        call_command("bootstrap", stdout=self.stdout)

    def _announce(self, listener: socket.socket) -> None:
        host, port = listener.getsockname()[:2]
        address = public_address(host, port)
        self.stdout.write(
            f"\n  Vitrine is ready: {address}/chat?agent=demo\n  Press Ctrl+C to stop.\n"
        )
        self.stdout.flush()


def leave(code: int = 0) -> NoReturn:
    """End the process here, now that everything is stored.

    Python's own end can hang: litellm's objects import modules as they are deleted, and the thread
    that warms litellm up may have died while it held an import's lock.
    """
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(code)


def claim(folder: Path) -> IO[str]:
    """Allow one server per data folder: it tells its viewers of events from its own memory."""
    lock = (folder / "serving.lock").open("w")
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError as error:
        lock.close()
        raise CommandError(
            f"Another Vitrine is already running on the data in {folder}."
        ) from error
    return lock
