"""The app keeps an end that the database refuses, and stores it later; then the conversation is
free."""

import time

from tests.patience import seconds
from tests.provider import Reply
from tests.running.refusing_database import full

MOST = 2 + seconds(8)  # Seconds after the database's return; the app retries every 2 s.


def stored(server):
    query = "SELECT role, text FROM history_message ORDER BY id DESC LIMIT 2"
    return server.rows(query)[::-1]


def test_the_disk_is_full_for_a_while(served, ada, provider):
    begun = [f"w{n} " for n in range(30)]
    provider.script(Reply(text=[*begun, "the end"], hang_after=30), Reply(text=["Hello again."]))
    with ada.tab() as tab:
        ack = tab.send("Tell me", agent="demo")
        served.wait_for_log("w29 ")
        with full(served):
            provider.release()
            time.sleep(3)
            assert served.statuses() == ["running"]
        freed = time.monotonic()

        end = tab.until("end", generation=ack["generation"])["data"]

        assert time.monotonic() - freed < MOST
        assert end["status"] in {"failed", "done"}
        question, (role, text) = stored(served)
        assert (question, role) == (("user", "Tell me"), "assistant")
        assert text.startswith("".join(begun))
        _, end = tab.ask("Are you there?", conversation=ack["conversation"])
    assert end["status"] == "done"
