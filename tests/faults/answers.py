"""The provider's answer to each question; its words name the question, so none can be mistaken."""

from collections.abc import Iterator
from itertools import count, islice

MARK = "question "


def is_question(text: str) -> bool:
    """Whether the text is a question that these tests ask."""
    return text.startswith(MARK)


def words_to(question: str) -> Iterator[str]:
    """Yield words of the answer without end; each one has the question's name and a number."""
    name = question.removeprefix(MARK)
    return (f"{name}:{number} " for number in count())


def answer_to(question: str, text: str) -> str:
    """Return the expected answer, cut to as many words as the text has."""
    return "".join(islice(words_to(question), text.count(" ") + 1))
