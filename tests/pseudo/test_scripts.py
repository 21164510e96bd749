"""No script contains a sentence of its own: pages render the sentences, translated."""

import re

import pytest

from tests.servers import ROOT

SCRIPTS = sorted((ROOT / "static" / "js").glob("*.js"))
COMMENT = re.compile(r"(?m)^\s*(?://|/?\*).*$|\s//\s.*$")
SENTENCE = re.compile(r"""(?<!Error\()(["`])([A-Z][a-z']+[,:]?(?: [^"`]*|[.!…]?))\1""")
KEYS = {"Enter", "Escape", "Tab", "Home", "End", "Backspace", "Accept", "GET", "POST"}


def sentences(script: str) -> list[str]:
    found = [text for _, text in SENTENCE.findall(COMMENT.sub("", script))]
    return [text for text in found if text not in KEYS]


def test_a_sentence_is_found():
    script = """
    // "A comment" is none.
    emit("chat:problem", "Not sent."); throw new Error("For developers.");
    if (key === "Enter") say(`Kept: ${name}`); find(".a b");
    """

    assert sentences(script) == ["Not sent.", "Kept: ${name}"]


@pytest.mark.parametrize("script", SCRIPTS, ids=lambda path: path.name)
def test_every_sentence_is_the_pages(script):
    assert sentences(script.read_text()) == []
