"""Which models bind what they think to everything that precedes it. This uses no network.

Such a model takes a block of reasoning back only if system text, tools and messages before it are
those that it was written after; docs/reasoning.md tells what happens otherwise. Providers say of
each version of a model whether it binds.
"""

import re
from collections.abc import Mapping

from chatapp.llm.providers.responses import API_PREFIX, Version, gpt_in

CLAUDE = re.compile(r"claude-(?P<line>[a-z]+)-(?P<major>\d{1,2})(?:[-.](?P<minor>\d{1,2}))?(?!\d)")
FIRST_GPT: Version = (5, 6)
FIRST: Mapping[str, Version] = {  # The first version of each line that binds.
    "fable": (5, 1),
    "mythos": (5, 1),
    "opus": (5, 5),
    "sonnet": (5, 5),
    "haiku": (5, 5),
}


def bound_to(name: str) -> str:
    """Return the model's own name, whoever sells it, if it binds its reasoning; else nothing.

    `name` is the one by which litellm is asked for the model: OpenAI's models bind only reasoning
    of the Responses API.
    """
    return _bound_gpt(name) if f"/{API_PREFIX}" in name else _bound_claude(name)


def _bound_gpt(name: str) -> str:
    model = gpt_in(name)
    return model.name if model and model.version >= FIRST_GPT else ""


def _bound_claude(name: str) -> str:
    match = CLAUDE.search(name)
    if match is None or match["line"] not in FIRST:
        return ""
    version = int(match["major"]), int(match["minor"] or 0)
    return match[0].replace(".", "-") if version >= FIRST[match["line"]] else ""
