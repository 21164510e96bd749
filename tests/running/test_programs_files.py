"""A program uploads files, and sends, reads and edits messages with them, only over HTTP."""

import re
import uuid

import pytest

from tests.attached import picture
from tests.chatapp.uploads.hostile_pdfs import scanned
from tests.patience import eventually
from tests.people import Person

PNG = picture(text="map")
NOTES = b"Berth 041 is empty"


@pytest.fixture(scope="module")
def program(served):
    return Person(served)


def upload(program, name, content):
    return program.api("POST", "/attachments", files={"file": (name, content)})


def uploaded(program, name, content):
    return upload(program, name, content).json()["id"]


def said(program, path, text="", **fields):
    message = {"text": text, "client_msg_id": str(uuid.uuid4())} | fields
    return program.api("POST", path, json=message)


def done(program, ack):
    """Wait until the answer is done; return the record of the user's message."""
    conversation = f"/conversations/{ack['conversation']}"
    generation = f"{conversation}/generations/{ack['generation']}"
    assert eventually(lambda: program.api("GET", generation).json()["status"] == "done")
    messages = program.api("GET", f"{conversation}/messages").json()["messages"]
    return next(each for each in messages if each["id"] == ack["message"])


def seen(provider):
    """Return the names of the text files in the newest question, and `image` for each image."""
    content = provider.requests[-1]["messages"][-1]["content"]
    parts = content if isinstance(content, list) else [{"type": "text", "text": content}]
    found = []
    for part in parts:
        names = re.findall('<file name="(.*?)"', part.get("text", ""))
        found += names or (["image"] if part["type"] == "image_url" else [])
    return found


@pytest.fixture
def sent(program):
    """Send a message with a map and notes; return the answer to that request."""
    files = [uploaded(program, "map.png", PNG), uploaded(program, "notes.txt", NOTES)]
    return said(program, "/conversations", agent="demo", attachments=files).json()


def edited(program, told, text="", **fields):
    path = f"/conversations/{told['conversation']}/messages/{told['message']}/edit"
    return said(program, path, text, **fields).json()


def test_an_upload_says_what_was_kept_of_a_file(program):
    answer = upload(program, "../map.png", PNG)

    facts = answer.json()
    assert answer.status_code == 201
    assert (facts["name"], facts["type"], facts["size"]) == ("map.png", "image/png", len(PNG))


@pytest.mark.daily
def test_files_are_sent_and_can_be_read(program, provider):
    tokens = upload(program, "map.png", PNG).json()["tokens"]
    files = [uploaded(program, "map.png", PNG), uploaded(program, "notes.txt", NOTES)]
    message = done(program, said(program, "/conversations", agent="demo", attachments=files).json())

    image, notes = message["parts"]
    assert [part["kind"] for part in (image, notes)] == ["image", "file"]
    assert (image["tokens"], message["text"], notes["text"]) == (tokens, "", NOTES.decode())
    for part, type_ in ((image, "image/png"), (notes, "application/octet-stream")):
        answer = program.http.get(part["address"])
        assert (len(answer.content), answer.headers["content-type"]) == (part["size"], type_)
    assert seen(provider) == ["image", "notes.txt"]


@pytest.mark.daily
def test_an_edit_loses_and_gains_files_and_a_retry_keeps_them(program, provider, sent):
    done(program, sent)
    scan = uploaded(program, "scan.pdf", scanned(2))
    second = edited(program, sent, without=[0], attachments=[scan])
    kinds = [(part["kind"], part["name"]) for part in done(program, second)["parts"]]
    assert kinds == [("file", "notes.txt"), ("file", "scan.pdf"), *[("image", "scan.pdf")] * 2]
    assert seen(provider).count("image") == 2

    third = edited(program, second, "Without the scan", without=[2])
    assert [part["name"] for part in done(program, third)["parts"]] == ["notes.txt"]
    with program.tab(sent["conversation"]) as tab:
        where = {"conversation": sent["conversation"], "generation": third["generation"]}
        tab.say(type="retry", **where)
        tab.until("end", generation=tab.until("ack")["generation"])
    assert seen(provider) == ["notes.txt"]


def test_the_branch_before_an_edit_still_has_its_files(program, provider, sent):
    chat = f"/conversations/{sent['conversation']}"
    done(program, sent)
    branch = program.api("GET", chat).json()["branch"]
    done(program, edited(program, sent, "Without the map", without=[0]))

    assert program.post(f"/chat/{sent['conversation']}/branch", branch=branch).status_code == 200
    asked = said(program, f"{chat}/messages", "And now?").json()
    done(program, asked | {"message": sent["message"]})
    question = provider.requests[-1]["messages"][1]["content"]
    assert [part["type"] for part in question] == ["image_url", "text"]


def test_an_id_is_answered_once_and_a_file_is_sent_once(program, provider):
    command = {"client_msg_id": str(uuid.uuid4()), "agent": "demo"}
    command["attachments"] = [uploaded(program, "notes.txt", NOTES)]
    first, again = (said(program, "/conversations", "Hi", **command).json() for _ in range(2))
    assert again == first | {"is_new": False}

    command["attachments"] = [uploaded(program, "map.png", PNG)]
    assert said(program, "/conversations", "Hi", **command).status_code == 409
    removed = f"/attachments/{command['attachments'][0]}"
    assert [program.api("DELETE", removed).status_code for _ in range(2)] == [204, 404]


@pytest.fixture(scope="module")
def names(program, served):
    """Upload files under the names that the cases use, one of them already sent in a message."""
    files = {
        "OWN": uploaded(program, "own.txt", NOTES),
        "SENT": uploaded(program, "sent.txt", NOTES),
        "OTHER": uploaded(Person(served), "other.txt", NOTES),
    }
    ack = said(program, "/conversations", agent="demo", attachments=[files["SENT"]]).json()
    done(program, ack)
    return files | {"EDIT": f"/conversations/{ack['conversation']}/messages/{ack['message']}/edit"}


NONE = str(uuid.uuid4())


@pytest.mark.parametrize(
    ("fields", "status"),
    [
        pytest.param({"attachments": [NONE]}, 404, id="no such file"),
        pytest.param({"attachments": ["SENT"]}, 404, id="a file that was sent"),
        pytest.param({"attachments": ["OTHER"]}, 404, id="somebody else's file"),
        pytest.param({"attachments": ["OWN", "OWN"]}, 404, id="one file twice"),
        pytest.param({"attachments": [NONE] * 10}, 422, id="too many, with the one it has"),
        pytest.param({"attachments": [NONE] * 101}, 422, id="more than any message has"),
        pytest.param({"attachments": "map.png"}, 422, id="a name"),
        pytest.param({"attachments": [1]}, 422, id="a number"),
        pytest.param({"without": [0]}, 422, id="nothing is left"),
        pytest.param({"without": [1]}, 404, id="no such part"),
        pytest.param({"without": [-1]}, 422, id="a part from the end"),
        pytest.param({"files": []}, 422, id="another field"),
    ],
)
def test_an_edit_that_cannot_be_is_refused_with_a_sentence(program, names, fields, status):
    given = {
        key: [names.get(each, each) for each in value] if isinstance(value, list) else value
        for key, value in fields.items()
    }

    answer = said(program, names["EDIT"], **given)

    assert (answer.status_code, set(answer.json())) == (status, {"code", "detail"})


FORM = {"Content-Type": "multipart/form-data; boundary=b"}


@pytest.mark.parametrize(
    ("sent", "status", "code"),
    [
        pytest.param({}, 422, "invalid", id="nothing"),
        pytest.param({"json": {"file": "a"}}, 422, "invalid", id="JSON"),
        pytest.param({"data": {"file": "a"}}, 422, "invalid", id="a text"),
        pytest.param({"files": {"other": b"a"}}, 422, "invalid", id="another field"),
        pytest.param({"files": [("file", b"a")] * 2}, 422, "invalid", id="two files"),
        pytest.param({"content": b"--b", "headers": FORM}, 422, "invalid", id="a form cut short"),
        pytest.param({"files": {"file": b""}}, 422, "empty", id="an empty file"),
        pytest.param({"files": {"file": b"MZ\0\0"}}, 422, "type", id="a program"),
        pytest.param({"files": {"file": PNG[:60]}}, 422, "damaged", id="a part of an image"),
        pytest.param({"files": {"file": b"a" * 21_000_000}}, 413, "too_long", id="too large"),
    ],
)
def test_an_upload_that_cannot_be_is_refused_with_a_sentence(program, sent, status, code):
    headers = program.headers | sent.get("headers", {})

    answer = program.http.post("/api/attachments", **sent | {"headers": headers})

    assert (answer.status_code, answer.json()["code"]) == (status, code)
    assert answer.json()["detail"].endswith((".", "missing"))


def test_another_sites_page_uploads_nothing(program):
    answer = program.http.post("/api/attachments", files={"file": NOTES})

    assert (answer.status_code, answer.json()["code"]) == (403, "forbidden")
