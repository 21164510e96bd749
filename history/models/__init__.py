"""Everything that is stored about a conversation, one file per family."""

from history.models.append_only import AppendOnlyError
from history.models.approval import DECIDED, ApprovalKind, CallStage
from history.models.calibration import TokenCalibration
from history.models.checkpoint import Checkpoint, CheckpointState
from history.models.conversation import Branch, Conversation
from history.models.generation import ACTIVE, OPEN, Generation, GenerationEvent, GenerationStatus
from history.models.mark import MessageMark
from history.models.message import Message
from history.models.plan import ContextPlan, RequestOutcome, StoredText
from history.models.usage import CallFigures
from history.models.viewing import Viewing

__all__ = [
    "ACTIVE",
    "DECIDED",
    "OPEN",
    "AppendOnlyError",
    "ApprovalKind",
    "Branch",
    "CallFigures",
    "CallStage",
    "Checkpoint",
    "CheckpointState",
    "ContextPlan",
    "Conversation",
    "Generation",
    "GenerationEvent",
    "GenerationStatus",
    "Message",
    "MessageMark",
    "RequestOutcome",
    "StoredText",
    "TokenCalibration",
    "Viewing",
]
