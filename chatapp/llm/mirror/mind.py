"""Find the offline model's answer to the messages of a request, by pure functions.

The model knows the messages of one request and nothing else, so its answers show what was sent. The
same request always gets the same answer, so that an interrupted answer can be continued.
"""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import accumulate, takewhile

from agents.networks.agent_tools import Transfer
from chatapp.llm.mirror import sight, texts, understanding
from chatapp.llm.mirror.attached import described
from chatapp.llm.mirror.understanding import (
    MirrorCall,
    Sent,
    calls_for,
    from_user,
    quoted,
    text_of,
)
from history.core.plan.injected import CONTINUE_INSTRUCTION
from history.core.summaries.prompts import SUMMARISER

GREETING = re.compile(
    r"(hi|hey|hello|good (?:morning|afternoon|evening)|help|who are you|what can you do)\b",
    re.IGNORECASE,
)
THINK = re.compile(r"\bthink(?:ing)? (?:aloud|out loud|it over|hard)\b", re.IGNORECASE)
UNKNOWN = {"name": "a tool", "arguments": ""}
NEWEST = 10  # The most messages in a table of an answer, or sentences in a list.
EXTRACT = "An extract by the offline model, which copies out and does not summarise."
QUOTED = re.compile(r"<(conversation|summaries)>\n(.*)\n</\1>", re.DOTALL)
USER = re.compile(r"^User: (.+)", re.MULTILINE)
REPORT = re.compile(r"Report on (.+): ([\d,]+) lines\.")  # The first line of a made-up report.
LONGEST = 30  # The most words on one line of an answer.


@dataclass(frozen=True, slots=True)
class MirrorAnswer:
    """A text or calls, never both. `slowly` asks for a pace that leaves time to press Stop."""

    text: str = ""
    calls: tuple[MirrorCall, ...] = ()
    slowly: bool = False
    thoughts: str = ""


def answer(messages: Sequence[Sent], tools: Sequence[str] = ()) -> MirrorAnswer:
    """Answer these messages, given the names of the tools that the model may call."""
    talk = [message for message in messages if message["role"] != "system"]
    if not talk:
        return MirrorAnswer("I was sent no message, so there is nothing to mirror.")
    prompt = (from_user(talk) or [""])[-1].strip()
    if (system := text_of(messages[0])).startswith(SUMMARISER):
        return MirrorAnswer(_extract(system, prompt))
    if prompt == CONTINUE_INSTRUCTION:
        return _continuation(messages, tools)
    parts, slowly = _results(talk, prompt), "slowly" in prompt.lower()
    thoughts = _thoughts(prompt, talk) if THINK.search(prompt) else ""
    if not parts and (calls := calls_for(prompt, tools, talk)):
        return MirrorAnswer(calls=calls, thoughts=thoughts)
    text = "\n\n".join(parts or _said(prompt, messages, tools))
    return MirrorAnswer(text, slowly=slowly, thoughts=thoughts)


def _thoughts(prompt: str, talk: Sequence[Sent]) -> str:
    """Say what was asked, what the model can see, and how many earlier thoughts came back."""
    earlier = sum(bool(message.get("reasoning_content")) for message in talk)
    again = {0: "none of my earlier thoughts", 1: "one of my earlier thoughts"}
    return texts.THOUGHTS.format(
        asked=quoted(prompt, 120),
        messages="1 message" if len(talk) == 1 else f"{len(talk)} messages",
        thoughts=again.get(earlier, f"{earlier} of my earlier thoughts"),
    )


def _results(talk: Sequence[Sent], prompt: str) -> list[str]:
    """Return the results of the newest calls; none if an agent has just handed over to this one."""
    calls = {call["id"]: call["function"] for m in talk for call in m.get("tool_calls") or ()}
    newest = list(takewhile(lambda message: message["role"] == "tool", reversed(talk)))[::-1]
    results = [(calls.get(m["tool_call_id"], UNKNOWN), text_of(m)) for m in newest]
    if any(
        call["name"].startswith(Transfer.prefix) and not _failed(text) for call, text in results
    ):
        return []
    return [_result(call, text, prompt) for call, text in results]


def _failed(result: str) -> bool:
    return result.startswith("Error:")


def _result(call: Mapping[str, str], text: str, prompt: str) -> str:
    name = call["name"]
    if _failed(text):
        return f"I called `{name}`, but it failed. {text}"
    if expression := re.search(r'"expression": *"(.*)"', call["arguments"]):
        return f"`{expression[1]}` is **{text}**."
    if name == "recall":
        finds = understanding.matching_sentences(prompt, understanding.FOUND.findall(text))
        listing = _listed(finds[:1]) if finds else "I found nothing."
        return f"I wasn't sent that, so I searched the whole chat.\n\n{listing}"
    first, *more = text.splitlines() or [""]
    if title := REPORT.fullmatch(first):
        return texts.report(quoted(title[1], 80), title[2], more)
    first = first.replace("**", "")  # Another agent's answer contains bold words, too.
    return f"`{name}` says: **{first}**{f' (and {len(more)} more lines)' if more else ''}"


def _said(prompt: str, messages: Sequence[Sent], tools: Sequence[str]) -> list[str]:
    """Return a paragraph for each thing that was asked for, or else an echo."""
    parts = [
        say(messages) for topic, say in TOPICS.items() if re.search(topic, prompt, re.IGNORECASE)
    ]
    if understanding.required_words(prompt):
        parts.append(_listed(understanding.matching_sentences(prompt, from_user(messages))[-1:]))
    if understanding.stated([prompt]):
        parts.append(texts.NOTED)
    if "send_note" in tools and understanding.is_unreadable_note(prompt):
        parts.append(texts.NOTE_FORM)
    parts += described(next(each for each in reversed(messages) if each["role"] != "system"))
    if GREETING.match(prompt):
        parts.append(texts.introduction(understanding.within_reach(tools)))
    return parts or [texts.ECHO.format(asked=quoted(prompt))]


def _listed(sentences: Sequence[str], title: str = "I found this:") -> str:
    lines = [f"- {quoted(text)}" for text in sentences[-NEWEST:]]
    return "\n".join([title, "", *lines]) if lines else texts.UNSEEN


def _table(messages: Sequence[Sent]) -> str:
    talk = (message for message in messages if message["role"] != "system")
    rows = [f"| {message['role']} | {quoted(text_of(message), 60)} |" for message in talk]
    head = "The newest messages I was sent:\n\n| role | text |\n|---|---|"
    return "\n".join([head, *rows[-NEWEST:]])


def _notes(messages: Sequence[Sent]) -> str:
    results = (text_of(message) for message in messages if message["role"] == "tool")
    notes = [text for text in results if text.startswith("The note to ")]
    return _listed(notes) if notes else texts.NO_NOTES


TOPICS: Mapping[str, Callable[[Sequence[Sent]], str]] = {
    r"\bwhat do you remember\b": lambda talk: _listed(understanding.stated(from_user(talk))),
    r"\b(how far back|first thing)\b": sight.oldest,
    r"\bwhere we started\b": sight.start,
    r"\bwhat can you see\b": sight.sight,
    r"\bjust ask you\b": lambda talk: _listed(sight.by_people(talk)[-2:-1]),
    r"\bwhich notes\b": _notes,
    r"\bsummarise\b": sight.so_far,
    r"\btable\b": _table,
    r"\bcode\b": lambda _: texts.CODE,
    r"\blong answer\b": lambda _: texts.LONG,
    r"^(?:many )?(?:thanks|thank you)\b": lambda _: texts.WELCOME,
    r"\bhow(?: are you| is it going|['\u2019]s it going)\b": lambda _: texts.WELL,
    r"^(?:(?:ok(?:ay)?|great|good|nice|fine|perfect)\b\W*)+$": lambda _: texts.GLAD,
    r"^(?:bye|goodbye|see you)\b": lambda _: texts.GOODBYE,
}


def _continuation(messages: Sequence[Sent], tools: Sequence[str]) -> MirrorAnswer:
    """Return the rest of the model's interrupted answer to these messages."""
    *before, _ = messages
    beginning = ""
    while before and before[-1]["role"] == "assistant":
        beginning = text_of(before.pop()) + beginning
    whole = answer(before, tools)
    if beginning and beginning != whole.text and whole.text.startswith(beginning):
        return MirrorAnswer(whole.text.removeprefix(beginning), slowly=whole.slowly)
    return MirrorAnswer("I have nothing to add: I can't see what that answer was going to say.")


def _extract(system: str, prompt: str) -> str:
    """Summarise by copying within the prompt's limit: first what people stated, then the rest."""
    limit = re.search(r"at most (\d+) words", system)
    room = int(limit[1]) - len(EXTRACT.split()) if limit else 0
    lines = sorted(
        dict.fromkeys(_summarised(prompt)), key=lambda line: not understanding.STATED.search(line)
    )
    words = accumulate(len(line.split()) for line in lines)
    extract = [line for line, total in zip(lines, words, strict=True) if total <= room]
    return "\n".join([EXTRACT, *extract])


def _summarised(prompt: str) -> list[str]:
    """Return the first line of each message by people, and every line of earlier summaries."""
    source = QUOTED.search(prompt)
    kind, text = source.groups() if source else ("", "")
    lines = USER.findall(text) if kind == "conversation" else text.splitlines()
    bare = (line.removeprefix("- ") for line in lines if line and line != EXTRACT)
    return [f"- {' '.join(line.split()[:LONGEST])}" for line in bare]
