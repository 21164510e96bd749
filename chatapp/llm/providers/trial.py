"""Try whether a model answers: one tiny request, without retries."""

from contextlib import aclosing
from dataclasses import dataclass
from time import perf_counter

from chatapp.llm.chunks import TextDelta
from chatapp.llm.client import stream
from chatapp.llm.errors import ProviderError
from chatapp.llm.request import LlmRequest
from chatapp.llm.retries import RETRIES, Attempts, Deadlines

QUESTION = [{"role": "user", "content": "Reply with the single word: ready"}]
MOST_TOKENS = 200  # Some models think first.
LONGEST = 200  # Characters of the answer.
PATIENCE = Deadlines(first_token=20, idle=20, total=30)


@dataclass(frozen=True, slots=True)
class Trial:
    """What came back, or why nothing did."""

    text: str
    refusal: str
    milliseconds: int


async def tried(model: str) -> Trial:
    started = perf_counter()
    text = refusal = ""
    request = LlmRequest(model, QUESTION, max_tokens=MOST_TOKENS)
    try:
        async with aclosing(stream(request, PATIENCE, Attempts(made=RETRIES))) as chunks:
            async for chunk in chunks:
                text += chunk.text if isinstance(chunk, TextDelta) else ""
    except ProviderError as error:
        refusal = error.message
    return Trial(text[:LONGEST], refusal, round((perf_counter() - started) * 1000))
