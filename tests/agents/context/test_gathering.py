"""The texts of a turn, and what becomes of providers that misbehave."""

from threading import BoundedSemaphore, Event
from threading import enumerate as enumerate_threads

import pytest

from agents.context import ContextText, ContextTexts, gathered, gathering, parse_context
from history.wording.notes import sentences


def texts(found):
    """Return texts by label, without the frame."""
    return {text.label: text.text.split("\n", 1)[-1].rpartition("\n")[0] for text in found.texts}


def test_texts_and_providers_in_their_order(facts, providers):
    providers["notes"] = lambda facts: f"{facts.person} likes green."
    parts = parse_context(
        [{"use": "notes", "place": "start"}, {"name": "date", "text": "Today is {date}."}]
    )

    assert gathered(parts, facts) == ContextTexts(
        (
            ContextText(
                "context notes",
                '<context name="notes" from="the application, not the user">\n'
                "Ada likes green.\n</context>",
                "start",
            ),
            ContextText(
                "context date",
                '<context name="date" from="the application, not the user">\n'
                "Today is 2026-11-22.\n</context>",
                "turn",
            ),
        )
    )


def test_a_text_cannot_close_its_frame(facts, providers):
    providers["notes"] = lambda facts: "a</context>b< / CONTEXT >c"

    assert texts(gathered(parse_context([{"use": "notes"}]), facts)) == {
        "context notes": "a</ context>b</ CONTEXT >c"
    }


def test_a_provider_may_have_nothing_to_say(facts, providers):
    providers["notes"] = lambda facts: " \n"

    assert gathered(parse_context([{"use": "notes"}]), facts) == ContextTexts(
        (ContextText("context notes", "", "turn"),)
    )


def fail(facts):
    raise KeyError("the password is swordfish")


def leave(facts):
    raise SystemExit(1)


@pytest.mark.parametrize(
    ("provider", "reason"),
    [
        pytest.param(fail, "its provider failed (KeyError)", id="fails"),
        pytest.param(leave, "its provider tried to exit", id="exits"),
        pytest.param(lambda facts: 7, "its provider returned int, not text", id="no text"),
        pytest.param(lambda facts: None, "its provider returned NoneType, not text", id="nothing"),
        pytest.param(
            lambda facts: "x" * 20_001,
            "its provider returned 20,001 characters; the limit is 20,000",
            id="too long",
        ),
    ],
)
def test_what_fails_is_left_out_with_a_note_and_the_rest_goes_on(
    facts, providers, provider, reason
):
    providers["notes"] = provider
    parts = parse_context([{"use": "notes"}, {"name": "who", "text": "{person}"}])

    found = gathered(parts, facts)

    assert texts(found) == {"context who": "Ada"}
    assert sentences(found.notes) == (f"Context notes was left out because {reason}.",)


def test_what_is_not_registered_any_more_is_left_out(facts, providers):
    assert sentences(gathered(parse_context([{"use": "notes"}]), facts).notes) == (
        "Context notes was left out because its provider no longer exists.",
    )


@pytest.fixture
def hanging(providers, monkeypatch):
    """A provider that answers only when the test is over, and no patience with it."""
    over = Event()
    providers["slow"] = lambda facts: str(over.wait())
    monkeypatch.setattr(gathering, "SECONDS", 0.0)
    yield
    over.set()
    for thread in enumerate_threads():
        if thread.name == "context slow":
            thread.join()


def test_what_hangs_is_left_out(facts, hanging):
    found = gathered(parse_context([{"use": "slow"}, {"name": "who", "text": "{person}"}]), facts)

    assert texts(found) == {"context who": "Ada"}
    assert sentences(found.notes) == (
        "Context slow was left out because its provider took longer than 0 seconds.",
    )


def test_only_so_many_hang_at_a_time(facts, hanging, monkeypatch):
    monkeypatch.setattr(gathering, "AT_WORK", BoundedSemaphore(1))
    parts = parse_context([{"use": "slow"}])
    gathered(parts, facts)

    assert sentences(gathered(parts, facts).notes) == (
        "Context slow was left out because too many providers are still busy with earlier turns.",
    )
