"""A stand-in for OpenAI's background mode: an answer goes on whether or not anybody reads it.

Each text stops after two pieces while `gate` is closed, and some readers are cut off there. A kept
response is streamed again from its start to whoever asks for it, until it is deleted.
"""

import json
import threading
from collections.abc import Iterator, Mapping
from typing import Any
from urllib.parse import unquote

from tests.patience import PATIENCE
from tests.strict.bound_responses import BoundResponses
from tests.strict.server import Headers, Said

DELTA = b"response.output_text.delta"
PIECES = 2
SEALED = "include[]=reasoning.encrypted_content"  # It must be asked for, as in the first request.


class BackgroundResponses(BoundResponses):
    def __init__(self) -> None:
        self.responses: dict[str, list[bytes]] = {}
        self.cancelled: set[str] = set()
        self.cuts = 0  # How many more readers are cut off.
        self.cut_after = PIECES
        self.gate = threading.Event()
        self.gate.set()

    def environment(self, url: str) -> dict[str, str]:
        return {**super().environment(url), "BACKGROUND_ANSWERS": "true"}

    def refusal(self, path: str, body: Mapping[str, Any], headers: Headers) -> str:
        others = {name: value for name, value in body.items() if name != "background"}
        if body.get("background") and not body.get("store"):
            return "Background mode requires store=true."
        return super().refusal(path, others, headers)

    def events(self, said: Said, number: int, body: Mapping[str, Any]) -> Iterator[bytes]:
        events = list(super().events(said, number, body))
        if body.get("background"):
            self.responses[f"resp_{number}"] = events
        return self._paced(events)

    def kept(self, method: str, path: str) -> Iterator[bytes] | dict[str, Any] | None:
        id_ = path.partition("?")[0].removesuffix("/cancel").rpartition("/")[2]
        events = self.responses.get(id_)
        if events is None:
            return None
        if method == "GET":
            return self._paced(events) if SEALED in unquote(path) else None
        if method == "DELETE":
            del self.responses[id_]
            return {"id": id_, "object": "response", "deleted": True}
        self.cancelled.add(id_)
        whole = json.loads(events[-1].partition(b"data: ")[2])
        return {**whole["response"], "status": "cancelled"}

    def _paced(self, events: list[bytes]) -> Iterator[bytes]:
        pieces = 0
        for event in events:
            pieces += DELTA in event.partition(b"\n")[0]
            if pieces > self.cut_after and self.cuts:
                self.cuts -= 1
                raise ConnectionResetError
            if pieces > PIECES and not self.gate.is_set():
                self.gate.wait(PATIENCE)
            yield event
