"""Make the app's sentences from facts, for tests to compare. A test names the fact;
`tests/history/wording` checks the words.
"""

from history.core.settings.spec import LayerName
from history.core.words.facts import Rule, fact, note
from history.wording.faults import word_fault
from history.wording.notes import sentence_of
from history.wording.omissions import cut


def no_number(name: str, value: object, least: int = 0, most: int = 10_000) -> str:
    return word_fault(fact(Rule.NO_NUMBER, name=name, value=str(value), least=least, most=most))


def beside(sentence: str) -> str:
    """Shorten a sentence for its place beside a field: leave out the setting's name and value."""
    words = sentence.partition(": ")[2]
    return f"{words[0].upper()}{words[1:]}."


def no_choice(name: str, value: str, *choices: str) -> str:
    return word_fault(fact(Rule.NO_CHOICE, name=name, value=value, choices=choices))


def no_policy(name: str, value: str) -> str:
    return no_choice(name, value, "none", "lastN", "all")


def no_boolean(name: str, value: str) -> str:
    return word_fault(fact(Rule.NO_BOOLEAN, name=name, value=value))


def no_levels() -> str:
    return word_fault(fact(Rule.NO_LEVELS, known=["history", "network", "agent"]))


def no_list(level: str) -> str:
    return word_fault(fact(Rule.NO_LIST, level=level))


def bad_processor(level: str, place: int, rule: Rule, **figures: object) -> str:
    why = {"rule": rule, "figures": figures}
    return word_fault(fact(Rule.BAD_PROCESSOR, level=level, place=place, why=why))


def no_processor(level: str, place: int, name: str) -> str:
    known = ["tool_call_filter", "token_limiter"]
    return bad_processor(level, place, Rule.NO_PROCESSOR, name=name, known=known)


def no_use(level: str, place: int) -> str:
    return bad_processor(level, place, Rule.NO_USE, example='{"use": "tool_call_filter"}')


def length_acts_as_one() -> str:
    return sentence_of(note(Rule.LENGTH_ACTS_AS_ONE))


def last_turns(count: int, left_out: int, by: LayerName = LayerName.TEMPLATE) -> str:
    """Return the line shown above a chat of which only the newest turns are sent."""
    return cut.left_out(left_out, [cut.SENDS[by].format(turns=cut.turns(count))])
