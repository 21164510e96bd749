"""A program imports chats, while the server is killed meanwhile."""

import pytest

from tests.history.services.imports.files import chatgpt, node, zipped
from tests.patience import eventually
from tests.people import Person

MANY = 40


def chats(count):
    return [
        chatgpt(
            node("s", "root", "system", "Be rude."),
            node("a", "s", text=f"Question {n} " + "with many words " * 200),
            node("b", "a", "assistant", f"Answer {n} " + "with many words " * 200),
            id=f"chat-{n}",
            title=f"Chat {n}",
        )
        for n in range(count)
    ]


def upload(person, data, **fields):
    files = {"file": ("chatgpt.zip", data)}
    return person.api("POST", "/imports", files=files, data={"agent": "demo"} | fields)


def report(person, job):
    return person.api("GET", f"/imports/{job}").json()


@pytest.mark.daily
def test_kill_9_in_an_import_loses_nothing_and_doubles_nothing(app):
    server = app()
    ada = Person(server)
    data = zipped({"conversations-000.json": chats(MANY)})
    began = upload(ada, data)
    job = began.json()["id"]
    assert (began.status_code, began.json()["state"]) == (202, "waiting")
    assert eventually(lambda: report(ada, job)["stored"] > 2)
    server.kill()
    server.start()

    assert eventually(lambda: report(ada, job)["state"] == "done")
    told = report(ada, job)
    assert (told["stored"], told["known"], told["skipped"], told["percent"]) == (MANY, 0, 0, 100)
    listed = ada.api("GET", "/conversations?limit=200").json()["conversations"]
    assert sorted(each["title"] for each in listed) == sorted(f"Chat {n}" for n in range(MANY))
    address = f"/conversations/{told['entries'][0]['conversation']}/messages"
    messages = ada.api("GET", address).json()["messages"]
    assert [(m["role"], m["imported"], m["withheld"]) for m in messages] == [
        ("system", True, True),
        ("user", True, False),
        ("assistant", True, False),
    ]
    again = upload(ada, data).json()["id"]
    assert eventually(lambda: report(ada, again)["known"] == MANY)
    refuses(ada, Person(server), job)


def test_a_program_is_told_what_was_left_out_and_why(app):
    ada = Person(app())
    data = zipped({"conversations.json": [*chats(1), {"title": "Broken", "mapping": 7}]})

    job = upload(ada, data).json()["id"]

    assert eventually(lambda: report(ada, job)["state"] == "done")
    kept, left_out = report(ada, job)["entries"]
    assert (kept["outcome"], left_out["outcome"]) == ("stored", "skipped")
    (said,) = left_out["skipped"]
    assert (said["why"], said["where"]) == ("no_chat", "Broken")
    assert said["sentence"].startswith("Not a chat")


def refuses(ada, bob, job):
    """Check that bad imports are refused with a sentence, and that nobody sees another's import."""
    bob.api("GET", "/imports")
    for fields, status in (({"agent": "gone"}, 404), ({"instructions": "true"}, 422)):
        answer = upload(ada, b"[]", **fields)
        assert (answer.status_code, answer.json()["detail"][-1]) == (status, ".")
    assert ada.api("POST", "/imports", data={"agent": "demo"}).status_code == 422
    assert bob.api("GET", f"/imports/{job}").status_code == 404
    unknown = upload(ada, b"Hello").json()["id"]
    assert eventually(lambda: report(ada, unknown)["state"] == "failed")
    assert "can be imported" in report(ada, unknown)["fault"]
