"""Import exports of ChatGPT's layout, and see that ten times the size takes no more memory."""

import json
import resource
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from random import Random
from threading import Event
from time import perf_counter
from typing import Any

import django

from bench.tables import print_table
from chatapp import env

env.use_settings("chatapp.settings")
django.setup()

from django.conf import settings  # noqa: E402 -- needs the line above
from django.contrib.auth.models import User  # noqa: E402
from django.core.management import call_command  # noqa: E402
from django.db import connection  # noqa: E402

from bench.conversations import agent_with  # noqa: E402
from chatapp.imports import reading  # noqa: E402
from history.models import Import  # noqa: E402
from history.services.access import Actor  # noqa: E402
from history.services.imports import lifecycle  # noqa: E402

SIZES_MB = (20, 200)
MESSAGES, WORDS = 40, 150
VOCABULARY = [
    f"{first}{last}"
    for first in ("har", "ber", "ti", "ca")
    for last in ("bour", "th", "de", "ble", "n", "sh")
]


def main() -> None:
    call_command("migrate", verbosity=0)
    settings.BYTES_PER_DAY = settings.FILE_BYTES_PER_DAY = 0
    reading.SHARE = 0  # It has the machine for itself.
    agent_with("importer")
    actor = Actor(User.objects.create_user("ada"))
    _imported(actor, 1)  # What is loaded once is loaded.
    sizes = [int(size) for size in sys.argv[1:]] or SIZES_MB
    head = [f"a file of ({connection.vendor})", "chats", "time", "peak memory beyond the start"]
    print_table("Importing", head, [_row(actor, size) for size in sizes])


def _row(actor: Actor, size: int) -> list[str]:
    before = _peak_mb()
    started = perf_counter()
    job = _imported(actor, size)
    took = perf_counter() - started
    chats = lifecycle.sums_of(job).stored
    return [f"{size} MB", f"{chats:,}", f"{took:,.0f} s", f"{_peak_mb() - before:,.0f} MB"]


def _imported(actor: Actor, size: int) -> Import:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "conversations.json"
        with path.open("w") as out:
            out.writelines(_written(size * 1_000_000))
        with path.open("rb") as file:
            given = lifecycle.Supplied(file, path.name, path.stat().st_size, str(size), "importer")
            job, _ = lifecycle.begin(actor, given)
    claimed = lifecycle.claim(job.pk, "bench")
    assert claimed
    reading.run(claimed, Event())
    return Import.objects.get(pk=job.pk)


def _written(size: int) -> Iterator[str]:
    written, random = 0, Random(size)
    between = "["
    while written < size:
        chat = json.dumps(_chat(random, f"{size}-{written}"))
        yield f"{between}{chat}"
        written += len(chat)
        between = ",\n"
    yield "]"


def _chat(random: Random, name: str) -> dict[str, Any]:
    nodes: dict[str, Any] = {}
    for number in range(MESSAGES):
        role = "assistant" if number % 2 else "user"
        said = {"content_type": "text", "parts": [" ".join(random.choices(VOCABULARY, k=WORDS))]}
        message = {"author": {"role": role}, "content": said, "create_time": 1.7e9 + number}
        parent = str(number - 1) if number else None
        nodes[str(number)] = {
            "id": str(number),
            "message": message,
            "parent": parent,
            "children": [],
        }
    return {"title": f"Chat {name}", "conversation_id": name, "mapping": nodes}


def _peak_mb() -> float:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1_000


if __name__ == "__main__":
    main()
