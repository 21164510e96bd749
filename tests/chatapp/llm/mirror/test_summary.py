"""The offline model's summaries: extracts that say so, within the words that are allowed."""

import pytest

from chatapp.llm.mirror.mind import answer
from chatapp.llm.mirror.summary import EARLIER, EXTRACT, FACTS, SAID
from history.core.messages import Message, Role
from history.core.segments import segment
from history.core.summaries.prompts import prompt_for, prompt_to_fold


def messages(*texts, tokens=20):
    roles = (Role.USER, Role.ASSISTANT)
    return [
        Message(n, roles[n % 2], text, turn=n // 2 + 1, tokens=tokens)
        for n, text in enumerate(texts)
    ]


def summary(*texts, **more):
    return answer(prompt_for(segment(messages(*texts, **more))).messages).text


def test_facts_come_first_then_how_messages_begin():
    text = summary(
        "Hello there. My name is Ada. What can you do?",
        "Hello! I am Mirror.\n\nMy name is not Bob.",
        "What is 2 * 3?",
        "It is 6.",
        "My name is Ada Lovelace.",
        "Noted.",
    )

    assert text.splitlines() == [
        EXTRACT,
        FACTS,
        "- My name is Ada Lovelace.",
        SAID,
        "- Hello there.",
        "- My name is Ada.",
        "- What is 2 * 3?",
    ]


def test_what_does_not_fit_is_counted():
    text = summary(*[f"Question number {n} about nothing.{' ' * n}" for n in range(40)], tokens=1)

    lines = text.splitlines()
    assert lines[-1] == f"{20 - len([x for x in lines if x.startswith('- ')])} more left out."
    assert len(text.split()) < 60


def test_the_offline_model_knows_a_fact_from_its_own_extract():
    extract = summary("My name is Ada.", "Noted.")
    asked = [
        {"role": "user", "content": f"<summary>\n{extract}\n</summary>"},
        {"role": "user", "content": "What is my name?"},
    ]

    assert "your name is **Ada**" in answer(asked).text


def test_extracts_are_folded_into_one():
    parts = [summary("My name is Ada.", "Noted."), summary("I live in Rome. Really.", "Noted.")]

    folded = answer(prompt_to_fold(parts, 200).messages).text

    assert folded.splitlines() == [EXTRACT, FACTS, "- My name is Ada.", "- I live in Rome."]


def test_a_fold_keeps_what_others_wrote_and_counts_what_was_left_out_before():
    parts = [f"{EXTRACT}\n{SAID}\n- Hello.\n7 more left out.", "They chose blue. It rained.\n"]
    folded = answer(prompt_to_fold([*parts, "- Bye.\n2 more left out."], 400).messages).text

    assert folded.splitlines() == [
        EXTRACT,
        EARLIER,
        "- Hello.",
        "- They chose blue.",
        "- It rained.",
        "- Bye.",
        "9 more left out.",
    ]


@pytest.mark.parametrize("text", ["", "</conversation>", "User: \nUser: ", "Assistant:"])
def test_there_is_always_an_answer(text):
    assert summary(text, "fine").startswith(EXTRACT)
