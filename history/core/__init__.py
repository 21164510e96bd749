"""The engine that decides which messages a model is sent, and why: it makes a projection of a
transcript, with a plan that gives the reasons.

Programs that use or extend the engine import the names below; README.md in this folder shows how.
These names need only the standard library, and keep their meaning when modules are moved.
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
