"""A person's own words come before messages that repeat them, and represent their chat."""

from dataclasses import replace

import pytest
from django.utils import timezone

from agents.models import AgentTemplate
from history.core.transcript.messages import Role, ToolCall
from history.services.path.appending import (
    ImportDetails,
    append,
    assistant_message,
    result_message,
    user_message,
)
from history.services.search import find
from history.services.search.results.echoes import is_echo, words
from history.services.search.terms import searched_terms
from tests.factories import branch_of
from tests.history.services.conftest import ADA, converse
from tests.history.services.search.conftest import said

ASKED = "Where is the lighthouse key? I put it under something blue."


@pytest.mark.parametrize(
    ("text", "query"),
    [
        (f"You wrote: “{ASKED}”\n\nI can only mirror that.", "lighthouse key"),
        ("You wrote: “Where is the lighthouse ke…”", "lighthouse"),
        ("> Where is the **lighthouse** key?", "lighthouse"),
        ("I found this:\n\n- “I put it under something blue.”", "blue"),
        ("| user | Where is the lighthouse key? |", "key"),
        (f"{ASKED} {ASKED}", "key blue"),
    ],
)
def test_a_match_within_a_persons_own_sentence_is_an_echo(text, query):
    assert is_echo(text, searched_terms(query), [words("Hello."), words(ASKED)])


@pytest.mark.parametrize(
    ("text", "query"),
    [
        ("The lighthouse key is under the blue pot.", "lighthouse key"),
        ("# Lighthouse\n\nA tower with a light.", "lighthouse"),
        ("Lighthouse: a tower. You wrote: “Where is the lighthouse key?”", "lighthouse"),
        ("Where is the lighthouse key? The key is in the shed.", "key"),
        ("The lighthouse key: where is the lighthouse key?", "key"),
        ("You wrote that.", "lighthouse"),
        ("Here is the lighthouse key.", "lighthouse"),
    ],
)
def test_a_match_in_a_sentence_of_its_own_is_none(text, query):
    assert not is_echo(text, searched_terms(query), [words(ASKED)])


def test_sentences_without_spaces_are_compared_too():
    asked = words("灯台の鍵はどこにありますか")

    assert is_echo("「灯台の鍵はどこにありますか」", searched_terms("鍵は"), [asked])
    assert not is_echo("灯台", searched_terms("灯台"), [asked])


def talk(person, *texts):
    """Make a chat in which texts of the person and answers alternate."""
    chat = said(person)
    drafts = (user_message, assistant_message)
    append(branch_of(chat), [drafts[place % 2](text) for place, text in enumerate(texts)])
    return chat


def shown(person, query):
    """Return the texts shown for each found chat, and the number of its further matches."""
    found = find(person, query)
    return [([t.message.text for t in chat.texts], chat.more) for chat in found]


@pytest.mark.django_db
def test_of_an_answer_that_quotes_its_question_only_the_question_is_shown(person):
    chat = talk(person, ASKED, f"You wrote: “{ASKED}”", "Thanks.", "You're welcome.")

    assert shown(person, "lighthouse") == [([ASKED], 1)]
    (of_one,) = find(person, "lighthouse", within=chat.pk)
    assert [text.message.role for text in of_one.texts] == [Role.USER, Role.ASSISTANT]


@pytest.mark.django_db
def test_echoes_take_no_room_from_what_was_said_elsewhere_in_a_chat(person):
    pots = [f"The pot number {n} is by the sea." for n in range(4)]
    talk(person, *(said for pot in pots for said in (pot, f"You wrote: “{pot}”")))

    assert shown(person, "pot") == [(pots[:0:-1], 5)]


@pytest.mark.django_db
def test_of_one_turn_the_question_comes_first_and_an_answer_of_its_own_is_shown(person):
    texts = ["Where is the key?", "The key is under the pot.", "A key?", "Yes, a key."]
    talk(person, *texts)

    assert shown(person, "key") == [([texts[2], texts[3], texts[0]], 1)]


@pytest.mark.django_db
def test_what_was_said_first_elsewhere_or_later_makes_no_echo(person):
    talk(person, ASKED)
    quote = f"You wrote: “{ASKED}”"
    talk(person, "Hello.", quote, ASKED)

    assert shown(person, "lighthouse") == [([ASKED, quote], 0), ([ASKED], 0)]


@pytest.mark.django_db
def test_a_better_match_is_no_echo_of_a_worse_one(person):
    talk(person, "Keys are in the blue pot of Ada.", "Keys are in the blue pot", "And so on.")

    assert shown(person, "keys are in the blue pot")[0][0][0] == "Keys are in the blue pot"


@pytest.mark.django_db
def test_each_result_names_who_said_it(demo):
    ack = converse(ADA, "my pot is top ym")
    from_file = ImportDetails(timezone.now(), model="gpt-5")
    drafts = [assistant_message("a pot of no generation")]
    for text, agent in (("a pot of a file", ""), ("a pot of a file with an agent", "Guide")):
        drafts.append(replace(assistant_message(text, agent=agent), imported=from_file))
    result = result_message(ToolCall("c1", "shed", "{}"), "a pot of a tool")
    append(branch_of(ack.conversation), [*drafts, result])
    AgentTemplate.objects.update(name="Renamed")

    (found,) = find(ADA, "pot", within=ack.conversation.pk)

    assert {text.message.text: text.speaker for text in found.texts} == {
        "my pot is top ym": "",
        "my pot is top ym"[::-1]: "Demo",
        "a pot of no generation": "Renamed",
        "a pot of a file": "gpt-5",
        "a pot of a file with an agent": "Guide",
        "a pot of a tool": "shed",
    }
