"""Read the file of an import chat by chat, from the place where the last reader stopped."""

import logging
import time
from collections.abc import Callable
from contextlib import closing
from dataclasses import replace
from threading import Event
from typing import BinaryIO, cast

from django.conf import settings
from django.core.files.storage import default_storage

from chatapp.databases.refusals import refusal_in
from chatapp.databases.threads import give_back
from chatapp.imports.files import Looker
from chatapp.limits import limits
from chatapp.limits.spending import TooMany, spend
from history.models import Import, ImportState
from history.services.access import person_of
from history.services.imports import lifecycle, storing
from history.services.imports.building import build
from history.services.imports.chats import ImportedChat, Read, Skipped, Unreadable, Why
from history.services.imports.known import read_chats, recognised
from history.services.imports.source import UNPACKED, Bounds, SuppliedFile
from history.services.imports.twins import already_here

logger = logging.getLogger(__name__)
SHARE = 1.0  # Seconds to pause after each second of work, so that pages load meanwhile.
LONGEST_PAUSE = 0.5


def run(job: Import, stopping: Event) -> None:
    """Read the file to its end, or until `stopping` is set. Raise if the database refuses."""
    whose = person_of(job)
    try:
        with closing(default_storage.open(str(job.file.name), "rb")) as file:
            source = SuppliedFile(cast("BinaryIO", file), job.name, _bounds())
            _Reading(job, source, whose, stopping.is_set).run()
    except FileNotFoundError:
        logger.warning("The file of import %s is gone", job.pk)
        lifecycle.end(job, ImportState.FAILED, Skipped(Why.NO_FILE).as_dict())
    except Unreadable as error:
        lifecycle.end(job, ImportState.FAILED, error.skipped.as_dict())
    except TooMany as limit:
        lifecycle.wait(job, limit.seconds)
    except lifecycle.Gone:
        logger.info("Import %s is not ours any more", job.pk)
    except Exception as error:
        if refusal_in(error):
            raise
        logger.exception("Import %s failed", job.pk)
        lifecycle.end(job, ImportState.FAILED, Skipped(Why.FAULT).as_dict())


class _Reading:
    def __init__(
        self, job: Import, source: SuppliedFile, whose: str, is_over: Callable[[], bool]
    ) -> None:
        self.job, self.source, self.whose, self.is_over = job, source, whose, is_over
        self.number = 0
        self.last_sign = time.monotonic()

    def run(self) -> None:
        readers = recognised(self.source)
        lifecycle.recognised(self.job, next(iter(readers)).format)
        after = self.job.reached
        try:
            for number, entry in enumerate(read_chats(self.source, readers)):
                self.number = number
                if self.is_over():
                    lifecycle.release(self.job)
                    return
                if number >= after:
                    self._dealt_with(entry)
                elif time.monotonic() > self.last_sign + lifecycle.SILENCE.seconds / 3:
                    self.last_sign = time.monotonic()
                    lifecycle.keep(self.job)
        except Unreadable as error:
            self._broken(error.skipped, after)
        lifecycle.end(self.job, ImportState.DONE)

    def _dealt_with(self, entry: Read) -> None:
        start = time.monotonic()
        try:
            self._take(entry)
        except Unreadable as error:
            self._skip(error.skipped, entry)
        except (TooMany, lifecycle.Gone):
            raise
        except Exception as error:
            if refusal_in(error):
                raise
            logger.exception("A chat of import %s was not stored", self.job.pk)
            self._skip(Skipped(Why.FAULT), entry)
        give_back()
        time.sleep(min(LONGEST_PAUSE, SHARE * (time.monotonic() - start)))

    def _take(self, entry: Read) -> None:
        lifecycle.renew(self.job)
        if isinstance(entry, Skipped):
            self._skip(entry, entry)
        elif here := already_here(self.job, entry):
            storing.note_known(self.job, self.number, entry, here, self.source.meter.percent)
        else:
            self._store(entry)

    def _store(self, chat: ImportedChat) -> None:
        spend((limits.file_seconds(), self.whose, 0))
        looker = Looker(self.source, self.whose)
        files = looker.files_of(chat)
        built = build(chat, files, instructs=self.job.instructs)
        spend(
            (limits.file_bytes(), self.whose, looker.size),
            (limits.bytes_stored(), self.whose, built.size),
        )
        built = replace(built, skipped=(*built.skipped, *looker.skipped))
        storing.store(self.job, self.number, built, self.source.meter.percent)

    def _skip(self, skipped: Skipped, entry: Read) -> None:
        title = entry.title if isinstance(entry, ImportedChat) else ""
        skipped = replace(skipped, where=skipped.where or title)
        lifecycle.note_skipped(self.job, self.number, skipped, self.source.meter.percent)

    def _broken(self, skipped: Skipped, after: int) -> None:
        """Note where the file becomes unreadable. Raise if nothing before that place was read."""
        if not after and not self.job.entries.exists():
            raise Unreadable(skipped.why, skipped.where, **skipped.figures)
        self.number += 1
        if self.number >= after:
            self._skip(skipped, skipped)


def _bounds() -> Bounds:
    return Bounds(UNPACKED * settings.MAX_IMPORT_BYTES, settings.MAX_FILE_BYTES)
