"""Texts by people can neither add lines to the log nor colour a terminal."""

import re

import httpx

from tests.patience import PATIENCE
from tests.people import Person
from tests.provider import Reply
from tests.servers import manage

FORGED = "ada\r\n2026-01-01 00:00:00,000 ERROR chatapp all is lost\x1b[31m"
ENTRY = re.compile(r"\d{4}-\d\d-\d\d \d\d:\d\d:\d\d,\d{3} (DEBUG|INFO|WARNING|ERROR|CRITICAL) ")
MAKE = "from django.contrib.auth.models import User; u = User(username={!r}, is_staff=True)"
MAKE += "; u.set_password('correct horse'); u.save()"


def test_a_name_and_a_message_with_control_characters(app, provider):
    server = app(**provider.environment, LOG_LEVEL="DEBUG")
    already = len(server.log.read_text())
    manage(server.folder, "shell", "-c", MAKE.format(FORGED))
    provider.script(Reply(status=400, body=FORGED))
    ada = Person(server)
    ada.sign_in(FORGED, "wrong")
    ada.sign_in(FORGED, "correct horse")
    with ada.tab() as tab:
        tab.ask(FORGED, agent="demo")
    ada.open("/chat/nowhere%0d%0a2026-01-01 ERROR forged%1b[31m")
    ada.open("/chat?agent=nosuch%0d%0aforged")
    httpx.get(f"{server.url}/chat", headers={"Host": "evil.example"}, timeout=PATIENCE)
    server.terminate()

    said = server.log.read_text()[already:]
    assert "\x1b" not in said
    assert "\r" not in said
    assert "nowhere" in said
    lines = [line for line in said.split("\n") if line and line != "Vitrine has stopped."]
    assert [line for line in lines if not (ENTRY.match(line) or line.startswith("  "))] == []
    assert [line for line in lines if ENTRY.match(line) and "ERROR chatapp all" in line[:60]] == []
