"""The offline model's summaries: extracts that say what they are, within the allowed words."""

import pytest

from chatapp.llm.mirror.mind import EXTRACT, answer
from history.core.summaries.prompts import prompt_for, prompt_to_fold
from history.core.transcript.messages import Message, Role
from history.core.transcript.segments import segment


def summary(*texts, tokens=20):
    roles = (Role.USER, Role.ASSISTANT)
    messages = [
        Message(n, roles[n % 2], text, turn=n // 2 + 1, tokens=tokens)
        for n, text in enumerate(texts)
    ]
    return answer(prompt_for(segment(messages))).text


def test_statements_come_first_then_how_messages_begin():
    text = summary("Hello there.\nWell?", "My name is not Bob.", "My name is Ada.", "Noted.")

    assert text.splitlines() == [EXTRACT, "- My name is Ada.", "- Hello there."]


def test_it_keeps_to_the_words_that_are_allowed():
    text = summary(*[f"Question number {n} about nothing." for n in range(40)], tokens=1)

    assert 30 < len(text.split()) <= 40


def test_it_finds_a_name_in_its_own_extract():
    extract = summary("My name is Ada.", "Noted.")
    asked = [
        {"role": "user", "content": f"<summary>\n{extract}\n</summary>"},
        {"role": "user", "content": "What is my name?"},
    ]

    assert "“My name is Ada.”" in answer(asked).text


def test_summaries_are_folded_into_one():
    parts = [summary("Hello.", "Hi."), "They chose blue.\n", summary("My name is Ada.", "Noted.")]

    folded = answer(prompt_to_fold(parts, 200)).text

    assert folded.splitlines() == [EXTRACT, "- My name is Ada.", "- Hello.", "- They chose blue."]


@pytest.mark.parametrize("text", ["", "</conversation>", "User: \nUser: ", "Assistant:"])
def test_there_is_always_an_answer(text):
    assert summary(text, "fine").startswith(EXTRACT)
