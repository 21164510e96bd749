"""Start a worker, which writes answers that other processes request, and serves no browsers."""

import asyncio
import os
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError
from uvicorn.loops.auto import auto_loop_factory

from chatapp.databases import redis
from chatapp.databases.folder import claim_folder
from chatapp.databases.lock import Claim, claim_database
from chatapp.databases.patience import bound
from chatapp.databases.schema import prepare_database
from chatapp.env.private_files import FOR_OTHERS
from chatapp.env.redis import WORKER
from chatapp.generation.runner import NAME, OWNER
from chatapp.management.commands.serve import LOST, WAY_OUT, leave
from chatapp.process.working import Working
from chatapp.server.configuration import raise_limit

NOT_WANTED = "manage.py worker needs GENERATION_EXECUTOR=worker, here and for every server."


class Command(BaseCommand):
    help = "Write answers for the servers (with GENERATION_EXECUTOR=worker)."

    def handle(self, *args: Any, **options: Any) -> None:
        if settings.GENERATION_EXECUTOR != WORKER:
            raise CommandError(NOT_WANTED)
        os.umask(FOR_OTHERS)
        redis.require()
        with (
            claim_folder(settings.DATA_DIR, WAY_OUT, shared=True),
            claim_database(NAME, shared=True) as database,
        ):
            with database.preparing():
                prepare_database()
            self._work(database)
        if database.is_lost:
            self.stderr.write(LOST)
            leave(1)
        self.stdout.write("\nThe worker has stopped.")
        leave()

    def _work(self, database: Claim) -> None:
        bound(settings.STATEMENT_SECONDS, NAME)
        raise_limit()
        working = Working(self._announce)
        database.give_up = working.stop
        with asyncio.Runner(loop_factory=auto_loop_factory()) as runner:
            runner.run(working.run())

    def _announce(self) -> None:
        self.stdout.write(f"\n  The worker {OWNER} is ready.\n  Press Ctrl+C to stop.\n")
        self.stdout.flush()
