"""Finds the sums in a message that asks for one, so that the offline model can call a tool."""

import re

FUNCTIONS = "sqrt|abs|round|min|max"
PERCENT = r"(?<=\d) ?(?:%| per ?cent) of (?=\d)"
CROSS = r"(?<=\d)(?<!\b0) ?[xX] ?(?=\d)"  # Not in 0x10.
SPOKEN = {"times": "*", "plus": "+", "minus": "-", "divided by": "/"}
ASKS = re.compile(
    r"\b(calculate|compute|evaluate|work out|how much|what is|what's|what are)\b", re.IGNORECASE
)
CANDIDATE = re.compile(
    rf"(?:(?:{FUNCTIONS})\s*\(|[\d(.-])(?:{FUNCTIONS}|[\d\s.,()+*/%^\u00d7\u00f7-])*"
)
OPERATION = re.compile(rf"[\d)]\s*[-+*/%^\u00d7\u00f7]+\s*[\d(.-]|(?:{FUNCTIONS})\s*\(")
DATE = re.compile(r"\d{4}-\d\d?-\d\d?|\d\d?/\d\d?/\d{4}")


def expressions_in(text: str) -> list[str]:
    """What is to be calculated, in order; nothing where the text asks for no calculation."""
    written = _written(text)
    found = [part for match in CANDIDATE.finditer(written) for part in _parts(match[0])]
    sums = [part for part in found if OPERATION.search(part) and not DATE.search(part)]
    alone = bool(sums) and _parts(written.strip(" =?\n")) == sums
    return sums if alone or ASKS.search(text) else []


def _written(text: str) -> str:
    """Signs in the place of words and of what people write instead: 2 times 3, 2 x 3, 5% of 40."""
    text = re.sub(PERCENT, " / 100 * ", text)
    text = re.sub(CROSS, " * ", text)
    between = rf"(?<=\d) ({'|'.join(SPOKEN)}) (?=\d)"
    return re.sub(between, lambda word: f" {SPOKEN[word[1]]} ", text)


def _parts(found: str) -> list[str]:
    """Outside a function a comma parts two sums, or it groups digits: 1,000."""
    if re.search(FUNCTIONS, found):
        return [found.strip(" \t\r\n,.")]
    parts = re.split(r",(?!\d{3}\b)", found)
    return [part.replace(",", "").strip(" \t\r\n.") for part in parts]
