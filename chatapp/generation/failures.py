"""Describe why an answer failed: a kind for programs, a sentence for people."""

import logging
from typing import TypeAlias
from uuid import UUID

from chatapp.llm.errors import ErrorKind, ProviderError
from history.core.errors import CannotPlan, SettingError
from history.core.storable import storable
from history.wording.faults import fault_of

logger = logging.getLogger(__name__)
Failure: TypeAlias = dict[str, str]  # `kind` and `message`.
INTERNAL = "Something went wrong on the server. It has been logged."
STILL_TOO_LONG = (
    "{model} found the request too long, and again after it was planned anew with {percent} % of"
    " the budget. Send less history: lower its length or its token budget, or set the agent's"
    " context window to what the model really takes."
)
TOO_MANY_ROUNDS = (
    "The model called tools for {} rounds and had still not answered, so it was ended there. What"
    " the tools said is kept: ask for an answer from that, or raise TOOL_ROUNDS."
)
UNSTORED = "A part of this answer could not be stored. It has been logged."


def failure_of(error: BaseException, generation: UUID) -> Failure:
    """Describe an error. Log it if it was unexpected, or raised by an extension."""
    match error:
        case ProviderError():
            return {"kind": error.kind, "message": storable(error.message)}
        case CannotPlan():
            if error.__cause__:
                logger.error("Generation %s: %s", generation, error, exc_info=error)
            return {"kind": error.kind, "message": str(error)}
        case SettingError():
            message = f"The agent's settings can no longer be used: {fault_of(error)}."
            return {"kind": "settings", "message": message}
    logger.error("Generation %s failed", generation, exc_info=error)
    return {"kind": "internal", "message": INTERNAL}


def unstored(error: BaseException, generation: UUID) -> Failure:
    """Describe a write that the database refused."""
    logger.error("Generation %s could not be stored", generation, exc_info=error)
    return {"kind": "unstored", "message": UNSTORED}


def still_too_long(model: str, percent: int) -> ProviderError:
    message = STILL_TOO_LONG.format(model=model, percent=percent)
    return ProviderError(ErrorKind.CONTEXT_TOO_LONG, message)


def too_many_rounds(most: int) -> ProviderError:
    return ProviderError("tool_limit", TOO_MANY_ROUNDS.format(most))
