"""Import litellm on first use and set it up once: it is slow to import, and logs too much."""

import logging
from functools import cache
from typing import Any


@cache
def litellm() -> Any:
    import litellm as library  # noqa: PLC0415 -- 2 s and 160 MB that only a model call may cost

    from chatapp.llm.mirror.provider import PROVIDER  # noqa: PLC0415 -- imports litellm as well

    library.telemetry = False
    library.suppress_debug_info = True
    library.drop_params = True
    # Its wrapper treats 100 equal chunks as an error. (It exports the name, though not to mypy.)
    library.REPEATED_STREAMING_CHUNK_LIMIT = 10**9  # type: ignore[attr-defined]
    library.custom_provider_map = [PROVIDER]
    logging.getLogger("LiteLLM").setLevel(logging.CRITICAL)  # It logs what providers said.
    return library
