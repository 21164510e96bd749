"""Random transcripts, well-formed and malformed, and random settings, for Hypothesis."""

from collections.abc import Callable
from dataclasses import replace

from hypothesis import strategies as st

from history.core.messages import Message, Role, ToolCall, Transcript, Unread
from history.core.policies import horizon
from history.core.projection import Injected, ProjectionRequest
from history.core.resolution import Layer, LayerName, Settings, resolve

TOKENS = st.integers(0, 500)
IDS = st.sampled_from(["c1", "c2", "c3", "", "é"])
CALLS = st.builds(ToolCall, IDS, st.sampled_from(["search", "fetch"]), st.just("{}"), TOKENS)


@st.composite
def well_formed(draw: st.DrawFn) -> Transcript:
    """Turns of text and of parallel tool rounds, with system messages here and there."""
    messages: list[Message] = draw(st.lists(st.sampled_from([_greeting(), _system()]), max_size=2))
    for turn in range(draw(st.integers(0, 6))):
        messages += [Message(0, Role.USER, draw(st.text(max_size=4)), tokens=draw(TOKENS))]
        messages += draw(st.lists(st.just(_system()), max_size=1))
        for step in range(draw(st.integers(0, 2))):
            messages += draw(_round(f"{turn}.{step}"))
    return numbered(messages)


@st.composite
def malformed(draw: st.DrawFn) -> Transcript:
    """Messages of any role in any order: calls and results meet by chance."""
    texts = st.sampled_from(["", " ", "text"])
    kinds = [
        st.builds(Message, st.just(0), st.sampled_from(["user", "system"]).map(Role), texts),
        st.builds(Message, st.just(0), st.just(Role.ASSISTANT), texts, st.tuples()),
        st.builds(Message, st.just(0), st.just(Role.ASSISTANT), texts, st.tuples(CALLS)),
        st.builds(Message, st.just(0), st.just(Role.ASSISTANT), texts, st.tuples(CALLS, CALLS)),
        st.builds(Message, st.just(0), st.just(Role.TOOL), texts, tool_call_id=IDS | st.none()),
    ]
    messages = draw(st.lists(st.one_of(kinds), max_size=24))
    return numbered([replace(message, tokens=draw(TOKENS)) for message in messages])


def transcripts() -> st.SearchStrategy[Transcript]:
    return st.one_of(well_formed(), malformed())


def settings() -> st.SearchStrategy[Settings]:
    values = st.fixed_dictionaries(
        {
            "policy": st.sampled_from(["none", "lastN", "all"]),
            "length": st.integers(0, 8),
            "preserve_system_messages": st.booleans(),
            "context_window": st.integers(512, 9_000),
        }
    )
    return values.map(lambda v: resolve([Layer(LayerName.TEMPLATE, "template demo v1", v)]))


def requests() -> st.SearchStrategy[ProjectionRequest]:
    texts = st.builds(
        Injected,
        st.sampled_from(["system prompt", "continue instruction"]),
        st.just(Role.SYSTEM),
        st.text(max_size=8),
        TOKENS,
        st.sampled_from(["start", "end"]),
    )
    injected = st.lists(texts, max_size=3).map(tuple)
    return st.builds(ProjectionRequest, settings(), injected, TOKENS)


@st.composite
def partly_read(draw: st.DrawFn, transcript: Transcript, values: Settings) -> Transcript:
    """The transcript as any honest reader may load it for these settings."""
    messages = [item for item in transcript if isinstance(item, Message)]
    last_turn = messages[-1].turn if messages else 0
    needed = horizon(values, last_turn)
    preserve = values.value("preserve_system_messages")

    def must_be_read(message: Message) -> bool:
        return message.turn >= needed or (preserve and message.role is Role.SYSTEM)

    return _with_runs(messages, must_be_read, lambda: draw(st.sampled_from(["read", "run", "new"])))


def numbered(messages: list[Message]) -> Transcript:
    """With positions and turns as the transcript's path gives them."""
    turn, path = 0, []
    for position, message in enumerate(messages):
        turn += message.role is Role.USER
        path.append(replace(message, position=position, turn=turn))
    return tuple(path)


def _with_runs(
    messages: list[Message], must_be_read: Callable[[Message], bool], choose: Callable[[], str]
) -> Transcript:
    items: list[Message | Unread] = []
    for message in messages:
        choice = "read" if must_be_read(message) else choose()
        if choice == "read":
            items.append(message)
        elif choice == "run" and items and isinstance(items[-1], Unread):
            items[-1] = _longer(items[-1], message)
        else:
            place = message.position
            items.append(Unread(place, place, message.turn, message.turn, message.tokens))
    return tuple(items)


def _longer(run: Unread, message: Message) -> Unread:
    return replace(
        run, last=message.position, last_turn=message.turn, tokens=run.tokens + message.tokens
    )


@st.composite
def _round(draw: st.DrawFn, prefix: str) -> list[Message]:
    calls = tuple(
        ToolCall(f"{prefix}.{n}", "search", "{}", draw(TOKENS))
        for n in range(draw(st.integers(0, 3)))
    )
    text = "" if calls else "answer"
    tokens = draw(TOKENS) + sum(call.tokens for call in calls)
    results = [
        Message(0, Role.TOOL, "found", tool_call_id=call.id, tokens=draw(TOKENS))
        for call in draw(st.permutations(calls))
    ]
    return [Message(0, Role.ASSISTANT, text, calls, tokens=tokens), *results]


def _greeting() -> Message:
    return Message(0, Role.ASSISTANT, "hello", tokens=3)


def _system() -> Message:
    return Message(0, Role.SYSTEM, "be kind", tokens=7)
