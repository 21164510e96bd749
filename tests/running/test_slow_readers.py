"""A client that does not read costs the server little; one that reads slowly misses nothing."""

import json
import os
import socket
import time
from pathlib import Path

import pytest

from tests.provider import Reply

SUBSCRIBES = int(os.environ.get("SUBSCRIBES", "60"))
MOST_GROWTH = 30 * 2**20  # Bytes by which the server may grow.
WORDS = "a word of a long answer. " * 1_000  # 25 kB; 40 of them make 1 MB.
MEGABYTE = 40


@pytest.fixture
def long_answer(ada, provider):
    """Make an answer of a megabyte; return its ack and its events."""
    provider.script(Reply(text=[f"{WORDS}\n\n"] * MEGABYTE))
    with ada.tab() as tab:
        ack, _ = tab.ask("Tell me everything", agent="demo")
        return ack, tab.events(ack["generation"])


def subscription(ack, after_seq=0):
    named = {"conversation": ack["conversation"], "generation": ack["generation"]}
    return {"type": "subscribe", "after_seq": after_seq, **named}


def memory(server):
    """Return the server's resident memory in bytes."""
    lines = Path(f"/proc/{server.process.pid}/status").read_text().splitlines()
    (size,) = (line.split()[1] for line in lines if line.startswith("VmRSS"))
    return int(size) * 1024


def read_slowly(tab):
    """Read frames through a small buffer, with pauses, until the answer ends."""
    tab.socket.socket.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 16_384)
    while True:
        time.sleep(0.01)
        frame = tab.next()
        if frame.get("kind") == "end" or frame["type"] == "reload":
            return frame


def test_a_socket_that_never_reads_costs_little(served, ada, long_answer):
    ack, _ = long_answer
    with ada.tab() as tab:
        tab.say(**subscription(ack))
        tab.until("end")
    before = memory(served)

    with ada.deaf_socket() as deaf:
        for _ in range(SUBSCRIBES):
            deaf.say(**subscription(ack))
        growth = []
        for _ in range(20):
            time.sleep(0.2)
            growth.append(memory(served) - before)
        healthy = ada.open("/healthz").status_code

    assert max(growth) < MOST_GROWTH
    assert healthy == 200


def test_a_slow_reader_gets_all_of_a_long_answer(ada, long_answer):
    ack, events = long_answer
    with ada.tab() as tab:
        tab.say(**subscription(ack))
        read_slowly(tab)

    assert tab.events(ack["generation"]) == events


def test_a_slow_reader_of_a_running_answer_gets_all_of_it_or_a_reload(ada, provider):
    provider.script(Reply(text=[f"{WORDS}\n\n"] * MEGABYTE, delay=0.02))
    with ada.tab() as tab:
        ack = tab.send("Tell me everything", agent="demo")
        last = read_slowly(tab)

    numbers = [event["seq"] for event in tab.events(ack["generation"])]
    assert numbers == list(range(1, len(numbers) + 1))
    if last["type"] == "reload":
        page = ada.open(f"/chat/{ack['conversation']}").text
        assert json.dumps(WORDS[:20]).strip('"') in page
