"""After many turns, the process holds no more memory, files or threads than before."""

from pathlib import Path

from tests.patience import eventually
from tests.people import Person
from tests.provider import Reply

WARM = 60  # Turns before measuring, to fill caches and pools.
TURNS = 140
MOST_KB_PER_TURN = 60  # Leaking an answer's events would take more.


def held(server):
    """Return the process's resident kB, and its numbers of open files and of threads."""
    process = Path(f"/proc/{server.process.pid}")
    status = dict(line.split(":", 1) for line in (process / "status").read_text().splitlines())
    descriptors = len(list((process / "fd").iterdir()))
    return int(status["VmRSS"].split()[0]), descriptors, int(status["Threads"])


def test_two_hundred_turns_leave_nothing_behind(app, provider):
    server = app(**provider.environment, SENDS_PER_MINUTE="0", SENDS_PER_MINUTE_PER_ADDRESS="0")
    provider.script(*[Reply(text=["One ", "two ", "three."])] * (WARM + TURNS))
    ada = Person(server)

    def turns(count):
        for _ in range(count):
            with ada.tab() as tab:
                assert tab.ask("Count", agent="demo")[1]["status"] == "done"

    turns(WARM)
    memory, descriptors, threads = held(server)
    turns(TURNS)
    memory_after, _, threads_after = held(server)

    assert (memory_after - memory) / TURNS < MOST_KB_PER_TURN
    assert eventually(lambda: held(server)[1] <= descriptors + 4)  # The last socket may be open.
    assert threads_after <= threads + 4
