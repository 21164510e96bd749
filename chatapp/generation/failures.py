"""Describe why an answer failed: a kind for programs, a sentence for people."""

import logging
from typing import TypeAlias
from uuid import UUID

from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from chatapp.llm.errors import ErrorKind, ProviderError
from history.core.errors import CannotPlan, SettingError
from history.core.storable import storable
from history.wording.faults import fault_of

logger = logging.getLogger(__name__)
Failure: TypeAlias = dict[str, str]  # `kind` and `message`.
INTERNAL = _("Something went wrong on the server. It was logged.")
STILL_TOO_LONG = _(
    "{model} rejected the request as too long, even after we cut the history to {percent}% of its"
    " budget. Lower the history length or its token budget, or set the agent's context window to"
    " what the model really accepts."
)
TOO_MANY_ROUNDS = _(
    "The model called tools for {n} rounds without answering, so we stopped. The tool results are"
    " kept: ask for an answer based on them, or raise TOOL_ROUNDS."
)
UNSTORED = _("Part of this answer could not be saved. The error was logged.")


def failure_of(error: BaseException, generation: UUID) -> Failure:
    """Describe an error. Log it if it was unexpected, or raised by an extension."""
    match error:
        case ProviderError():
            return {"kind": error.kind, "message": storable(error.message)}
        case CannotPlan():
            if error.__cause__:
                logger.error("Generation %s: %s", generation, error, exc_info=error)
            return {"kind": error.kind, "message": fault_of(error)}
        case SettingError():
            message = gettext("The agent's settings are no longer valid: {error}.")
            return {"kind": "settings", "message": message.format(error=fault_of(error))}
    logger.error("Generation %s failed", generation, exc_info=error)
    return {"kind": "internal", "message": str(INTERNAL)}


def unstored(error: BaseException, generation: UUID) -> Failure:
    """Describe a write that the database refused."""
    logger.error("Generation %s could not be stored", generation, exc_info=error)
    return {"kind": "unstored", "message": str(UNSTORED)}


def still_too_long(model: str, percent: int) -> ProviderError:
    message = STILL_TOO_LONG.format(model=model, percent=percent)
    return ProviderError(ErrorKind.CONTEXT_TOO_LONG, message)


def too_many_rounds(most: int) -> ProviderError:
    return ProviderError("tool_limit", TOO_MANY_ROUNDS.format(n=most))
