"""Make a request, and read the images that it needs."""

from chatapp.llm.images import digests_in
from chatapp.llm.request import LlmRequest
from history.services.media.reading import data_url
from history.services.planning.called import RequestParts


def llm_request(parts: RequestParts) -> LlmRequest:
    """Make the request from its planned parts and stored images. Call it in a database thread."""
    digests = sorted(digests_in(parts.messages))
    urls = {digest: url for digest in digests if (url := data_url(digest))}
    return LlmRequest(**vars(parts), media=urls)
