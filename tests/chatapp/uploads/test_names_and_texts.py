"""Files' names are shown only as text, and a text that is named as something else is refused."""

import pytest

from chatapp.uploads.bounds import Bounds
from chatapp.uploads.cleaned import FileRefused
from chatapp.uploads.names import clean_name
from chatapp.uploads.plain_text import cleaned
from chatapp.uploads.supplying import supplied_file

BOUNDS = Bounds(1, 1, 1, 1, 100, 1)


@pytest.mark.parametrize(
    ("supplied", "shown"),
    [
        ("plan.pdf", "plan.pdf"),
        ("../../etc/passwd", "passwd"),
        ("C:\\Users\\ada\\plan.pdf", "plan.pdf"),
        ("photo\u202egpj.exe", "photogpj.exe"),
        ("a\0b\r\nc\x1b[31m.txt", "abc[31m.txt"),
        ("  a \t\u2028 b .txt ", "a b .txt"),
        ("Übersicht.txt", "Übersicht.txt"),
        ("\ud800.txt", "txt"),
        ("..", "file"),
        ("", "file"),
        ("/", "file"),
        (".htaccess", "htaccess"),
        ("plan.pdf. . .", "plan.pdf"),
        ("\\\\evil.example\\share\\plan.pdf", "plan.pdf"),
        ("/dev/null\0.png", "null.png"),
        ("%2e%2e%2fplan.pdf", "%2e%2e%2fplan.pdf"),
        ("a\u2066b\u2069\u200bc\ufeff.txt", "abc.txt"),
        ("a\U000e0041.txt", "a.txt"),
        ("a\x7f\x9b.txt", "a.txt"),
        ("e\u0301.txt", "\xe9.txt"),
        ("a.txt:evil.exe", "a.txt:evil.exe"),
        ("CON", "CON"),
        ("the %22big%22 plan.pdf", 'the "big" plan.pdf'),
        ("<img src=x onerror=alert(1)>.png", "<img src=x onerror=alert(1)>.png"),
    ],
)
def test_a_name_is_never_a_path_and_hides_nothing(supplied, shown):
    assert clean_name(supplied) == shown


@pytest.mark.parametrize(
    "start", ["a" * 500, "a" * 10_000, "a" + "\u0323" * 10_000, "\U0001f6a2" * 999]
)
def test_a_long_name_keeps_its_ending(start):
    name = clean_name(f"{start}.pdf")

    assert (len(name), name[-5:]) == (120, "….pdf")


@pytest.mark.parametrize(
    ("name", "kind"),
    [("berth.PNG", "image/png"), ("berth.jpeg", "image/jpeg"), ("plan.pdf", "application/pdf")],
)
def test_a_text_that_is_named_as_something_else_is_refused(name, kind):
    with pytest.raises(FileRefused) as refused:
        supplied_file(name, b"<h1>503 Service Unavailable</h1>", "ada")

    assert (refused.value.code, refused.value.figures) == ("damaged", {"type": kind})


@pytest.mark.parametrize("name", ["notes", "notes.txt", "drawing.svg", "a.png.html"])
def test_any_other_name_suits_a_text(name):
    supplied, _ = supplied_file(name, b"<svg/>", "ada")

    assert supplied.type == "text/plain"


@pytest.mark.parametrize(
    ("data", "text", "notes"),
    [
        ("é".encode(), "é", []),
        ("é".encode("utf-8-sig"), "é", []),
        ("\ufeffé".encode("utf-16-le"), "é", []),
        ("\ufeffé".encode("utf-16-be"), "é", []),
        ("é".encode("latin-1"), "é", ["latin-1"]),
        (b"a\r\nb\rc", "a\nb\nc", []),
        ("\u202eé".encode("latin-1", "ignore") + "\u202e".encode(), "é\xe2\x80\xae", ["latin-1"]),
        ("a\u202eb".encode(), "a\u202eb", ["hiding"]),
    ],
)
def test_a_text_is_decoded(data, text, notes):
    kept = cleaned(data, BOUNDS)

    assert kept.text == text
    assert [note["code"] for note in kept.notes] == notes


@pytest.mark.parametrize(("data", "code"), [(b"a" * 101, "text"), (b" \n", "empty")])
def test_a_text_is_refused(data, code):
    with pytest.raises(FileRefused) as refused:
        cleaned(data, BOUNDS)
    assert refused.value.code == code
