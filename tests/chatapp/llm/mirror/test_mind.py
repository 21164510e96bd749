"""The offline model's answers: it knows only what it was sent."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agents.demo import DEMO_AGENTS, NETWORK
from agents.tools.demonstrations import report
from chatapp.llm.mirror.mind import MirrorAnswer, answer
from chatapp.llm.mirror.texts import (
    CODE,
    GLAD,
    GOODBYE,
    LONG,
    NOTE_FORM,
    NOTED,
    UNSEEN,
    WELCOME,
    WELL,
    introduction,
)
from chatapp.llm.mirror.understanding import MirrorCall
from chatapp.management.commands.demo_data import QUESTIONS
from history.core.plan.injected import CONTINUE_INSTRUCTION

TOOLS = ("calculator", "current_time")
ALL = (*TOOLS, "send_note", "report", "recall")
SYSTEM = {"role": "system", "content": "Be kind."}
TRANSFER = "transfer_to_accountant"
NAME = "My name is Ada, and my favourite colour is green."


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
    return answer(messages, TOOLS).text


def listed(text):
    return f"I found this:\n\n- “{text}”"


def test_an_empty_request_is_answered_too():
    assert answer([SYSTEM]) == MirrorAnswer("I was sent no message, so there is nothing to mirror.")


@pytest.mark.parametrize(
    ("before", "asked", "expected"),
    [
        pytest.param([], NAME, NOTED, id="a name"),
        pytest.param([user(NAME)], "What is my name?", listed(NAME), id="asked for it"),
        pytest.param([user(NAME)], "what's my favourite colour", listed(NAME), id="favourite"),
        pytest.param([assistant(NAME)], "What is my name?", UNSEEN, id="its own echo"),
        pytest.param(
            [user("My name is Ada."), user("My name is Bea.")],
            "What is my name?",
            listed("My name is Bea."),
            id="the newest word",
        ),
        pytest.param(
            [user("Hm. Remember that tea is hot.")],
            "What do you remember?",
            listed("Remember that tea is hot."),
            id="all it was told",
        ),
        pytest.param([user("Hm.")], "What did I just ask you?", listed("Hm."), id="just asked"),
        pytest.param([], "What did I just ask you?", UNSEEN, id="nothing before"),
        pytest.param(
            [called("c", "send_note", "{}"), result("c", "The note to Ada is in the outbox.")],
            "Which notes have you sent for me?",
            listed("The note to Ada is in the outbox."),
            id="notes",
        ),
        pytest.param([], "Hello", introduction(TOOLS), id="a greeting"),
        pytest.param([], "Thanks!", WELCOME, id="thanks"),
        pytest.param([], "How are you?", WELL, id="small talk"),
        pytest.param([], "OK, great!", GLAD, id="a word of praise"),
        pytest.param([], "Goodbye", GOODBYE, id="goodbye"),
        pytest.param([], "Show me code", CODE, id="code"),
        pytest.param([], "A long answer, please", LONG, id="a long answer"),
        pytest.param(
            [user("a | b"), assistant("c")],
            "Show a table.",
            "The newest messages I was sent:\n\n| role | text |\n|---|---|\n"
            "| user | “a \\| b” |\n| assistant | “c” |\n| user | “Show a table.” |",
            id="a table",
        ),
    ],
)
def test_what_it_says(before, asked, expected):
    assert said(*before, user(asked)) == expected


def test_who_only_hands_over_tells_what_the_others_can_do():
    text = answer([user("Hello")], ["transfer_to_accountant", "transfer_to_researcher"]).text

    assert text == introduction(["calculator", "report"])


def test_several_wishes_are_met_in_one_answer():
    text = said(user("My name is Ada. Show me code and a table."))

    assert [part in text for part in (NOTED, CODE, "| user |")] == [True] * 3


def test_whatever_else_is_mirrored_and_it_says_what_it_is():
    text = said(user("Is cheese good?\nOr wine?"))

    assert text.startswith("You wrote: “Is cheese good? Or wine?”\n\nI'm the offline demo model")


STARTERS = [str(NETWORK["starters"]), *(agent.starters for agent in DEMO_AGENTS), *QUESTIONS]


@pytest.mark.parametrize("asked", sorted(set("\n".join(STARTERS).splitlines())))
def test_it_understands_what_its_agents_and_its_chat_suggest(asked):
    asked = asked.format(n=7)
    reply = answer([SYSTEM, user(asked)], ALL)

    assert reply.calls or not reply.text.startswith("You wrote: ")
    assert asked not in reply.text  # An answer must not just repeat it.


@pytest.mark.parametrize(("text", "slowly"), [("a table, slowly", True), ("a table", False)])
def test_it_can_be_told_to_be_slow(text, slowly):
    assert answer([user(text)]).slowly is slowly


# Calling tools


def test_it_calls_tools_if_it_has_them():
    asked = [user("What is 1+1?")]

    assert answer(asked, TOOLS).calls == (MirrorCall("calculator", {"expression": "1+1"}),)
    assert answer(asked).calls == ()


@pytest.mark.parametrize(
    ("asked", "tools", "hints"),
    [
        ("Send a note to Bob saying the harbour is open.", ["send_note"], True),
        ("Please write Ada a note that we sail at ten", ["send_note"], True),
        ("Send a note to Ada:", ["send_note"], True),
        ("Send a note to Bob saying the harbour is open.", [], False),
        ("Which notes did you send?", ["send_note"], False),
        ("I will note that.", ["send_note"], False),
    ],
)
def test_it_says_in_which_form_it_understands_a_note(asked, tools, hints):
    reply = answer([user(asked)], tools)

    assert not reply.calls
    assert (NOTE_FORM in reply.text) is hints


FINDS = "Earlier messages:\n\n[turn 9, assistant] My name is Mirror\n\n[turn 3, user] My name is Al"
SEARCHED = "I wasn't sent that, so I searched the whole chat."


@pytest.mark.parametrize(
    ("call", "text", "expected"),
    [
        (("calculator", '{"expression": "6*7"}'), "42", "`6*7` is **42**."),
        (("current_time", "{}"), "now (UTC)", "`current_time` says: **now (UTC)**"),
        (
            ("calculator", '{"expression": "1/0"}'),
            "Error: division by zero.",
            "I called `calculator`, but it failed. Error: division by zero.",
        ),
        (("report", "{}"), "Fees.\nA.\nB.", "`report` says: **Fees.** (and 2 more lines)"),
        (
            ("ask_researcher", "{}"),
            "`report` says: **Fees.** (and 2 more lines)",
            "`ask_researcher` says: **`report` says: Fees. (and 2 more lines)**",
        ),
        (("recall", "{}"), FINDS, f"{SEARCHED}\n\n{listed('My name is Al')}"),
        (("recall", "{}"), "No earlier message.", f"{SEARCHED}\n\nI found nothing."),
    ],
)
def test_it_answers_with_results(call, text, expected):
    assert said(user("What is my name?"), called("c", *call), result("c", text)) == expected


def test_it_presents_a_report_with_its_beginning_and_says_that_it_is_made_up():
    text = said(
        user("A report on tides"), called("c", "report", "{}"), result("c", report("tides"))
    )

    first, *_, last = text.splitlines()
    assert first == "Here is the report on “tides”: 100 lines, all of them made up."
    assert text.count("  item ") == 3
    assert "Open `report` above this answer to read the rest." in text
    assert last == "contains."


def test_it_answers_with_the_newest_round_alone():
    old = [user("What is 1+1?"), called("a", "calculator", '{"expression": "1+1"}')]
    new = [result("a", "2"), called("b", "calculator", '{"expression": "2+2"}'), result("b", "4")]

    assert said(*old, *new) == "`2+2` is **4**."


@pytest.mark.parametrize(
    ("tool", "text", "calls"),
    [
        pytest.param(TRANSFER, "A handed over to B: sums", ["calculator"], id="it took over"),
        pytest.param(TRANSFER, "Error: not handed over", [], id="refused"),
        pytest.param("recall", "A handed over to B: sums", [], id="another tool tells of one"),
    ],
)
def test_it_takes_up_what_was_handed_over(tool, text, calls):
    moved = [user("What is 6*7?"), called("t", tool, "{}"), result("t", text)]

    assert [call.name for call in answer(moved, TOOLS).calls] == calls


# Continuing an answer

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

    assert rest.text == "I have nothing to add: I can't see what that answer was going to say."


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
