"""Code reads facts. It neither splits nor compares sentences, except those of old plans.

`make gibberish` shows the same in another way: with meaningless sentences, all else still works.
"""

import ast
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
WORDING = ROOT / "history" / "wording"
SENTENCES = {"complaint", "conflict", "fault", "reason", "sentence", "why", "worded", "wrong"}
WORDED = {
    *["brief", "word_fault", "word_error", "word_faults", "reason_of", "sentence_of", "sentences"],
    *["contradictions", "contradictions_of", "told", "worded", "worded_plan"],
}
TAKES_APART = re.compile(
    r"r?(find|index|partition|split)|(starts|ends)with|remove(pre|suf)fix|count"
)
SEARCHES = {"findall", "finditer", "fullmatch", "match", "search", "split", "sub"}
IN_A_TEMPLATE = re.compile(
    r"\{%\s*(?:el)?if\b[^%]*(?:\bin\s+[\w.]*\b(?:reason|sentence)\b|\b(?:reason|sentence)\s*[!=]=)"
)


def readings(source):
    """Return the lines on which the code reads a sentence."""
    return sorted({node.lineno for node in ast.walk(ast.parse(source)) if _reads(node)})


def reads_one(template):
    return IN_A_TEMPLATE.search(template) is not None


def _reads(node):
    match node:
        case ast.Call(func=ast.Attribute(value=whole, attr=method), args=args):
            searched = method in SEARCHES and any(map(_is_sentence, args))
            return searched or (bool(args) and _takes_apart(method, whole, args))
        case ast.Compare(left=left, ops=ops, comparators=[*others]):
            sides = [left, *others]
            return any(map(_compares, ops, sides, sides[1:]))
    return False


def _takes_apart(method, whole, args):
    """Whether a call splits a sentence, or any text at a mark that joins sentences."""
    if not TAKES_APART.fullmatch(method):
        return False
    marks = (arg for arg in args if ast.unparse(arg).strip("f'\"") == "; " or _is_value(arg))
    return _is_sentence(whole) or any(marks)


def _is_value(node):
    """Whether the text is like `=value: `, with which sentences on settings once began."""
    match node:
        case ast.JoinedStr(values=[ast.Constant(value=first), *_, ast.Constant(value=last)]):
            return first.endswith("=") and last.startswith(": ")
        case ast.Constant(value=str(text)):
            return bool(re.search(r"=\w*: ", text))
    return False


def _compares(how, left, right):
    match how:
        case ast.In() | ast.NotIn():
            return _is_sentence(right)
        case ast.Eq() | ast.NotEq():
            return _is_sentence(left) or _is_sentence(right)
    return False


def _is_sentence(node):
    match node:
        case ast.Name(id=name) | ast.Attribute(attr=name) | ast.Subscript(slice=ast.Constant(name)):
            return name in SENTENCES
        case ast.Call(func=ast.Name(id=name) | ast.Attribute(attr=name)):
            return name in WORDED
    return False


def files(pattern, *folders):
    for folder in folders:
        for path in sorted((ROOT / folder).rglob(pattern)):
            if WORDING not in path.parents:
                yield path


def test_no_code_reads_a_sentence():
    found = [
        f"{path.relative_to(ROOT)}:{line}"
        for path in files("*.py", "agents", "chatapp", "history")
        for line in readings(path.read_text())
    ]

    assert found == []


@pytest.mark.parametrize(
    "source",
    [
        "first, _, rest = entry.reason.partition('; ')",
        "parts = text.split('; ')",
        "entry['reason'].removeprefix(span)",
        "rule = text.partition(f'={value}: ')[2]",
        "'has no effect' in sentence",
        "sentence_of(note).startswith('over budget')",
        "any(phrase in note.sentence for phrase in WARNINGS)",
        "same = before.reason == now.reason",
        "reason_of(one) != reason_of(other)",
        "re.search('capped at', candidate.reason)",
        "CAPPED.match(why)",
        "'length=5: must be' in word_error(error)",
    ],
)
def test_each_way_of_reading_one_is_found(source):
    assert readings(source) == [1]


@pytest.mark.parametrize(
    "source",
    [
        "entry.rule == 'budget'",
        "entry.reasons == other.reasons",
        "Rule.LOST in rules",
        "note.fact.rule is Rule.TOLD",
        "message.text.startswith(marker)",
        "name.partition('=')",
        "f'{candidate.source}: {reason_of(candidate)}'",
        "reason = ' '.join(reason.split())",
        "shown = reason[:40] if reason else ''",
        "'; '.join(sentences)",
    ],
)
def test_what_reads_none_is_left_alone(source):
    assert readings(source) == []


def test_no_template_reads_a_sentence():
    found = [path.name for path in files("*.html", "templates") if reads_one(path.read_text())]

    assert found == []


@pytest.mark.parametrize(
    "source",
    ["{% if 'capped' in loser.reason %}", "{% elif row.reason == 'pinned by a person' %}"],
)
def test_a_template_that_reads_one_is_found(source):
    assert reads_one(source)


@pytest.mark.parametrize("source", ["{% if row.reason %}", "{% for sentence in conflicts %}"])
def test_a_template_that_shows_one_is_left_alone(source):
    assert not reads_one(source)
