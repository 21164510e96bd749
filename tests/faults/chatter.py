"""A person at a tab whose connection breaks again and again; the tab reacts as the page does.

It sends an unacknowledged message again with the same id, asks after a cut for the events after the
last one it has seen, and loads the page when told to reload.
"""

import json
import random
import re
import threading
import time
from dataclasses import dataclass
from itertools import count
from typing import Any
from uuid import uuid4

import httpx
from websockets.exceptions import WebSocketException

from tests.faults.answers import MARK
from tests.faults.figures import Figures
from tests.faults.told import Acknowledged, Told
from tests.patience import seconds
from tests.people import Person, Tab

LOST = (OSError, EOFError, WebSocketException, httpx.TransportError)
ACTIVE = re.compile(r'id="transcript"[^>]*?data-generation="([^"]*)"', re.DOTALL)
IMPATIENT = 2.5  # Silent seconds after which the person presses Stop.
MOST_SECONDS = seconds(100)  # Every answer must end within this time.
LATER = frozenset({"busy", "unavailable", "too_many"})  # Codes of refusals that end by themselves.
TURNS = 6  # The most turns in one chat.


class Wrong(AssertionError):
    """The server told a tab something that cannot be true."""


@dataclass
class Watched:
    """An unfinished answer that the page shows, and the number of the last event seen of it."""

    conversation: str
    generation: str
    began: float
    seen: int = 0
    stop_at: int = 0  # The number of an event after which the person presses Stop; 0: never.
    reload_at: int = 0
    asked_to_stop: float = 0.0
    is_retry: bool = False


def heard(tab: Tab) -> str:
    """List the last 20 frames that a tab received, to explain a fault."""
    names = ("type", "kind", "seq", "generation", "code")
    last = ([str(frame[name]) for name in names if name in frame] for frame in tab.seen[-20:])
    return ", ".join(" ".join(parts) for parts in last)


class Chatter(threading.Thread):
    """One person with one tab; `fault` is the exception that ended the thread."""

    def __init__(self, person: Person, seed: str, told: Told, figures: Figures) -> None:
        """Take the person, the seed of all choices, and where to note what was told and counted."""
        super().__init__(name=seed, daemon=True)
        self.enough = threading.Event()
        self.fault: BaseException | None = None
        self._person, self._told, self._figures = person, told, figures
        self._chance = random.Random(seed)
        self._numbers = count()
        self._conversation = ""
        self._turns = 0
        self._pending: dict[str, Any] | None = None  # Sent, and not yet acknowledged.
        self._watched: Watched | None = None
        self._lost_at, self._lost_in = 0.0, 0
        self._is_stale = False  # Whether the page must be reloaded.
        self._again: Watched | None = None  # The answer to retry next.

    def run(self) -> None:
        try:
            while not (self.enough.is_set() and self._is_idle()):
                self._visit()
        except BaseException as error:
            self.fault = error

    def _is_idle(self) -> bool:
        return self._pending is None and self._watched is None and not self._is_stale

    def _visit(self) -> None:
        """Keep a tab open until its connection breaks."""
        try:
            if self._is_stale:
                self._load()
            with self._person.tab() as tab:
                self._begin(tab)
                while not (self._is_stale or (self.enough.is_set() and self._is_idle())):
                    self._step(tab)
        except LOST:
            if not self._lost_at:
                self._lost_at, self._lost_in = time.monotonic(), self._figures.era
            if self._pending and self._pending["type"] == "retry":
                self._pending, self._is_stale = None, True  # A retry, without an id, is dropped.
            self.enough.wait(self._chance.uniform(0.02, 0.2))

    def _begin(self, tab: Tab) -> None:
        """Subscribe after the last event seen, and send an unacknowledged message again."""
        if watched := self._watched:
            watched.asked_to_stop = 0.0  # The server may not have got the stop.
            named = {"conversation": watched.conversation, "generation": watched.generation}
            tab.say(type="subscribe", after_seq=watched.seen, **named)
        tab.say(type="ping")
        if self._pending:
            self._figures.count("sent again")
            tab.say(**self._pending)

    def _step(self, tab: Tab) -> None:
        """Send something if nothing is under way; then handle the next frame."""
        if self._is_idle():
            self._ask(tab)
        try:
            frame = tab.next(IMPATIENT)
        except TimeoutError:
            return self._lose_patience(tab)
        return self._hear(tab, frame)

    def _ask(self, tab: Tab) -> None:
        """Retry an incomplete answer, or send the next message, sometimes in a new chat."""
        if again := self._again:
            self._again = None
            self._figures.count("retried")
            named = {"conversation": again.conversation, "generation": again.generation}
            return self._say(tab, type="retry", **named)
        if self._turns >= TURNS:
            self._conversation, self._turns = "", 0
        text = f"{MARK}{self.name.split()[-1]}.{next(self._numbers)}"
        where = {"conversation": self._conversation} if self._conversation else {"agent": "demo"}
        return self._say(tab, type="send", text=text, client_msg_id=str(uuid4()), **where)

    def _say(self, tab: Tab, **frame: Any) -> None:
        self._pending = frame
        tab.say(**frame)

    def _hear(self, tab: Tab, frame: dict[str, Any]) -> None:
        match frame["type"]:
            case "pong":
                self._caught_up()
            case "ack":
                self._acknowledged(frame)
            case "error":
                self._refused(tab, frame)
            case "reload":
                self._is_stale = True
            case "event" if self._watched and frame["generation"] == self._watched.generation:
                self._event(tab, self._watched, frame)

    def _caught_up(self) -> None:
        """Note how long catching up took: the pong comes after all missed events."""
        if self._lost_at:
            stayed_up = self._lost_in == self._figures.era and self._figures.are_up
            name = "resync after a cut" if stayed_up else "resync after a kill"
            self._figures.took(name, time.monotonic() - self._lost_at)
            self._lost_at = 0.0

    def _acknowledged(self, frame: dict[str, Any]) -> None:
        pending, self._pending = self._pending, None
        if pending is None:
            raise Wrong(f"nobody asked for {frame}")
        conversation, generation = frame["conversation"], frame["generation"]
        if pending["type"] == "send":
            heard = (pending["client_msg_id"], pending["text"], conversation, generation)
            self._told.messages.append(Acknowledged(*heard))
            self._figures.count("acknowledged")
            self._turns += 1
        self._conversation = conversation
        self._watch(generation, is_retry=pending["type"] == "retry")

    def _watch(self, generation: str, *, is_retry: bool = False) -> None:
        chance = self._chance
        self._watched = Watched(
            self._conversation,
            generation,
            time.monotonic(),
            stop_at=chance.randint(2, 40) if chance.random() < 0.25 else 60,
            reload_at=chance.randint(1, 20) if chance.random() < 0.2 else 0,
            is_retry=is_retry,
        )

    def _refused(self, tab: Tab, frame: dict[str, Any]) -> None:
        """Repeat a command that was refused for the moment; raise `Wrong` for any other refusal."""
        pending = self._pending
        if pending is None or frame["code"] not in LATER:
            if self._is_expected(frame):
                return
            raise Wrong(f"{pending} was refused: {frame}")
        self._figures.count(f"refused, {frame['code']}")
        if pending["type"] == "retry":
            self._pending, self._is_stale = None, True
            return
        self.enough.wait(0.2)
        tab.say(**pending)

    def _is_expected(self, frame: dict[str, Any]) -> bool:
        """Have the page loaded again. Return whether a server may refuse like this: the answer to
        retry is on another branch by now, or the database could not be read for the moment.
        """
        if self._pending and self._pending["type"] == "retry":
            self._pending, self._is_stale = None, True
            return bool(frame["code"] == "moved_on")
        self._is_stale = True
        return frame["code"] in LATER

    def _event(self, tab: Tab, watched: Watched, frame: dict[str, Any]) -> None:
        if not self._told.saw(frame):
            raise Wrong(f"another event had this number: {frame}")
        if frame["seq"] != watched.seen + 1:
            raise Wrong(f"after event {watched.seen} came {frame['seq']}: {heard(tab)}")
        watched.seen = frame["seq"]
        if frame["kind"] == "end":
            return self._ended(watched, frame["data"]["status"])
        if watched.seen == watched.reload_at:
            self._is_stale = True
            self._figures.count("page loaded again")
        elif watched.seen >= watched.stop_at:
            self._press_stop(tab, watched)
        return None

    def _press_stop(self, tab: Tab, watched: Watched) -> None:
        if not watched.asked_to_stop:
            watched.asked_to_stop = time.monotonic()
            named = {"conversation": watched.conversation, "generation": watched.generation}
            tab.say(type="stop", **named)

    def _lose_patience(self, tab: Tab) -> None:
        if (watched := self._watched) is None:
            return
        if time.monotonic() - watched.began > MOST_SECONDS:
            raise Wrong(f"{watched} does not end")
        watched.asked_to_stop = 0.0
        self._press_stop(tab, watched)

    def _ended(self, watched: Watched, status: str) -> None:
        self._figures.count(f"answers {status}")
        if watched.asked_to_stop and status == "stopped":
            self._figures.took("stop", time.monotonic() - watched.asked_to_stop)
            self._figures.count("stopped by a person")
        self._go_on(watched, status)

    def _go_on(self, watched: Watched, status: str) -> None:
        """Choose whether to retry an incomplete answer: every second time, and never a retry."""
        self._watched = None
        again = status != "done" and not watched.is_retry and self._chance.random() < 0.5
        if again and not self.enough.is_set():
            self._again = watched

    def _load(self) -> None:
        """Load the page, which shows the running answer, if there is one."""
        if not self._conversation:
            self._is_stale = False
            return
        found = ACTIVE.search(self._loaded(f"/chat/{self._conversation}"))
        before, self._watched, self._is_stale = self._watched, None, False
        if found is None:
            raise Wrong("a page without a transcript")
        if found[1]:
            self._watch(found[1])
            self._goes_on(before)
        elif before:
            named = f"{before.conversation}/generations/{before.generation}"
            status = json.loads(self._loaded(f"/api/conversations/{named}"))["status"]
            self._figures.count(f"answers {status}, seen on the page")
            self._go_on(before, status)

    def _loaded(self, address: str) -> str:
        answer = self._person.open(address)
        if answer.status_code in {502, 503}:  # A proxy says 502 while it reaches no server.
            raise ConnectionError("the database could not say")
        if answer.status_code != 200:
            raise Wrong(f"{address} is {answer.status_code}: {answer.text[:500]}")
        return answer.text

    def _goes_on(self, before: Watched | None) -> None:
        """Keep the start time if the page shows the same answer as before."""
        now = self._watched
        if before and now and before.generation == now.generation:
            now.began, now.reload_at, now.is_retry = before.began, 0, before.is_retry
