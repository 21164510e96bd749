"""Every malformed or hostile file is refused with a sentence, or made harmless, within bounds."""

import json
import os
import subprocess
import sys
from collections import Counter
from dataclasses import asdict
from io import BytesIO

import pytest
from PIL import Image

from chatapp.uploads import process
from chatapp.uploads.bounds import Bounds
from chatapp.uploads.child import MEMORY, POLITENESS
from chatapp.uploads.cleaned import FileRefused
from chatapp.uploads.process import look_at
from chatapp.uploads.sentences import note, refusal
from tests.chatapp.uploads.hostile import corpus, photo
from tests.chatapp.uploads.hostile_documents import programs
from tests.chatapp.uploads.hostile_pdfs import costly, scanned, with_text
from tests.servers import ROOT

BOUNDS = Bounds(50_000_000, 2_048, 300, 3, 1_048_576, 20)
SIGNATURES = {"image/png": b"\x89PNG\r\n", "image/jpeg": b"\xff\xd8\xff"}
ODD = (b"<script", b"SECRET", b"PK\x03\x04", b"Exif", b"ICC_PROFILE", b"iCCP", b"tEXt", b"zTXt")
MOST_MEMORY = 550_000_000  # Bytes of the process that examines files; measured: 498 MB.


def looked_at(data, bounds=BOUNDS, charged=None):
    return look_at(data, bounds, [].append if charged is None else charged.append)


@pytest.fixture(scope="module")
def files():
    return corpus()


@pytest.fixture(scope="module")
def answers(files):
    """Examine all files in one process, since starting a process takes a second."""
    given = b"".join(b"%d\n" % len(data) + data for data in files.values())
    done = subprocess.run(
        [sys.executable, "-B", "-m", "tests.chatapp.uploads.one_after_another"],
        input=json.dumps(asdict(BOUNDS)).encode() + b"\n" + given,
        capture_output=True,
        cwd=ROOT,
        check=False,
    )
    told = [json.loads(line) for line in done.stdout.splitlines()]
    assert len(told) == len(files), (list(files)[len(told)], done.stderr[-2_000:])
    return dict(zip(files, told, strict=True))


@pytest.mark.whole
def test_there_are_more_than_six_hundred_and_of_all_outcomes(answers):
    outcomes = Counter(told.get("refused", "kept") for told in answers.values())

    assert len(answers) > 600
    assert outcomes["kept"] > 200
    assert set(outcomes) >= {"damaged", "type", "pixels", "pages", "encrypted", "empty", "text"}


def test_each_is_refused_with_a_sentence_or_kept(answers):
    for name, told in answers.items():
        if "refused" in told:
            sentence = refusal(FileRefused(told["refused"], **told["figures"]), "a file")
            assert sentence[0].isalnum(), name
            assert sentence.endswith((".", "soon.")), name
            assert "{" not in sentence, name
        else:
            assert told["kept"]["text"].strip() or told["kept"]["pictures"], name


def test_what_is_kept_is_text_or_a_picture_of_our_own(answers):
    for name, told in answers.items():
        if "kept" not in told:
            continue
        heads = told["kept"]["pictures"]
        for head, data in zip(heads, map(bytes.fromhex, told["blobs"]), strict=True):
            assert data.startswith(SIGNATURES[head["type"]]), name
            assert not [mark for mark in ODD if mark in data], name
            assert max(head["width"], head["height"]) <= BOUNDS.side, name
            Image.open(BytesIO(data)).load()
        told["kept"]["text"].encode()
        assert "\0" not in told["kept"]["text"], name


def test_memory_stays_within_its_bound(answers):
    most = max(told["memory"] for told in answers.values())

    assert most < MOST_MEMORY < MEMORY, f"{most:,} bytes"


def test_each_takes_less_time_than_the_system_grants(answers):
    slowest = max(answers, key=lambda name: answers[name]["seconds"])

    assert answers[slowest]["seconds"] < BOUNDS.seconds / 2, slowest
    assert answers["10,000 pages"]["seconds"] < BOUNDS.seconds / 2


def test_no_program_of_a_document_is_left(answers):
    for name in programs():
        kept = answers[name]["kept"]
        assert (kept["text"], kept["pictures"]) == ("[Page 1]\nabcdefghijk", []), name


@pytest.mark.parametrize(
    ("name", "signs"),
    [("lines that are turned", 3), ("words in tags", 6), ("letters that turn the line", 1)],
)
def test_whoever_attaches_a_text_that_hides_something_is_told(answers, name, signs):
    notes = answers[name]["kept"]["notes"]

    assert notes == [{"code": "hiding", "signs": signs}]
    assert note(notes[0]).startswith(f"Characters that hide or reorder text: {signs}.")


SINGLE = (
    "a PNG of 400 megapixels",
    "a table of 200 MB",
)


@pytest.mark.parametrize("name", SINGLE)
def test_the_worst_ends_in_a_process_of_its_own_too(files, name):
    with pytest.raises(FileRefused):
        looked_at(files[name])


@pytest.mark.parametrize(
    ("child", "code"),
    [
        ("while True: pass", "slow"),
        ("bytearray(10**10)", "crash"),
        ("pass", "crash"),
        ("import os; os.abort()", "crash"),
        ("import os; os.write(os.open('FOLDER/found', 65, 0o600), b'a')", "crash"),
    ],
    ids=["never ends", "takes all memory", "says nothing", "crashes", "writes a file"],
)
def test_a_decoder_can_do_no_harm(monkeypatch, tmp_path, child, code):
    """The real child process runs, but the decoder in it is replaced by hostile code."""
    child = child.replace("FOLDER", str(tmp_path))
    wrapped = f"from chatapp.uploads import child; child.bound(1)\n{child}"
    monkeypatch.setattr(process, "COMMAND", (sys.executable, "-B", "-c", wrapped))
    monkeypatch.setattr(process, "PATIENCE", 1)

    with pytest.raises(FileRefused) as refused:
        looked_at(b"text", Bounds(1, 1, 1, 1, 1, 2))

    assert refused.value.code in {code, "crash"}
    assert [file.read_bytes() for file in tmp_path.iterdir()] in ([], [b""])


@pytest.mark.whole
def test_a_pdf_is_granted_five_seconds_and_all_of_them_are_charged():
    charged = []

    assert len(costly()) == 39_000
    with pytest.raises(FileRefused) as refused:
        looked_at(costly(), charged=charged)

    assert refused.value.code in {"slow", "crash"}
    assert charged == [5]


def test_what_a_file_took_is_charged():
    charged = []

    looked_at(with_text("Hello"), charged=charged)

    assert 0 < charged[0] < 5


def test_its_process_comes_after_the_server(monkeypatch):
    """The real process runs, but reports its priority instead of examining a file."""
    told = "import os, sys; from chatapp.uploads import child; "
    told += "child.answer = lambda *_: ({'refused': 'nice', 'figures': {'by': os.nice(0)}}, []); "
    told += "child.main(sys.stdin.buffer, sys.stdout.buffer)"
    monkeypatch.setattr(process, "COMMAND", (sys.executable, "-B", "-c", told))

    with pytest.raises(FileRefused) as refused:
        looked_at(b"text")

    assert refused.value.figures["by"] == os.nice(0) + POLITENESS


def test_a_photo_is_upright_and_tells_nothing_of_its_place():
    supplied = photo()
    assert b"SECRET camera" in supplied
    assert b"Exif" in supplied

    (picture,) = looked_at(supplied).pictures

    assert (picture.width, picture.height) == (48, 64)  # Turned from 64 by 48.
    kept = Image.open(BytesIO(picture.data))
    assert not kept.getexif()
    assert "icc_profile" not in kept.info
    assert not [mark for mark in ODD if mark in picture.data]


def test_a_scanned_pdf_says_how_many_of_its_pages_are_shown():
    cleaned = looked_at(scanned(5))

    assert [picture.page for picture in cleaned.pictures] == [1, 2, 3]
    assert cleaned.notes == ({"code": "scanned", "pages": 5, "shown": 3},)
    assert note(cleaned.notes[0]) == "5 scanned pages without text. Sent as images: 3."
    assert "[Page 3, scanned: only in its picture]" in cleaned.text
    assert "[Page 4, scanned: its picture is not included]" in cleaned.text
