"""Try whether a model answers, by one tiny request without retries."""

from contextlib import aclosing
from dataclasses import dataclass, field
from time import perf_counter

from chatapp.llm.chunks import TextDelta
from chatapp.llm.client import stream
from chatapp.llm.errors import ProviderError
from chatapp.llm.request import LlmRequest
from chatapp.llm.retries import Attempts, Deadlines
from history.core.wire.request import Outgoing

QUESTION = [{"role": "user", "content": "Reply with the single word: ready"}]
MOST_TOKENS = 200  # The most tokens of the answer: some models think before they answer.
LONGEST = 200  # The most characters of the answer that are shown.
PATIENCE = Deadlines(first_token=20, idle=20, total=30)


@dataclass(frozen=True, slots=True)
class Trial:
    """The result of a trial: the answer, or why there was none, and the request as it was sent."""

    text: str
    refusal: str
    milliseconds: int
    outgoing: Outgoing = field(default_factory=Outgoing)


async def try_model(model: str) -> Trial:
    started = perf_counter()
    text = refusal = ""
    request = LlmRequest(model, QUESTION, max_tokens=MOST_TOKENS)
    outgoing = Outgoing(request.body())
    attempts = Attempts(most=1, sent=outgoing.sent)
    try:
        async with aclosing(stream(request, PATIENCE, attempts)) as chunks:
            async for chunk in chunks:
                text += chunk.text if isinstance(chunk, TextDelta) else ""
    except ProviderError as error:
        refusal = error.message
    milliseconds = round((perf_counter() - started) * 1000)
    return Trial(text[:LONGEST], refusal, milliseconds, outgoing)
