"""Which models take a system message after others, so that all before it stays the same."""

import re

from chatapp.llm.providers.naming import litellm_name
from chatapp.llm.reasoning.families import CLAUDE, RESPONSES, family_of

OPENAI = re.compile(r"gpt-|chatgpt-|o\d")


def takes_new_prompts(model: str) -> bool:
    """Return whether litellm sends a later system message where it stands: to OpenAI's models as it
    is, to Claude as a system message or, if the model takes none there, as a note in the user's
    name. Other models that speak OpenAI's protocol may refuse such a message.
    """
    family, name = family_of(model), litellm_name(model).rpartition("/")[2]
    is_openai = family in {"openai", "azure", RESPONSES} and OPENAI.match(name) is not None
    return is_openai or family in {CLAUDE, "demo"}
