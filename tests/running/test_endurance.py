"""Many turns, one after the other: nothing of them stays behind in the process."""

from pathlib import Path

from tests.patience import eventually
from tests.people import Person
from tests.provider import Reply

WARM = 60  # Turns until caches and pools are filled.
TURNS = 140
MOST_KB_PER_TURN = 60  # Of a slope; a leak of an answer's events alone would be more.


def held(server):
    """Resident kB, descriptors, threads."""
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
    assert eventually(lambda: held(server)[1] <= descriptors + 4)  # The last is being closed.
    assert threads_after <= threads + 4
