"""The offline model finds answers in the messages that it was sent."""

import pytest

from chatapp.llm.mirror.understanding import matching_sentences, required_words

KEY = "The spare key is under the blue pot."
ASKED = "What did I say about the spare key?"


@pytest.mark.parametrize(
    ("asked", "words"),
    [
        (ASKED, ["spare", "key"]),
        ("What did I say about the rent, and what is 6 * 7?", ["rent"]),
        ("What is my name?", ["my name is"]),
        ("what's my favourite colour", ["my favourite colour is"]),
        ("What did you do?", []),
    ],
)
def test_what_a_question_looks_for(asked, words):
    assert required_words(asked) == words


@pytest.mark.parametrize(
    ("text", "sentences"),
    [
        pytest.param(f"Well. {KEY} And so on.", [KEY], id="one sentence"),
        pytest.param("The KEY, the SPARE one", ["The KEY, the SPARE one"], id="capitals"),
        pytest.param(f"<summary>\n- {KEY}\n</summary>", [KEY], id="in a summary"),
        pytest.param("A spare wheel", [], id="a part of it"),
        pytest.param("The spare monkey", [], id="the end of a word"),
        pytest.param("Is there a spare key?", [], id="a question"),
        pytest.param("what did I say about the spare key", [], id="the same question"),
    ],
)
def test_the_sentences_that_answer_are_found(text, sentences):
    assert matching_sentences(ASKED, [text]) == sentences
