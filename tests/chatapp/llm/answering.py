"""Ask the fake provider through each client, and return all that comes back."""

from chatapp.llm import client
from chatapp.llm.errors import ProviderError
from chatapp.llm.request import LlmRequest
from chatapp.llm.retries import Deadlines

# Asked without litellm; by litellm through the openai library; by litellm alone.
DIRECT, LISTED, WRAPPED = "openai/fake", "openai/gpt-4o", "hosted_vllm/fake"
PATIENT = Deadlines(first_token=20, idle=20, total=20, retry_pause=0)


def request_to(model, **fields):
    return LlmRequest(model, [{"role": "user", "content": "Hello"}], **fields)


async def answer(model, deadlines=PATIENT, attempts=None, **fields):
    """Return all chunks of an answer, and the error that ended it, if any."""
    chunks = []
    try:
        async for chunk in client.stream(request_to(model, **fields), deadlines, attempts):
            chunks.append(chunk)  # noqa: PERF401 -- an error keeps what came before it
    except ProviderError as error:
        return chunks, error
    return chunks, None
