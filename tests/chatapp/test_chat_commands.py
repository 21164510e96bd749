"""Some texts are commands of the chat; each gets its own answer."""

from uuid import uuid4

import pytest

from chatapp.pages.commands import COMMANDS, help_text
from chatapp.socket.slash_commands import is_command, run, unescaped
from history.services.access import Actor
from history.services.errors import Conflict, NotFound, Refused

NOBODY_YET = Actor(visitor="somebody")
NO_NUMBER = "/undo " + "9" * 20


@pytest.mark.parametrize(
    "text",
    ["/help", " /compact\n", "/nothing", "/undo 12", NO_NUMBER, "/Help", "/ help", "/  Undo"],
)
def test_a_slash_and_a_word_alone_are_a_command(text):
    assert is_command(text)


@pytest.mark.parametrize(
    "text",
    [
        *("", "/", "help", "/helpful me", "/nothing at all", "/etc/hosts", "/etc/hosts what is it"),
        *("/* x */", "// x", "a /help", "/ nothing", "/ help me"),
    ],
)
def test_everything_else_is_a_message(text):
    assert not is_command(text)
    assert unescaped(text) == text


@pytest.mark.parametrize("text", ["/help", "/help me", "/compact\nnow", "/Help me", "/ help"])
def test_a_doubled_slash_makes_a_command_a_message(text):
    assert not is_command(f"/{text}")
    assert unescaped(f"/{text}") == text


@pytest.mark.parametrize("text", ["/compact now", "/undo it", "/help\nme", "/Context here"])
async def test_a_command_with_words_it_does_not_take_says_so_and_the_way_out(text):
    assert is_command(text)
    with pytest.raises(Refused) as refusal:
        await run(NOBODY_YET, text, uuid4())

    assert str(refusal.value) == (
        f"{text.split()[0]} takes no more words. "
        "To send a message that starts with a slash, type two: //word is sent as /word."
    )


def test_a_doubled_slash_keeps_what_is_no_command_as_it_is():
    texts = ["//etc/hosts", "// a comment", "///", "//nothing at all"]

    assert [unescaped(text) for text in texts] == texts


@pytest.mark.parametrize("typed", [" /help ", "/HELP"])
async def test_help_names_every_command_and_how_to_send_one_as_text(typed):
    told = await run(NOBODY_YET, typed, None)

    assert told == help_text()
    assert all(command.typed in told for command in COMMANDS)
    assert told.endswith("//word is sent as /word.")


@pytest.mark.parametrize(
    ("text", "way"),
    [
        ("/nothing", "The commands are /context, /config, /compact, /undo, /help."),
        ("/hlep", "Did you mean /help?"),
        ("/Confg", "Did you mean /config?"),
        ("/ help", "Did you mean /help?"),
    ],
)
async def test_an_unknown_command_names_itself_and_the_way_out(text, way):
    with pytest.raises(Refused) as refusal:
        await run(NOBODY_YET, text, None)

    assert refusal.value.code == "unknown_command"
    assert str(refusal.value) == (
        f"There is no command {text}, so nothing was sent. {way} "
        "To send a message that starts with a slash, type two: //word is sent as /word."
    )


async def test_a_very_long_word_is_not_repeated_whole():
    with pytest.raises(Refused) as refusal:
        await run(NOBODY_YET, "/" + "x" * 10_000, None)

    assert len(str(refusal.value)) < 300


@pytest.mark.parametrize("text", ["/context", "/config"])
async def test_the_commands_of_the_page_say_so_to_a_program(text):
    assert await run(NOBODY_YET, text, None) == f"{text} works only in the browser."


@pytest.mark.parametrize("text", ["/compact", "/undo", "/undo 3"])
async def test_a_chat_that_has_not_begun_lacks_what_a_command_needs(text):
    with pytest.raises(Conflict) as refusal:
        await run(NOBODY_YET, text, None)

    assert refusal.value.code == "nothing"


async def test_a_number_that_no_summary_has_is_named():
    with pytest.raises(Refused) as refusal:
        await run(NOBODY_YET, NO_NUMBER, uuid4())

    assert str(refusal.value) == "There is no summary with this number."


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("text", ["/compact", "/undo", "/undo 3"])
async def test_a_chat_of_somebody_else_is_not_there(text):
    with pytest.raises(NotFound):
        await run(NOBODY_YET, text, uuid4())
