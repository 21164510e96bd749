"""One person who uses the running app, can import any conversation, and reads it everywhere."""

import uuid
from dataclasses import dataclass
from typing import Any

from tests.people import Person
from tests.provider import Call, Provider, Reply
from tests.running.import_conversations import Importer
from tests.running.scenarios import CALCULATION, Scenario
from tests.servers import AppServer

Json = dict[str, Any]
QUESTION = "And what does all of it cost?"


@dataclass(frozen=True)
class Said:
    """What became of a new message: its answer's end, the plans by step, and the request bodies."""

    conversation: str
    end: Json
    records: list[Json]
    bodies: list[Json]


class AppPerson:
    def __init__(self, server: AppServer, provider: Provider, importer: Importer) -> None:
        self.server, self.provider, self.importer = server, provider, importer
        self.ada = Person(server)
        with self.ada.tab() as tab:
            tab.ask("Hi", agent="demo")
        newest = "SELECT visitor FROM history_conversation ORDER BY created DESC LIMIT 1"
        self.visitor: str = server.rows(newest)[0][0]

    def say(self, scenario: Scenario) -> Said:
        """Store a conversation, and send a new message to it."""
        conversation = self._store(scenario)
        self.provider.reset()
        if scenario.calls:
            call = Call("calculator", CALCULATION)
            self.provider.script(Reply(calls=[call], finish="tool_calls"))
        generation, end = self._send(conversation, scenario)
        plans = self.ask("GET", conversation, "/plans")
        records = [record for record in plans if record["generation"] == generation]
        return Said(conversation, end, records[::-1], list(self.provider.requests))

    def transcript(self, conversation: str) -> list[Json]:
        """Return all messages of the path, by position."""
        found: list[Json] = []
        query: Json = {"limit": 200}
        while query.get("before", 1):
            page = self.ask("GET", conversation, "/messages", params=query)
            found = [*page["messages"], *found]
            query["before"] = page["next"]
        return found

    def ask(self, method: str, conversation: str, path: str = "", **options: Any) -> Any:
        answer = self.ada.api(method, f"/conversations/{conversation}{path}", **options)
        assert answer.status_code == 200, answer.text
        return answer.json()

    def page(self, address: str) -> str:
        answer = self.ada.open(address)
        assert answer.status_code == 200, answer.text
        return answer.text

    def _store(self, scenario: Scenario) -> str:
        conversation = self.importer.store(self.visitor, scenario.stored())
        self.ask("PATCH", conversation, json={"history_settings": scenario.settings})
        if scenario.compact:
            answer = self.ada.api("POST", f"/conversations/{conversation}/checkpoints")
            assert answer.status_code in {201, 409}, answer.text  # 409: nothing to summarise.
        return conversation

    def _send(self, conversation: str, scenario: Scenario) -> tuple[str, Json]:
        with self.ada.tab(conversation) as tab:
            tab.say(type="ping")
            tab.until("pong")
            message = {"text": QUESTION, "client_msg_id": str(uuid.uuid4())}
            ack = self.ask("POST", conversation, "/messages", json=message, params=scenario.url)
            end = tab.until("end", generation=ack["generation"])
        return ack["generation"], end["data"]
