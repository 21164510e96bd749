"""What `manage.py context project` refuses, and how it says so."""

import io

import pytest
from django.core.management import CommandError, call_command

from tests.history.projecting import CHAT, run
from tests.told import no_levels, no_number, no_processor

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        (["--set", "length"], "--set length: must be NAME=VALUE, such as length=8"),
        (["--set", "length=1", "--set", "length=2"], "--set length: given twice"),
        (["--set", "length=-1"], f"--set {no_number('length', -1)}"),
        (["--set", "size=2"], "--set size: no such setting; available: policy, "),
        (["--model", "demo/other"], "model demo/other: use demo/mirror. Choose another"),
    ],
)
def test_a_bad_option_is_an_error_that_names_it(tmp_path, options, sentence):
    with pytest.raises(CommandError) as raised:
        run(tmp_path, CHAT, *options)

    assert str(raised.value).startswith(sentence)


@pytest.mark.parametrize(
    ("chain", "sentence"),
    [
        ([], no_levels()),
        ({"agent": [{"use": "other"}]}, no_processor("agent", 1, "other")),
        (
            {"agent": [{"use": "token_limiter", "limit": 0}]},
            no_number("limit", 0, 1, 1_000_000_000),
        ),
    ],
)
def test_bad_processors_are_an_error_that_names_the_file(tmp_path, chain, sentence):
    with pytest.raises(CommandError) as raised:
        run(tmp_path, CHAT, processors=chain)

    assert str(raised.value).startswith(f"{tmp_path}/processors.json: ")
    assert sentence in str(raised.value)


@pytest.mark.parametrize(
    ("data", "sentence"),
    [
        ({"text": "hi"}, 'must be a list of messages, or an object with "messages"'),
        ([{"role": "bot", "content": "hi"}], "messages[0].role: bot is no role; there are system"),
    ],
)
def test_what_is_no_transcript_is_an_error_that_names_file_and_place(tmp_path, data, sentence):
    with pytest.raises(CommandError) as raised:
        run(tmp_path, data)

    assert str(raised.value).startswith(f"{tmp_path}/transcript.json: {sentence}")


@pytest.mark.parametrize("content", [b"[{", b"\xff\xfe", None], ids=["half", "binary", "missing"])
def test_a_file_that_cannot_be_read_is_named(tmp_path, content):
    file = tmp_path / "other.json"
    if content is not None:
        file.write_bytes(content)

    with pytest.raises(CommandError) as raised:
        call_command("context", "project", str(file))

    assert str(raised.value).startswith(f"{file}: ")


def test_standard_input_that_is_no_json_is_named(monkeypatch):
    monkeypatch.setattr("sys.stdin", io.StringIO("hello"))

    with pytest.raises(CommandError, match=r"^standard input: "):
        call_command("context", "project", "-")


def test_what_does_not_fit_is_refused_with_its_size(tmp_path):
    messages = [{"role": "system", "content": "one " * 600}, *CHAT]
    options = ["--set", "context_window=512", "--set", "output_reserve=1"]

    with pytest.raises(CommandError, match=r"\b512\b"):
        run(tmp_path, messages, *options)
