"""The bus between the processes of one Vitrine: each tells the others what it shows.

It uses Redis publish/subscribe, which loses messages while Redis is down. The database is the
source of truth: whoever may have missed something reads it there. Without `REDIS_URL` there is no
bus, and only one process. Everything here belongs to the event loop.
"""

import asyncio
import logging
from collections import deque
from collections.abc import Callable, Collection
from contextlib import suppress
from time import monotonic
from typing import TYPE_CHECKING, Any

from django.conf import settings

from chatapp.databases import redis
from chatapp.databases.redis import PATIENCE_SECONDS
from chatapp.telemetry.metrics import BUS

if TYPE_CHECKING:
    from redis.asyncio import Redis

logger = logging.getLogger(__name__)
BEAT_SECONDS = 1.0
PAUSE_SECONDS = 0.5  # The pause between two tries to reach Redis.
GATHER_SECONDS = 0.01  # Messages said within this time are sent together.
MOST = 20_000  # The most messages that wait to be sent; more are lost.
UNHEARD_SECONDS = 0.5  # How long a topic counts as not followed after nobody heard a message.
MOST_UNHEARD = 1_000
EVERYBODY = "processes"
Hear = Callable[[str, str], None]  # A topic, and what was said there.


class Bus:
    """This process's connection to the bus. `hear` is called with what other processes say about
    followed topics, `returned` whenever Redis is reached again after it was lost.
    """

    def __init__(self) -> None:
        self.hear: Hear = lambda topic, text: None
        self.returned: Callable[[], None] = lambda: None
        self.is_connected = False
        self._own = ""
        self._prefix = ""
        self._redis: Redis | None = None
        self._topics: set[str] = set()
        self._subscribed: set[str] = set()  # Topics that Redis has confirmed.
        self._unheard: dict[str, float] = {}  # Until when topics count as not followed.
        self._changed, self._some, self._all_said = (asyncio.Event() for _ in range(3))
        self._all_said.set()
        self._outgoing: deque[tuple[str, str]] = deque()

    @property
    def is_used(self) -> bool:
        """Whether there may be other processes."""
        return self._redis is not None

    def open(self, own: str) -> None:
        """Use the Redis of `REDIS_URL`, if there is one. `own` names this process."""
        if settings.REDIS_URL:
            self._redis = redis.async_client()
            self._prefix = redis.prefix()
            self._own = own
            self._topics |= {EVERYBODY, of_process(own)}

    async def emptied(self) -> None:
        """Wait briefly for pending messages to be sent."""
        with suppress(TimeoutError):
            async with asyncio.timeout(PATIENCE_SECONDS):
                await self._all_said.wait()

    async def close(self) -> None:
        if self._redis is not None:
            await self._redis.aclose()
            self._redis = None

    def say(self, topic: str, text: str) -> None:
        """Send a message to the other processes soon; it is lost if Redis is down."""
        if self.is_connected and len(self._outgoing) < MOST:
            self._outgoing.append((topic, text))
            self._some.set()
            self._all_said.clear()
        elif self.is_used:
            BUS.count("lost")

    def is_followed(self, topic: str) -> bool:
        """Whether other processes might follow a topic. If not, messages that they would also find
        in the log need not be sent, except one every half second, to find out whether somebody
        follows it now.
        """
        return self._unheard.get(topic, 0) <= monotonic()

    async def ask(self, topic: str, text: str) -> int:
        """Send a message at once. Return how many processes hear it, including this one if it
        follows the topic; 0 if Redis is lost.
        """
        if self._redis is None or not self.is_connected:
            return 0
        try:
            return int(await self._redis.publish(self._prefix + topic, f"{self._own} {text}"))
        except redis.failures() as error:
            logger.warning("Redis could not be asked: %s", error)
            return 0

    async def deaf(self, owners: Collection[str]) -> frozenset[str]:
        """Return those of these processes that this Redis does not reach."""
        if self._redis is None or not self.is_connected or not owners:
            return frozenset()
        topics = {self._prefix + of_process(owner): owner for owner in owners}
        heard = await self._redis.pubsub_numsub(*topics)
        return frozenset(topics[str(topic)] for topic, count in heard if not count)

    def follow(self, topic: str) -> None:
        self._topics.add(topic)
        self._changed.set()

    def unfollow(self, topic: str) -> None:
        self._topics.discard(topic)
        self._subscribed.discard(topic)
        self._changed.set()

    async def run(self) -> None:
        """Stay connected for as long as the process lives."""
        was_lost = False
        while self._redis is not None:
            try:
                await self._connected(self._redis, was_lost=was_lost)
            except* Exception as group:
                if self.is_connected or not was_lost:
                    logger.warning("%s: %s", LOST, _first(group))
            self.is_connected, was_lost = False, True
            self._outgoing.clear()
            self._all_said.set()
            await _forget_connections(self._redis)
            await asyncio.sleep(PAUSE_SECONDS)

    async def _connected(self, server: "Redis", *, was_lost: bool) -> None:
        """Send and receive messages until Redis is lost, which raises an error."""
        async with server.pubsub() as pubsub, asyncio.TaskGroup() as tasks:
            subscribed = set(self._topics)  # More topics may come while Redis answers.
            await pubsub.subscribe(*(self._prefix + topic for topic in subscribed))
            self._subscribed.clear()
            self.is_connected = True
            if was_lost:
                logger.warning("Redis is reached again.")
                self.returned()
            tasks.create_task(self._listen(pubsub))
            tasks.create_task(self._subscribe(pubsub, subscribed))
            tasks.create_task(self._send(server))
            tasks.create_task(_beat(server))

    async def _listen(self, pubsub: Any) -> None:
        while True:
            if (message := await pubsub.get_message(timeout=1.0)) is None:
                continue
            topic = message["channel"].removeprefix(self._prefix)
            if message["type"] == "subscribe" and topic in self._topics:
                self._subscribed.add(topic)
            if message["type"] != "message":
                continue
            own, _, text = message["data"].partition(" ")
            if own != self._own:
                BUS.count("heard")
                self._heard(topic, text)

    def _heard(self, topic: str, text: str) -> None:
        try:
            self.hear(topic, text)
        except Exception:
            logger.exception("What another process said about %s was not understood", topic)

    async def _subscribe(self, pubsub: Any, subscribed: set[str]) -> None:
        """Keep the subscriptions in Redis in step with the followed topics."""
        while True:
            await self._changed.wait()
            self._changed.clear()
            new, old = self._topics - subscribed, subscribed - self._topics
            subscribed = set(self._topics)
            if new:
                await pubsub.subscribe(*(self._prefix + topic for topic in new))
            if old:
                await pubsub.unsubscribe(*(self._prefix + topic for topic in old))

    async def _send(self, server: "Redis") -> None:
        """Send the pending messages, all that have gathered at once."""
        while True:
            await self._some.wait()
            self._some.clear()
            messages = tuple(self._outgoing)
            own = frozenset(topic for topic, _ in messages if topic in self._subscribed)
            pipeline = server.pipeline(transaction=False)
            for topic, text in messages:
                pipeline.publish(self._prefix + topic, f"{self._own} {text}")
            hearers = await pipeline.execute()
            BUS.count("sent", amount=len(messages))
            for (topic, _), count in zip(messages, hearers, strict=True):
                self._outgoing.popleft()
                self._note(topic, is_heard=count > (topic in own))
            if not self._outgoing:
                self._all_said.set()
            await asyncio.sleep(GATHER_SECONDS)

    def _note(self, topic: str, *, is_heard: bool) -> None:
        """Note whether any other process heard a message on a topic."""
        if is_heard:
            self._unheard.pop(topic, None)
            return
        now = monotonic()
        if len(self._unheard) >= MOST_UNHEARD:
            self._unheard = {name: until for name, until in self._unheard.items() if until > now}
        self._unheard[topic] = now + UNHEARD_SECONDS


LOST = "Redis is lost; tabs follow other processes by the database, a little later"
bus = Bus()


def of_conversation(conversation: object) -> str:
    return f"conversation:{conversation}"


def of_person(person: str) -> str:
    return f"person:{person}"


def of_process(owner: str) -> str:
    return f"process:{owner}"


async def _forget_connections(server: "Redis") -> None:
    """Close the pooled connections: each that broke would look like another loss when used."""
    with suppress(*redis.failures()):
        await server.connection_pool.disconnect()


async def _beat(server: "Redis") -> None:
    """Ping Redis, to notice if it stops responding."""
    while True:
        await asyncio.sleep(BEAT_SECONDS)
        await server.ping()


def _first(group: BaseExceptionGroup) -> BaseException:
    error: BaseException = group
    while isinstance(error, BaseExceptionGroup):
        error = error.exceptions[0]
    return error
