"""What the provider says to each question: its words name the question, so none can be mistaken."""

from collections.abc import Iterator
from itertools import count, islice

MARK = "question "


def is_question(text: str) -> bool:
    """Whether it was asked by a test of faults."""
    return text.startswith(MARK)


def words_to(question: str) -> Iterator[str]:
    """Yield the words of the answer, for ever."""
    name = question.removeprefix(MARK)
    return (f"{name}:{number} " for number in count())


def answer_to(question: str, text: str) -> str:
    """Return what is said to it, up to at least as many words as the text has."""
    return "".join(islice(words_to(question), text.count(" ") + 1))
