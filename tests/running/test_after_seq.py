"""A tab names the last event that it has seen: whatever number it names, it misses nothing."""

import pytest

from tests.provider import Reply

WORDS = [f"w{n} " for n in range(12)]
BEFORE, EXACT, PAST, REFUSED = "all that is missing", "only what comes", "a reload", "a refusal"
CASES = {
    "nothing": (0, BEFORE),
    "the first": (1, BEFORE),
    "text of a number": ("1", BEFORE),
    "all there is": ("newest", EXACT),
    "past the end": ("newest + 1", PAST),
    "far past the end": (2**31 - 1, PAST),
    "larger than any": (2**31, REFUSED),
    "huge": (10**30, REFUSED),
    "negative": (-1, REFUSED),
    "a fraction": (1.5, REFUSED),
    "text": ("five", REFUSED),
    "null": (None, REFUSED),
    "a list": ([1], REFUSED),
}


@pytest.fixture(params=["running", "ended"])
def answer(request, ada, provider):
    """Yield a running or an ended answer: its ack, whether it runs, and its events so far."""
    hang = len(WORDS) if request.param == "running" else None
    provider.script(Reply(text=[*WORDS, "end"], hang_after=hang))
    with ada.tab() as tab:
        ack = tab.send("Tell me", agent="demo")
        text = ""
        while "w11 " not in text:
            text += tab.until("delta")["data"]["text"]
        if not hang:
            tab.until("end")
        tab.say(type="ping")
        tab.until("pong")
        yield ack, request.param == "running", tab.events(ack["generation"])


def number(after_seq, newest):
    return {"newest": newest, "newest + 1": newest + 1}.get(str(after_seq), after_seq)


def caught_up(ada, ack, after_seq):
    """Return the frames that a tab gets at once when it subscribes with this number."""
    named = {"conversation": ack["conversation"], "generation": ack["generation"]}
    with ada.tab() as tab:
        tab.say(type="subscribe", after_seq=after_seq, **named)
        tab.say(type="ping")
        tab.until("pong")
    return tab.seen[:-1]


@pytest.mark.daily("running-nothing", "ended-past the end")
@pytest.mark.parametrize("case", CASES)
def test_whatever_number_a_tab_says(ada, provider, answer, case):
    ack, is_running, events = answer
    after_seq, expected = CASES[case]
    newest = events[-1]["seq"]

    shown = caught_up(ada, ack, number(after_seq, newest))

    match expected, is_running:
        case ("all that is missing", _):
            assert shown == events[int(after_seq) :]
        case ("only what comes", True):
            assert shown == []
        case ("a refusal", _):
            assert [frame.get("code") for frame in shown] == ["invalid"]
        case _:  # The page has all of an ended answer.
            assert shown == [{"type": "reload", "conversation": ack["conversation"]}]


def test_a_number_of_another_turn(ada, provider):
    """The number counts only for the named answer, whose missing events come first."""
    with ada.tab() as tab:
        first, _ = tab.ask("one", agent="demo")
        provider.script(Reply(text=[*WORDS, "end"], hang_after=len(WORDS)))
        second = tab.send("two", conversation=first["conversation"])
        text = ""
        while "w11 " not in text:
            text += tab.until("delta")["data"]["text"]
        tab.say(type="ping")
        tab.until("pong")
        rest = tab.events(first["generation"])[3:]
        events = tab.events(second["generation"])

        shown = caught_up(ada, first, 3)

    assert shown == [*rest, *events]
