"""Make a request with its images read from where they are kept."""

from chatapp.llm.images import digests_in
from chatapp.llm.request import LlmRequest
from history.services.media.reading import data_url
from history.services.planning.called import RequestParts


def llm_request(parts: RequestParts) -> LlmRequest:
    """Make the request of a plan's parts. Call it in a database thread."""
    named = sorted(digests_in(parts.messages))
    urls = {digest: url for digest in named if (url := data_url(digest))}
    return LlmRequest(**vars(parts), media=urls)
