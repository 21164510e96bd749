"""The mind of the offline model: from what it was sent to what it says. Pure, so it can be tested.

It knows the messages of one request and nothing else; that is the point of it. The same request
always gets the same answer, which is also how it continues one that was broken off.
"""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from chatapp.llm.mirror import recall, summary
from chatapp.llm.mirror.facts import ANYTHING, asked_about, facts_in, known
from chatapp.llm.mirror.hints import hints
from chatapp.llm.mirror.recall import quoted
from chatapp.llm.mirror.sent import Sent, text_of
from chatapp.llm.mirror.texts import CODE, INTRODUCTION, LONG
from chatapp.llm.mirror.tools import MirrorCall, calls_for, took_over

CONTINUE = "Continue your answer"
MANY_LINES = 20  # Of a result: it is named then, not repeated.
GREETING = re.compile(
    r"(hi|hello|hey|help|test|good (morning|afternoon|evening)|(who|what) are you"
    r"|what can you do)\b",
    re.IGNORECASE,
)
UNSEEN = (
    "You have not told me, in anything that I was sent. Whether something was left out I cannot"
    " know: **Context**, at the top of the page, shows which messages were trimmed, and why."
)


@dataclass(frozen=True, slots=True)
class Answer:
    """Text or calls, never both. `slowly` asks for a pace that leaves time to press Stop."""

    text: str = ""
    calls: tuple[MirrorCall, ...] = ()
    slowly: bool = False


def answer(messages: Sequence[Sent], tools: Sequence[str] = ()) -> Answer:
    """What it says to these messages, with the named tools at hand."""
    talk = [message for message in messages if message["role"] != "system"]
    if not talk:
        return Answer("I was sent no message, so there is nothing to mirror.")
    asked = _newest_from_user(talk)
    if summary.is_asked(text_of(messages[0])):
        return Answer(summary.extract(text_of(messages[0]), asked))
    slowly = "slowly" in asked.lower()
    if asked.startswith(CONTINUE) and len(talk) > 1:
        return _continuation(messages, tools)
    if talk[-1]["role"] == "tool" and not took_over(talk):
        return Answer(_joined(_results(talk, asked), _note(messages, talk)), slowly=slowly)
    if calls := calls_for(asked, tools, talk):
        return Answer(calls=calls, slowly=slowly)
    return Answer(_joined(*_said(asked, talk, tools), _note(messages, talk)), slowly=slowly)


def pieces(text: str) -> list[str]:
    """The text in words, each with the space after it: together they are the text again."""
    return re.findall(r"\s*\S+\s*", text)


def _said(asked: str, talk: Sequence[Sent], tools: Sequence[str]) -> list[str]:
    """The paragraphs that answer, one for each thing asked for; an echo where there is none."""
    introduced = [INTRODUCTION.format(hints=hints(tools))] if GREETING.match(asked) else []
    parts = introduced + [part for say in TOPICS if (part := say(asked, talk))]
    return parts or [_echo(asked, tools)]


def _recalled(asked: str, talk: Sequence[Sent]) -> str:
    subject = asked_about(asked)
    if subject is None:
        return ""
    facts = known(text_of(message) for message in talk if message["role"] == "user")
    wanted = list(facts.values()) if subject == ANYTHING else [facts.get(subject)]
    lines = [f"As far as I can see, {fact}." for fact in wanted if fact]
    return "\n\n".join(lines) or UNSEEN


def _looked_up(asked: str, talk: Sequence[Sent]) -> str:
    """What it was sent of what it is asked to recall."""
    if not (words := recall.sought(asked)):
        return ""
    people = [text_of(message) for message in talk if message["role"] == "user"]
    held = [text for text in people if recall.holds(text, words)]
    lines = [f"- yours: “{quoted(recall.excerpt(text, words))}”" for text in held[-5:]]
    return "\n".join(["Of what I was sent, this holds it:", "", *lines]) if held else UNSEEN


def _noted(asked: str, _: Sequence[Sent]) -> str:
    if asked_about(asked) or not (facts := list(facts_in(asked))):
        return ""
    stated = "; ".join(map(str, facts))
    return f"Noted: {stated}. I keep nothing of my own: I know it while that message is sent to me."


def _code(asked: str, _: Sequence[Sent]) -> str:
    return CODE if re.search(r"\bcode\b", asked, re.IGNORECASE) else ""


def _table(asked: str, talk: Sequence[Sent]) -> str:
    if not re.search(r"\btable\b", asked, re.IGNORECASE):
        return ""
    first = max(0, len(talk) - 10)
    rows = [
        f"| {number} | {message['role']} | {_quoted(message)} |"
        for number, message in enumerate(talk[first:], first + 1)
    ]
    return "\n".join(
        ["The newest messages that I was sent:", "", "| # | role | text |", "|--:|---|---|", *rows]
    )


def _long(asked: str, _: Sequence[Sent]) -> str:
    return LONG if re.search(r"\bat length\b|\blong answer\b", asked, re.IGNORECASE) else ""


TOPICS: Sequence[Callable[[str, Sequence[Sent]], str]] = (
    _recalled,
    _looked_up,
    _noted,
    _code,
    _table,
    _long,
)


def _echo(asked: str, tools: Sequence[str]) -> str:
    quote = "\n".join(f"> {line}" for line in asked[:400].splitlines())
    return (
        f"You wrote:\n\n{quote}\n\nI am the offline demo model, so I can only mirror that. Say"
        f" `help` to see how to set up a real one. What I do understand:\n\n{hints(tools)}"
    )


def _results(talk: Sequence[Sent], asked: str) -> str:
    """The newest round of results, each beside what was asked for."""
    others = [index for index, message in enumerate(talk) if message["role"] != "tool"]
    last = max(others, default=-1)
    calls = {call["id"]: call["function"] for call in talk[last].get("tool_calls") or ()}
    return "\n\n".join(_result(message, calls, asked) for message in talk[last + 1 :])


def _result(message: Sent, calls: Mapping[str, Mapping[str, str]], asked: str) -> str:
    text = text_of(message)
    call = calls.get(message["tool_call_id"], {})
    name = call.get("name", "a tool")
    if text.startswith("Error:"):
        return f"I asked `{name}`, but it could not help. {text}"
    if name == "calculator":
        expression = re.search(r':\s*"(.*)"', call["arguments"])
        return f"`{expression[1] if expression else call['arguments']}` is **{text}**."
    if name == recall.TOOL:
        return recall.told(asked, text)
    first, *more = text.splitlines() or [""]
    if len(more) < MANY_LINES:
        return f"`{name}` says: **{text}**"
    return f"`{name}` says: **{first.removesuffix('.')}**, and {len(more)} more lines"


def _continuation(messages: Sequence[Sent], tools: Sequence[str]) -> Answer:
    """The rest of the answer that these messages had before it was broken off."""
    start = len(messages) - 1
    while start and messages[start - 1]["role"] == "assistant":
        start -= 1
    partial = "".join(map(text_of, messages[start:-1]))
    whole = answer(messages[:start], tools)
    if partial and whole.text.startswith(partial) and whole.text != partial:
        return Answer(whole.text.removeprefix(partial), slowly=whole.slowly)
    return Answer("I have nothing to add: I cannot see what that answer was to say.")


def _note(messages: Sequence[Sent], talk: Sequence[Sent]) -> str:
    """What every answer ends with: how much of the conversation it was sent."""
    count = "1 message" if len(talk) == 1 else f"{len(talk)} messages"
    prompt = "a system prompt" if len(talk) < len(messages) else "no system prompt"
    return (
        f"---\n\n*Offline demo model. I was sent {count} and {prompt};"
        f" the oldest I can see is {_whose(talk[0])}:* {_quoted(talk[0])}"
    )


def _whose(message: Sent) -> str:
    return {"user": "yours", "assistant": "mine"}.get(message["role"], "a tool's")


def _quoted(message: Sent) -> str:
    """Its beginning on one line, with nothing in it that Markdown would take for its own."""
    words = " ".join(text_of(message).split()) or "(no text)"
    short = f"{words[:60].rstrip()}…" if len(words) > 60 else words
    return f"“{quoted(short)}”"


def _newest_from_user(talk: Sequence[Sent]) -> str:
    texts = [text_of(message) for message in talk if message["role"] == "user"]
    return texts[-1].strip() if texts else ""


def _joined(*paragraphs: str) -> str:
    return "\n\n".join(paragraph.strip() for paragraph in paragraphs)
