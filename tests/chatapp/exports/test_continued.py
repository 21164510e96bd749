"""An answer broken off and continued is one answer, in Markdown and in an imported chat."""

import pytest

from chatapp.exports.markdown import Style, as_markdown
from chatapp.transcript.bubbles import Answer, bubbles
from chatapp.transcript.joining import linked
from history.core.transcript.messages import ToolCall
from history.models import Conversation, Generation, GenerationStatus
from history.services.path.appending import append, assistant_message
from tests.exported import CONTINUED, add_continuation, make_continued_chat
from tests.factories import branch_of
from tests.imported import copied

pytestmark = pytest.mark.django_db(transaction=True)


def shown(chat: Conversation) -> list[Answer]:
    path = chat.messages.order_by("position").select_related("generation")
    return [bubble for bubble in linked(bubbles(path)) if isinstance(bubble, Answer)]


def looks(chat: Conversation) -> list[object]:
    return [(a.source, a.is_joined, list(map(str, a.parts)), a.ending) for a in shown(chat)]


def test_an_answer_that_was_continued_is_one_as_copying_gives_it():
    chat = make_continued_chat()

    text = "".join(as_markdown(Style()).write(chat))

    assert shown(chat)[-1].source == CONTINUED
    assert text.endswith(f"\n\n{CONTINUED}\n")
    assert text.count("## Demo") == 1


def test_an_answer_that_could_not_be_continued_says_why():
    chat = make_continued_chat(GenerationStatus.STOPPED)
    error = {"kind": "provider", "message": "Down."}
    add_continuation(chat, status=GenerationStatus.FAILED, error=error)

    text = "".join(as_markdown(Style()).write(chat))

    assert text.endswith(f"\n\n{CONTINUED}\n\n*Down.*\n")


def test_what_only_calls_a_tool_goes_on_below():
    chat = make_continued_chat(GenerationStatus.STOPPED)
    call = assistant_message("", [ToolCall("c1", "search", "{}")])
    append(branch_of(chat), [call], chat.generations.latest("created"))
    add_continuation(chat, "Found.")

    text = "".join(as_markdown(Style()).write(chat))

    assert f"\n\n{CONTINUED}\n\n**Tool call: `search`**" in text
    assert text.endswith("```\n\nFound.\n")


def test_a_copy_and_its_copy_show_one_answer_as_the_original_does():
    chat = make_continued_chat()

    copy = copied(chat)
    again = copied(copy, "eve")

    assert [answer.is_joined for answer in shown(chat)] == [False, True, True]
    assert shown(again)[-1].source == CONTINUED
    assert looks(copy)[-1] == looks(again)[-1] == looks(chat)[-1]
    written = ["".join(as_markdown(Style()).write(each)) for each in (copy, again)]
    assert all(f"\n\n{CONTINUED}\n" in text for text in written)


@pytest.mark.parametrize("status", ["stopped", "interrupted", "failed", "running"])
def test_a_copy_says_how_its_newest_answer_ended_and_cannot_continue_it(status):
    chat = make_continued_chat(status)
    Generation.objects.filter(status="failed").update(error={"message": "The provider is down."})

    ending = shown(copied(copied(chat), "eve"))[-1].ending

    sentences = {"failed": "The provider is down."}
    assert ending.sentence == sentences.get(status, "The text above was kept.")
    assert not ending.can_continue
