"""The offline model with recall at hand: it searches for what it was not sent, and for no more."""

import pytest

from chatapp.llm.mirror.mind import UNSEEN, answer
from chatapp.llm.mirror.recall import holds, sought
from tests.chatapp.llm.mirror.test_mind import assistant, called, result, user

TOOLS = ("calculator", "recall")
KEY = "The spare key is under the blue pot."
ASKED = user("What did I say about the spare key?")
FOUND = "Earlier messages, the best first:\n\n"


def searched(*messages, tools=TOOLS):
    """What it calls recall with; empty where it does not."""
    calls = answer(messages, tools).calls
    return [call.arguments["query"] for call in calls if call.name == "recall"]


def said(*messages, tools=TOOLS):
    return answer(messages, tools).text.partition("\n\n---\n\n")[0]


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("Recall the spare key.", "the spare key"),
        ("Please recall what I said about Rome!", "Rome"),
        ("Do you recall the name of the harbour?", "the name of the harbour"),
        ("Search our conversation for berth 041", "berth 041"),
        ("search for 'blue pot'", "blue pot"),
        ("What did we decide about the roof?", "the roof"),
        ("When did I mention the ferry?", "the ferry"),
        ("I cannot recall anything.", ""),
        ("What is my name?", ""),
        ("What did you do?", ""),
    ],
)
def test_what_a_message_asks_to_be_looked_up(text, words):
    assert sought(text) == words


@pytest.mark.parametrize(
    ("text", "words", "outcome"),
    [
        pytest.param(KEY, "the spare key", True, id="all of it"),
        pytest.param("The SPARE Key", "spare key?", True, id="capitals and signs"),
        pytest.param("A spare wheel", "the spare key", False, id="a part of it"),
        pytest.param("The spare monkey", "the spare key", False, id="the end of a word"),
        pytest.param("And then?", "the", False, id="nothing that tells"),
        pytest.param("Recall the spare key", "spare key", False, id="another question"),
    ],
)
def test_a_text_holds_what_is_asked_for(text, words, outcome):
    assert holds(text, words) is outcome


@pytest.mark.parametrize(
    ("question", "search"),
    [
        ("What did I say about the spare key?", "spare key"),
        ("What did I say about the unicorn?", "unicorn"),
        ("What is my name?", "my name is"),
        ("Where do I live?", "I live in"),
        ("What did I ask you to remember?", "remember"),
        ("What is my favourite colour?", "my favourite colour"),
    ],
)
def test_what_it_was_not_sent_it_searches_for(question, search):
    assert searched(user(question)) == [search]
    assert searched(user("Something else"), assistant("Fine."), user(question)) == [search]


@pytest.mark.parametrize(
    ("before", "question"),
    [
        pytest.param(KEY, "What did I say about the spare key?", id="words"),
        pytest.param("My name is Ada.", "What is my name?", id="a fact"),
        pytest.param("Hello", "What do you know about me?", id="anything at all"),
        pytest.param("Hello", "Tell me about keys.", id="no such question"),
    ],
)
def test_what_it_can_see_it_does_not_search_for(before, question):
    assert searched(user(before), assistant("Noted."), user(question)) == []


def test_to_have_asked_before_is_not_to_know():
    assert searched(ASKED, assistant(UNSEEN), ASKED) == ["spare key"]


def test_what_its_own_answers_echo_was_not_sent():
    echo = assistant(f"You wrote: {KEY}")

    assert searched(user("And then?"), echo, ASKED) == ["spare key"]
    assert said(user("And then?"), echo, ASKED, tools=()) == UNSEEN


def test_what_it_quotes_holds_the_words():
    long = user(f"{'So. ' * 40}{KEY}{' And so on.' * 40}")

    assert said(long, ASKED).endswith(
        f"- yours: \N{LEFT DOUBLE QUOTATION MARK}\N{HORIZONTAL ELLIPSIS}{'So. ' * 14}{KEY}"
        f"{' And so on.' * 3} And\N{HORIZONTAL ELLIPSIS}\N{RIGHT DOUBLE QUOTATION MARK}"
    )


def test_what_it_can_see_it_quotes():
    assert said(user(KEY), assistant("Noted."), ASKED) == (
        "Of what I was sent, this holds it:\n\n"
        "- yours: \N{LEFT DOUBLE QUOTATION MARK}The spare key is under the blue pot."
        "\N{RIGHT DOUBLE QUOTATION MARK}"
    )


def test_without_the_tool_it_says_what_it_cannot_know():
    assert answer([ASKED], ["calculator"]).calls == ()
    assert said(ASKED, tools=()) == UNSEEN


def test_it_searches_and_calculates_at_once():
    both = user("What did I say about the rent, and what is 6 * 7?")

    assert [call.name for call in answer([both], TOOLS).calls] == ["calculator", "recall"]


def test_peoples_finds_that_hold_the_words_are_told_with_their_turns():
    call = called("c1", "recall", '{"query": "spare key"}')
    finds = [
        "[turn 9, user] a *key*",
        f"[turn 3, assistant] Noted: {KEY}",
        "[turn 2, user] a *spare* key",
        f"[turn 1, user] {KEY}",
    ]

    assert said(ASKED, call, result("c1", FOUND + "\n\n".join(finds))) == (
        "I was not sent that, so I searched the whole conversation with `recall`. It found:\n\n"
        "- turn 2, user: a \\*spare\\* key\n"
        "- turn 1, user: The spare key is under the blue pot."
    )


def test_finds_that_do_not_hold_the_words_are_not_told():
    call = called("c1", "recall", '{"query": "spare key"}')

    assert said(ASKED, call, result("c1", f"{FOUND}[turn 1, user] a key")) == (
        "I was not sent that, so I searched the whole conversation with `recall`."
        " No message of yours that it found holds that."
    )


def test_a_fact_is_read_out_of_what_a_person_said():
    call = called("c1", "recall", '{"query": "my name is"}')
    finds = f"{FOUND}[turn 9, assistant] My name is Mirror\n\n[turn 3, user] Hi! My name is Ada."

    assert said(user("What is my name?"), call, result("c1", finds)) == (
        "I was not sent that, but `recall` found it in turn 3: your name is **Ada**."
    )


def test_nothing_found_is_said_so():
    call = called("c1", "recall", '{"query": "spare key"}')
    none = "No earlier message holds any of 'spare key'. Try other words for it."

    assert said(ASKED, call, result("c1", none)) == (
        f"I was not sent that, so I searched the whole conversation. {none}"
    )


def test_an_answer_to_a_find_asks_nothing_again():
    call = called("c1", "recall", '{"query": "spare key"}')

    assert searched(ASKED, call, result("c1", f"{FOUND}[turn 1, user] Nothing of it")) == []
