from chatapp.generation.records import log_lines
from tests.history.core.making import projected
from tests.transcripts import transcript, turns


def test_the_development_log():
    messages = transcript(*["user: q", "assistant: a"] * 11)

    assert log_lines(projected(messages, length=6).plan, "demo") == (
        '[History] Agent demo history settings: {policy: "lastN", length: 6, messageCount: 22}',
        "[History] Trimmed messages from 22 to 12",
    )


def test_nothing_trimmed_is_one_line():
    assert log_lines(projected(turns(11)).plan, "demo") == (
        '[History] Agent demo history settings: {policy: "lastN", length: 20, messageCount: 22}',
    )


def test_a_length_of_0_is_shown_as_it_is_stored():
    (line,) = log_lines(projected(turns(1), length=0).plan, "demo")

    assert "length: 0" in line
