"""What the offline model says: it knows what it was sent, and no more."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from chatapp.llm.mirror.facts import Fact, asked_about, facts_in
from chatapp.llm.mirror.hints import hints
from chatapp.llm.mirror.mind import UNSEEN, Answer, answer, pieces
from chatapp.llm.mirror.sums import expressions_in
from chatapp.llm.mirror.texts import CODE, INTRODUCTION, LONG
from chatapp.llm.mirror.tools import MirrorCall
from history.services.planning.planning import CONTINUE_INSTRUCTION

TOOLS = ("calculator", "current_time")
SYSTEM = {"role": "system", "content": "Be kind."}


def user(text):
    return {"role": "user", "content": text}


def assistant(text):
    return {"role": "assistant", "content": text}


def called(call_id, name, arguments):
    function = {"name": name, "arguments": arguments}
    call = {"id": call_id, "type": "function", "function": function}
    return {"role": "assistant", "content": None, "tool_calls": [call]}


def result(call_id, text):
    return {"role": "tool", "tool_call_id": call_id, "content": text}


def said(*messages):
    """The answer without the note at its end."""
    return answer(messages, TOOLS).text.partition("\n\n---\n\n")[0]


def note(*messages):
    return answer(messages, TOOLS).text.partition("\n\n---\n\n")[2]


# What it can see


@pytest.mark.parametrize(
    ("messages", "expected"),
    [
        pytest.param(
            [user("Hello")],
            "I was sent 1 message and no system prompt; the oldest I can see is yours:* “Hello”",
            id="one message",
        ),
        pytest.param(
            [SYSTEM, user("Hello"), assistant("Hi"), user("Well?")],
            "I was sent 3 messages and a system prompt; the oldest I can see is yours:* “Hello”",
            id="with a system prompt",
        ),
        pytest.param(
            [assistant("Welcome!"), user("Hello")],
            "I was sent 2 messages and no system prompt; the oldest I can see is mine:* “Welcome!”",
            id="a greeting first",
        ),
        pytest.param(
            [user(f"a `*b*`\n\n# {'word ' * 20}"), user("Hello")],
            "I was sent 2 messages and no system prompt; the oldest I can see is yours:*"
            f" “a \\`\\*b\\*\\` \\# {'word ' * 9}word…”",
            id="a long one is shortened and harmless",
        ),
        pytest.param(
            [user([{"type": "text", "text": "in parts"}])],
            "I was sent 1 message and no system prompt; the oldest I can see is yours:* “in parts”",
            id="text in parts",
        ),
    ],
)
def test_every_answer_ends_with_what_it_was_sent(messages, expected):
    assert note(*messages) == f"*Offline demo model. {expected}"


def test_an_empty_request_is_answered_too():
    assert answer([SYSTEM]) == Answer("I was sent no message, so there is nothing to mirror.")


# Facts


@pytest.mark.parametrize(
    ("text", "facts"),
    [
        ("My name is Ada.", [Fact("your name", "Ada")]),
        (
            "my name is Ada and I live in London, by the way",
            [Fact("your name", "Ada"), Fact("your home", "London")],
        ),
        ("My favorite color is green!", [Fact("your favourite colour", "green")]),
        ("Please remember that the key is red.", [Fact("your note", "the key is red")]),
        ("Is my name is Ada right?", []),
        ("Hi, I'm Ada.", [Fact("your name", "Ada")]),
        ("I am Ada Lovelace and I like sums", [Fact("your name", "Ada Lovelace")]),
        ("I\u2019m Élodie, from Lyon", [Fact("your name", "Élodie")]),
        ("i'm Ada from London", [Fact("your name", "Ada")]),
        ("I'm tired.", []),
        ("I am in London.", []),
        ("I'm OK.", []),
        ("I'm Danish.", []),
        ("I'm Ada's sister.", []),
        ("Nothing of note.", []),
    ],
)
def test_facts_in_a_message(text, facts):
    assert list(facts_in(text)) == facts


@pytest.mark.parametrize(
    ("text", "subject"),
    [
        ("What is my name?", "your name"),
        ("what's my name", "your name"),
        ("Do you remember my name?", "your name"),
        ("Where do I live?", "your home"),
        ("What is my favourite color?", "your favourite colour"),
        ("What did I ask you to remember?", "your note"),
        ("What do you know about me?", "everything"),
        ("Do you know who I am?", "your name"),
        ("What is love?", None),
    ],
)
def test_questions_after_facts(text, subject):
    assert asked_about(text) == subject


def test_a_fact_is_noted_without_a_claim_to_remember_it():
    assert said(user("My name is Ada. I live in London.")) == (
        "Noted: your name is **Ada**; your home is **London**."
        " I keep nothing of my own: I know it while that message is sent to me."
    )


def test_a_fact_inside_the_window_is_known():
    assert said(user("My name is Ada."), assistant("Noted."), user("What is my name?")) == (
        "As far as I can see, your name is **Ada**."
    )


def test_a_fact_outside_the_window_is_not():
    assert said(assistant("Noted: your name is **Ada**."), user("What is my name?")) == UNSEEN


def test_the_newest_word_counts():
    messages = [user("My name is Ada."), user("My name is Bea."), user("What's my name?")]

    assert said(*messages) == "As far as I can see, your name is **Bea**."


def test_all_it_knows():
    messages = [user("My name is Ada."), user("I live in Rome."), user("What do you know?")]

    assert said(*messages) == (
        "As far as I can see, your name is **Ada**.\n\nAs far as I can see, your home is **Rome**."
    )


# Tools


@pytest.mark.parametrize(
    ("text", "expressions"),
    [
        ("What is 12 * (3+4)?", ["12 * (3+4)"]),
        ("calculate 2^10 please", ["2^10"]),
        ("1,000 / 8 =", ["1000 / 8"]),
        ("What is 2 times 3, and 10 divided by 4?", ["2 * 3", "10 / 4"]),
        ("What is 1+1, 2+2?", ["1+1", "2+2"]),
        ("how much is sqrt(16) + max(1, 2)", ["sqrt(16) + max(1, 2)"]),
        ("What is -3 - -4?", ["-3 - -4"]),
        ("Is 12 * 3 a lot?", []),
        ("What is 2026-11-21?", []),
        ("What is the point of 42?", []),
        ("What is what?", []),
        ("What is 15% of 200?", ["15 / 100 * 200"]),
        ("12.5 percent of 1,000", ["12.5 / 100 * 1000"]),
        ("12 x 3", ["12 * 3"]),
        ("what is 2x3", ["2 * 3"]),
        ("What is 0x10?", []),
        ("What is 7 % 4?", ["7 % 4"]),
    ],
)
def test_sums_in_a_message(text, expressions):
    assert expressions_in(text) == expressions


@pytest.mark.parametrize(
    ("text", "calls"),
    [
        (
            "What is 1+1 and what is 2*2?",
            (
                MirrorCall("calculator", {"expression": "1+1"}),
                MirrorCall("calculator", {"expression": "2*2"}),
            ),
        ),
        ("What time is it?", (MirrorCall("current_time", {}),)),
        (
            "What is the time in Asia/Tokyo?",
            (MirrorCall("current_time", {"timezone": "Asia/Tokyo"}),),
        ),
        (
            "what time is it in Tokyo?",
            (MirrorCall("current_time", {"timezone": "Asia/Tokyo"}),),
        ),
    ],
)
def test_it_calls_tools(text, calls):
    assert answer([user(text)], TOOLS) == Answer(calls=calls)


def test_without_tools_it_calls_none():
    assert answer([user("What is 1+1?")]).calls == ()


@pytest.mark.parametrize(
    ("call", "text", "expected"),
    [
        (("calculator", '{"expression": "6*7"}'), "42", "`6*7` is **42**."),
        (("current_time", "{}"), "now (UTC)", "`current_time` says: **now (UTC)**"),
        (
            ("calculator", '{"expression": "1/0"}'),
            "Error: division by zero.",
            "I asked `calculator`, but it could not help. Error: division by zero.",
        ),
        (
            ("report", "{}"),
            "Report on Norway: 20 lines." + "\nA line." * 20,
            "`report` says: **Report on Norway: 20 lines**, and 20 more lines",
        ),
        (
            ("report", "{}"),
            "Report on Norway." + "\nA line." * 19,
            "`report` says: **Report on Norway." + "\nA line." * 19 + "**",
        ),
    ],
)
def test_it_answers_with_results(call, text, expected):
    assert said(user("Well?"), called("c", *call), result("c", text)) == expected


def test_it_answers_with_the_newest_round_alone():
    old = [user("What is 1+1?"), called("a", "calculator", '{"expression": "1+1"}')]
    new = [result("a", "2"), called("b", "calculator", '{"expression": "2+2"}'), result("b", "4")]

    assert said(*old, *new) == "`2+2` is **4**."


# Set pieces


@pytest.mark.parametrize(
    ("text", "piece"),
    [
        ("Hello", INTRODUCTION.format(hints=hints(TOOLS))),
        ("Who are you?", INTRODUCTION.format(hints=hints(TOOLS))),
        ("Show me code", CODE),
        ("Tell me at length", LONG),
        ("A long answer, please", LONG),
    ],
)
def test_set_pieces(text, piece):
    assert said(user("Before."), user(text)) == piece.strip()


def test_a_table_of_what_it_was_sent():
    assert said(user("a | b"), assistant("c"), user("Show a table.")) == (
        "The newest messages that I was sent:\n\n"
        "| # | role | text |\n|--:|---|---|\n"
        "| 1 | user | “a \\| b” |\n| 2 | assistant | “c” |\n| 3 | user | “Show a table.” |"
    )


def test_several_wishes_are_met_in_one_answer():
    text = said(user("My name is Ada. Show me code and a table."))

    assert text.index("Noted") < text.index("```python") < text.index("| 1 | user |")


def test_whatever_else_is_mirrored_and_it_says_what_it_is():
    text = said(user("Is cheese good?\nOr wine?"))

    assert text.startswith("You wrote:\n\n> Is cheese good?\n> Or wine?\n\n")
    assert "I am the offline demo model" in text


@pytest.mark.parametrize(("text", "slowly"), [("a table, slowly", True), ("a table", False)])
def test_it_can_be_told_to_be_slow(text, slowly):
    assert answer([user(text)]).slowly is slowly


# Continuing

QUESTION = [SYSTEM, user("a long answer")]
WHOLE = answer(QUESTION).text


@given(st.integers(1, len(WHOLE) - 1))
def test_it_continues_where_it_was_broken_off(end):
    rest = answer([*QUESTION, assistant(WHOLE[:end]), user(CONTINUE_INSTRUCTION)])

    assert WHOLE[:end] + rest.text == WHOLE


def test_it_continues_twice():
    parts = [assistant(WHOLE[:30]), assistant(WHOLE[30:70])]

    assert answer([*QUESTION, *parts, user(CONTINUE_INSTRUCTION)]).text == WHOLE[70:]


@pytest.mark.parametrize("partial", ["", WHOLE, "Something else"])
def test_there_may_be_nothing_to_continue(partial):
    rest = answer([*QUESTION, assistant(partial), user(CONTINUE_INSTRUCTION)])

    assert rest.text == "I have nothing to add: I cannot see what that answer was to say."


@given(st.text())
def test_pieces_are_the_text(text):
    assert "".join(pieces(text)) == (text if text.strip() else "")


anything = st.one_of(
    st.builds(user, st.text()),
    st.builds(assistant, st.text() | st.none()),
    st.builds(result, st.just("x"), st.text()),
    st.just(called("x", "calculator", "{}")),
)


@given(st.lists(anything, max_size=6))
def test_it_always_has_an_answer(messages):
    reply = answer(messages, TOOLS)

    assert reply.text or reply.calls
