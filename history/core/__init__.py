"""The engine that decides which messages a model is sent, and why: a transcript in, a projection
with its plan out.

These names are for whoever uses or extends the engine; README.md beside this file shows how. They
need the standard library alone, and keep their meaning when modules below them move.
"""

from history.core.draft.turn_sizes import TurnSize
from history.core.formats.openai_format import read_transcript
from history.core.plan.neutral_request import openai_messages
from history.core.projection.project import project
from history.core.projection.request import ProjectionRequest
from history.core.settings.registry import register_processor, register_pruner
from history.core.settings.resolution import settings_of
from history.core.stages.processors import parse_levels
from history.core.transcript.messages import Message, Role
from history.core.transcript.segments import Segment
from history.core.words.errors import CannotPlan

__all__ = [
    "CannotPlan",
    "Message",
    "ProjectionRequest",
    "Role",
    "Segment",
    "TurnSize",
    "openai_messages",
    "parse_levels",
    "project",
    "read_transcript",
    "register_processor",
    "register_pruner",
    "settings_of",
]
