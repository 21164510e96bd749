"""Measure what distributing a token costs once a model has sent it: `python -m bench telling`.

Fake models write at a person's reading speed. Their text becomes events, frames for one tab each,
and rows of the log. There are no sockets and no server, so the figures vary less than those of
bench/streaming.py.
"""

import asyncio
from dataclasses import dataclass, field
from time import perf_counter, process_time
from uuid import uuid4

import django

from bench.tables import milliseconds, print_table
from chatapp import env

env.use_settings("chatapp.settings")
django.setup()

from django.core.management import call_command  # noqa: E402 -- needs the line above

from bench.conversations import VISITOR, agent_with, new_conversation  # noqa: E402
from chatapp.databases.threads import close_connections, in_database  # noqa: E402
from chatapp.generation.event_writer import event_writer  # noqa: E402
from chatapp.live.event_stream import EventStream  # noqa: E402
from chatapp.live.viewers import Viewer, event_frame, viewers  # noqa: E402
from history.models import Generation  # noqa: E402
from history.services.answers import lifecycle  # noqa: E402
from history.services.answers.commands import Send  # noqa: E402
from history.services.answers.lifecycle import Event  # noqa: E402
from history.services.answers.sending import send  # noqa: E402

COUNTS = (80, 200, 400)
RATE, SECONDS = 20, 8  # An answer's speed in tokens a second, and how long it takes.


@dataclass
class Answer:
    """One answer and a tab that shows it. `gaps` are the seconds between consecutive frames."""

    generation: Generation
    gaps: list[float] = field(default_factory=list)
    frames: int = 0
    newest: float = 0.0

    async def write(self, delay: float) -> None:
        viewer = Viewer(VISITOR)
        viewers.join(viewer)
        viewers.follow(viewer, self.generation.conversation_id)
        tab = asyncio.create_task(self._look_on(viewer))
        stream = EventStream(self._show)
        keeper = event_writer.keep(self.generation, stream, lambda: None)
        await self._tell(stream, delay)
        event_writer.leave(keeper)
        await keeper.settled()
        assert not keeper.fault, keeper.fault
        await in_database(lifecycle.log_end, self.generation, stream.unlogged)
        viewers.leave(viewer)
        tab.cancel()

    async def _tell(self, stream: EventStream, delay: float) -> None:
        clock = asyncio.get_running_loop().time
        begun = clock() + delay
        for number in range(RATE * SECONDS):
            await asyncio.sleep(max(0.0, begun + number / RATE - clock()))
            stream.text("token ")
        stream.emit("end")

    def _show(self, event: Event) -> None:
        where = self.generation.conversation_id
        viewers.show(where, event_frame(where, self.generation.pk, event))

    async def _look_on(self, viewer: Viewer) -> None:
        while await viewer.next() is not None:
            now = perf_counter()
            if self.frames:
                self.gaps.append(now - self.newest)
            self.newest = now
            self.frames += 1


def main() -> None:
    call_command("migrate", verbosity=0)
    rows = asyncio.run(measured())
    head = ["answers", "CPU s per 1,000 tokens", "frames and rows a second", "p95 gap", "took"]
    print_table(f"After the provider: answers of {RATE} tokens a second", head, rows)


async def measured() -> list[list[str]]:
    try:
        return [await together(count) for count in COUNTS]
    finally:
        await close_connections()


async def together(count: int) -> list[str]:
    """Write `count` answers at once, all begun within half a second; return a row of the table."""
    answers = [Answer(generation) for generation in await in_database(claimed, count)]
    cpu, wall = process_time(), perf_counter()
    await asyncio.gather(*(each.write(n / count / 2) for n, each in enumerate(answers)))
    cpu, wall = process_time() - cpu, perf_counter() - wall
    gaps = sorted(gap for each in answers for gap in each.gaps)
    frames = sum(each.frames for each in answers)
    p95 = milliseconds(1000 * gaps[int(len(gaps) * 0.95)])
    cost = f"{1000 * cpu / (count * RATE * SECONDS):.3f}"
    return [str(count), cost, f"{frames / wall:,.0f}", p95, f"{wall:.1f} s"]


def claimed(count: int) -> list[Generation]:
    """Make generations that this process runs, each in a conversation of its own."""
    agent = agent_with("Telling")
    made = []
    for _ in range(count):
        conversation = new_conversation(agent)
        command = Send(text="Hello", client_msg_id=uuid4(), conversation=conversation.pk)
        made.append(send(VISITOR, command).generation)
        lifecycle.claim(made[-1], "bench")
    return made


if __name__ == "__main__":
    main()
