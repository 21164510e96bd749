"""Random transcripts, well-formed and malformed, and random requests, for Hypothesis."""

from dataclasses import replace
from typing import Any

import hypothesis
from hypothesis import strategies as st

from history.core.plan.injected import Injected
from history.core.projection.request import ProjectionRequest
from history.core.settings.layers import Layer
from history.core.settings.resolution import resolve
from history.core.settings.resolved import Settings
from history.core.settings.spec import LayerName
from history.core.stages.parts import as_counted
from history.core.stages.processors import Chain, parse_levels
from history.core.summaries.checkpoints import Checkpoint
from history.core.transcript.messages import Message, Role, ToolCall
from history.core.transcript.parts import File, Image, Part, Reasoning, ReasoningForm
from history.core.transcript.reasoning_accepted import ReasoningAccepted
from history.core.transcript.segments import segment

usual = hypothesis.settings().max_examples
thorough = hypothesis.settings(max_examples=max(usual, min(2 * usual, 200)))
"""Of each property: twice as many examples as the profile says, unless that is many anyway."""

Path = tuple[Message, ...]

TOKENS = st.integers(0, 400)
TOOLS = st.sampled_from(["search", "debug_tool"])
IDS = st.sampled_from(["c1", "c2", "c3", "", "\u00e9"])
TEXTS = st.sampled_from(["", " ", "text", "a long text " * 40])
CHANCE = st.integers(0, 9).map(lambda n: n == 0)
ARGUMENTS = st.sampled_from(["{}", '{"a": 1}', "", " ", "{a: 1}", "[1]", "null", "[" * 9_999])
IMAGES = [Image(d, "s", "image/png", f"{d}.png", tokens=n) for d, n in (("a", 85), ("b", 9))]
FILES = [
    File("d", "s", "text/plain", "a.txt", text=f"{n} lines " * n, tokens=15 + n) for n in (1, 60)
]
HELD: list[tuple[Part, ...]] = [(), (), (), (*IMAGES[:1],), (*FILES[:1],), (*FILES[1:],)]
HELD += [(*IMAGES, *FILES), (*IMAGES, *IMAGES)]
ATTACHED = st.sampled_from(HELD)
THOUGHT = Reasoning(ReasoningForm.TEXT, "Let me think.", tokens=40)
SIGNED = Reasoning(ReasoningForm.SIGNED, "I think.", "claude", {"signature": "s"}, tokens=30)
THOUGHTS: st.SearchStrategy[tuple[Part, ...]] = st.sampled_from(
    [(), (THOUGHT,), (SIGNED,), (THOUGHT, SIGNED)]
)
TAKINGS = (
    ReasoningAccepted(),
    ReasoningAccepted("claude"),
    ReasoningAccepted("claude", withheld_by="lab"),
    ReasoningAccepted(fields=("signature",)),
    ReasoningAccepted("claude", ("signature",), only_thinking=True, minds_loop=True),
    ReasoningAccepted("claude", thinks=False, only_thinking=True, minds_loop=True),
)
CALLS = st.builds(ToolCall, IDS, TOOLS | st.just(" "), ARGUMENTS, st.integers(0, 40))


@st.composite
def turns(draw: st.DrawFn, *, cold: bool = True, answered: bool = False) -> list[Message]:
    """Draw one turn: a question, tool rounds, an answer; sometimes a system message."""
    is_cold = cold and draw(CHANCE)
    question = Message(0, Role.USER, "q", tokens=draw(TOKENS), cold=is_cold)
    messages = [having(question, draw(ATTACHED))]
    for step in range(draw(st.integers(0, 2))):
        messages += draw(rounds(step))
        if draw(CHANCE):
            messages.append(_system())
    if draw(CHANCE):
        messages.append(_system())
    if answered or not draw(CHANCE):
        answer = Message(0, Role.ASSISTANT, "answer " * 30, tokens=draw(TOKENS))
        messages.append(replace(answer, parts=draw(THOUGHTS)))
    return messages


@st.composite
def rounds(draw: st.DrawFn, step: int) -> list[Message]:
    """Draw an assistant message with parallel calls, and their results in any order.

    `numbered` makes the ids unique.
    """
    names = draw(st.lists(TOOLS, min_size=1, max_size=3))
    calls = tuple(ToolCall(f"{step}.{n}", name, "{}", 5) for n, name in enumerate(names))
    tokens = draw(TOKENS) + 5 * len(calls)
    results = [
        having(
            Message(0, Role.TOOL, "found " * 50, tool_call_id=call.id, tokens=draw(TOKENS)),
            draw(ATTACHED),
        )
        for call in draw(st.permutations(calls))
    ]
    parts = draw(THOUGHTS)
    return [Message(0, Role.ASSISTANT, draw(TEXTS), calls, tokens=tokens, parts=parts), *results]


@st.composite
def well_formed(
    draw: st.DrawFn, *, cold: bool = True, answered: bool = False, most: int = 12
) -> Path:
    opening = draw(st.lists(st.sampled_from([_greeting(), _system()]), max_size=2))
    parts = draw(st.lists(turns(cold=cold, answered=answered), max_size=most))
    called = draw(rounds(0)) if draw(CHANCE) else []  # A greeting may call tools, too.
    return numbered([called, opening, *parts])


@st.composite
def malformed(draw: st.DrawFn) -> Path:
    """Draw messages of any role in any order: calls and results meet only by chance."""
    return numbered([[message] for message in draw(st.lists(_any_message(), max_size=40))])


@st.composite
def unasked(draw: st.DrawFn) -> Path:
    """Draw messages without a user's. They may end anywhere: in calls, in results, or so that only
    a note is left.
    """
    said = st.sampled_from([[_greeting()], [_system()]])
    parts = draw(st.lists(st.one_of(said, rounds(0)), max_size=4))
    last = draw(rounds(1))
    return numbered([*parts, last[: draw(st.integers(1, len(last)))]])


def without_user() -> st.SearchStrategy[Path]:
    own = malformed().map(lambda path: [m for m in path if m.role is not Role.USER])
    return st.one_of(unasked(), own.map(lambda left: numbered([[message] for message in left])))


def having(message: Message, parts: tuple[Part, ...]) -> Message:
    """Return the message with these parts, and with their tokens."""
    return replace(message, parts=parts, tokens=message.tokens + sum(p.tokens for p in parts))


def transcripts() -> st.SearchStrategy[Path]:
    return st.one_of(well_formed(), malformed())


def settings(**fixed: Any) -> st.SearchStrategy[Settings]:
    """Draw all settings that change a projection, except `fixed` ones; None means unset."""
    stride = st.sampled_from([1, 1, 2, 5])
    values = st.fixed_dictionaries(
        {
            "policy": st.sampled_from(["none", "lastN", "all", "all"]),
            "length": st.integers(0, 8),
            "preserve_system_messages": st.booleans(),
            "context_window": st.integers(512, 6_000),
            "output_reserve": st.integers(1, 500),
        },
        optional={
            "max_items": st.integers(2, 4) | st.integers(2, 20),
            "token_budget": st.integers(256, 5_000),
            "pruner": st.sampled_from(["fifo", "sliding_window", "summarize"]),
            "sliding_window_turns": st.integers(1, 6),
            "min_history_turns": st.integers(0, 4),
            "tool_results_keep": st.integers(0, 4),
            "images_keep": st.integers(0, 3),
            "files_keep": st.integers(0, 2),
            "images_stride": stride,
            "files_stride": stride,
            "reasoning_keep": st.integers(0, 4),
            "length_stride": stride,
            "results_stride": stride,
            "token_stride": st.sampled_from([1, 300, 1_000]),
            "max_message_tokens": st.integers(64, 300),
        },
    )
    return values.map(lambda v: resolve([Layer(LayerName.TEMPLATE, "agent demo v1", v | fixed)]))


def chains() -> st.SearchStrategy[Chain]:
    """Draw at most one processor for each level."""
    debug = st.sampled_from([{"exclude": ["debug_tool"]}, {"include": ["debug_tool"]}, {}])
    persist = st.sampled_from([{}, {"persist_results": True}])
    filters = st.builds(lambda a, b: {"use": "tool_call_filter", **a, **b}, debug, persist)
    limits = st.integers(1, 3_000).map(lambda n: {"use": "token_limiter", "limit": n})
    chain = st.lists(st.one_of(filters, limits), max_size=1)
    levels = st.fixed_dictionaries({"history": chain, "network": chain, "agent": chain})
    return st.one_of(st.just({}), levels).map(parse_levels)


@st.composite
def requests(draw: st.DrawFn, path: Path) -> ProjectionRequest:
    """Draw any request that the app could make for a path."""
    pins = draw(_places(path))
    return ProjectionRequest(
        settings=draw(settings()),
        injected=tuple(draw(st.lists(_injected(), max_size=2))),
        tool_schema_tokens=draw(st.integers(0, 50)),
        levels=draw(chains()),
        pins=pins,
        exclusions=draw(_places(path)) - pins,
        checkpoints=draw(checkpoints(path)),
        settled=draw(_settled(path)),
        factor=draw(st.sampled_from([1.0, 1.0, 0.8, 1.3])),
        percent=draw(st.sampled_from([100, 100, 75])),
        image_price=draw(st.sampled_from([as_counted, lambda image: 20])),
        takes_images=not draw(CHANCE),
        taking=draw(st.sampled_from(TAKINGS)),
    )


@st.composite
def cases(
    draw: st.DrawFn, paths: st.SearchStrategy[Path] | None = None
) -> tuple[Path, ProjectionRequest]:
    path = draw(transcripts() if paths is None else paths)
    return path, draw(requests(path))


@st.composite
def unasked_cases(draw: st.DrawFn) -> tuple[Path, ProjectionRequest]:
    """Draw paths without user messages. Their summaries may cover any message, because all messages
    are past.
    """
    path, request = draw(cases(without_user()))
    return path, replace(request, checkpoints=draw(checkpoints(path, before=1)))


@st.composite
def checkpoints(draw: st.DrawFn, path: Path, before: int | None = None) -> tuple[Checkpoint, ...]:
    """Draw up to two summaries, one after the other from the path's start. They end between
    segments of past turns, or of turns before a given one.
    """
    last_turn = before if before is not None else path[-1].turn if path else 0
    parts = [part.messages[-1] for part in segment(path) if part.messages]
    ends = [message.position for message in parts if message.turn < last_turn]
    if not ends or not draw(st.booleans()):
        return ()
    chosen = sorted(draw(st.sets(st.sampled_from(ends), min_size=1, max_size=2)))
    return tuple(
        _checkpoint(n, path[first : last + 1])
        for n, (first, last) in enumerate(
            zip([0, *(end + 1 for end in chosen)], chosen, strict=False), start=1
        )
    )


def numbered(parts: list[list[Message]]) -> Path:
    """Add positions and turns, and make the ids of calls unique."""
    turn = 0
    path: list[Message] = []
    for number, part in enumerate(parts):
        for message in part:
            turn += message.role is Role.USER
            path.append(replace(_own_ids(message, number), position=len(path), turn=turn))
    return tuple(path)


def _own_ids(message: Message, number: int) -> Message:
    """Make a message's ids unique to its part. Only the ids of `rounds` contain a point."""

    def own(id_: str) -> str:
        return f"{number}.{id_}" if "." in id_ else id_

    calls = tuple(replace(call, id=own(call.id)) for call in message.tool_calls)
    answered = message.tool_call_id
    return replace(message, tool_calls=calls, tool_call_id=own(answered) if answered else answered)


def _any_message() -> st.SearchStrategy[Message]:
    def message(role: str, text: str, calls: list[ToolCall], more: Any) -> Message:
        own = tuple(calls) if role == "assistant" else ()
        tokens = more[1] + sum(call.tokens for call in own)
        id_ = more[0] if role == "tool" else None
        made = Message(0, Role(role), text, own, id_, tokens=tokens, cold=more[2])
        return having(made, more[3]) if role in {"user", "tool"} else made

    roles = st.sampled_from(["user", "assistant", "assistant", "tool", "tool", "system"])
    more = st.tuples(IDS | st.none(), TOKENS, CHANCE, ATTACHED)
    return st.builds(message, roles, TEXTS, st.lists(CALLS, max_size=2), more)


def _places(path: Path) -> st.SearchStrategy[frozenset[int]]:
    if not path:
        return st.just(frozenset())
    return st.frozensets(st.integers(0, len(path) - 1), max_size=3)


def _settled(path: Path) -> st.SearchStrategy[int | None]:
    """Draw None, or a place in the current turn after its first message."""
    own = [m.position for m in path if m.turn == path[-1].turn][1:]
    return st.none() | st.sampled_from(own) if own else st.none()


def _injected() -> st.SearchStrategy[Injected]:
    labels = st.sampled_from(["system prompt", "date", "continue instruction"])
    places = st.sampled_from(["start", "turn", "end"])
    tokens = st.integers(0, 200)
    return st.builds(Injected, labels, st.just(Role.SYSTEM), st.just("text"), tokens, places)


def _checkpoint(number: int, run: Path) -> Checkpoint:
    first, last = run[0], run[-1]
    tokens = sum(message.tokens for message in run)
    return Checkpoint(
        number, first.position, last.position, first.turn, last.turn, "summary", 30, tokens
    )


def _greeting() -> Message:
    return Message(0, Role.ASSISTANT, "hello", tokens=3)


def _system() -> Message:
    return Message(0, Role.SYSTEM, "be kind", tokens=7)
