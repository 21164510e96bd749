"""Open WebUI, with accounts: it stores each message, and an answer when it is complete."""

import asyncio
import json
import time
import uuid
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import httpx

from bench.chats.peer import Peer
from bench.chats.socket_io import SocketIO, socket_io
from bench.streams import Person, Stream

PASSWORD = "only for the benchmark"
ANSWER_SECONDS = 60  # The longest wait for an answer.
QUIET = dict.fromkeys(
    (
        *("ENABLE_OLLAMA_API", "ENABLE_TITLE_GENERATION", "ENABLE_TAGS_GENERATION"),
        *("ENABLE_FOLLOW_UP_GENERATION", "ANONYMIZED_TELEMETRY"),
    ),
    "false",
)  # No request of its own beside each answer.
OFFLINE = {"OFFLINE_MODE": "true", "HF_HUB_OFFLINE": "1", "RAG_EMBEDDING_ENGINE": "openai"}


class Tab:
    """A person's tab: it asks by HTTP and reads the answer from a socket, as the page does."""

    def __init__(self, http: httpx.AsyncClient, socket: SocketIO) -> None:
        self.http = http
        self.socket = socket
        self.chat: str | None = None
        self.newest: str | None = None  # The newest answer's id.

    async def ask(self, text: str) -> Stream:
        """Send a message, and read its answer. If the app refuses it or does not end, the stream
        has what came.
        """
        answer = str(uuid.uuid4())
        seen = Stream()
        try:
            async with asyncio.timeout(ANSWER_SECONDS), asyncio.TaskGroup() as both:
                both.create_task(self._read(answer, seen))
                sent = both.create_task(self._send(text, answer))
            self.chat, self.newest = sent.result(), answer
        except* (TimeoutError, httpx.HTTPError):
            pass
        return seen

    async def _read(self, answer: str, seen: Stream) -> None:
        async for name, told in self.socket.received():
            if name != "events" or told["message_id"] != answer:
                continue
            data = told["data"]["data"]
            if data.get("done"):
                return
            if told["data"]["type"] == "response:completion":
                seen.receive(data.get("delta", ""))

    async def _send(self, text: str, answer: str) -> str:
        """Send a message; return the id of its chat."""
        message = {
            "id": str(uuid.uuid4()),
            "parentId": self.newest,
            "childrenIds": [answer],
            "role": "user",
            "content": text,
            "timestamp": int(time.time()),
            "models": ["fake"],
        }
        body = {
            "model": "fake",
            "stream": True,
            "id": answer,
            "parent_id": self.newest,
            "user_message": message,
            "session_id": self.socket.sid,
            "background_tasks": {},
        }
        body |= {"chat_id": self.chat} if self.chat else {}
        told = await self.http.post("/api/chat/completions", json=body)
        return str(told.raise_for_status().json()["chat_id"])


class OpenWebUI(Peer):
    name = "Open WebUI"
    package = "open-webui"
    variable = "OPEN_WEBUI"

    def __init__(self, folder: Path, provider: str) -> None:
        super().__init__(folder, provider)
        self.administrator = ""
        self.spare: list[str] = []  # The tokens of accounts that have no tab now.

    def arguments(self) -> list[str]:
        command = "from open_webui import app; app()"
        return ["-c", command, "serve", "--host", "127.0.0.1", "--port", str(self.port)]

    def variables(self) -> dict[str, str]:
        return {
            **QUIET,
            **OFFLINE,
            "DATA_DIR": str(self.folder),
            "WEBUI_SECRET_KEY": uuid.uuid4().hex,
            "OPENAI_API_BASE_URL": self.provider,
            "OPENAI_API_KEY": "none",
            "OPENAI_API_CONFIGS": json.dumps({"0": {"enable": True, "model_ids": ["fake"]}}),
            "BYPASS_MODEL_ACCESS_CONTROL": "true",
            "GLOBAL_LOG_LEVEL": "ERROR",
        }

    @asynccontextmanager
    async def person(self) -> AsyncIterator[Person]:
        token = self.spare.pop() if self.spare else await self._joined()
        async with (
            self._http(token) as http,
            socket_io(self.address, {"token": token}) as socket,
        ):
            yield Tab(http, socket)
        self.spare.append(token)

    async def _joined(self) -> str:
        """Make an account, the first one the administrator's; return its token."""
        if not self.administrator:
            self.administrator = await self._account("auths/signup")
        return await self._account("auths/add", role="user")

    async def _account(self, where: str, **more: Any) -> str:
        name = uuid.uuid4().hex
        account = {"name": name, "email": f"{name}@example.org", "password": PASSWORD, **more}
        async with self._http(self.administrator) as http:
            told = await http.post(f"/api/v1/{where}", json=account)
        return str(told.raise_for_status().json()["token"])

    def _http(self, token: str) -> httpx.AsyncClient:
        headers = {"Authorization": f"Bearer {token}"} if token else {}
        return httpx.AsyncClient(base_url=self.url, headers=headers, timeout=60)
