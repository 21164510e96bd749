"""Everything that is stored about a conversation, one file per family."""

from history.models.append_only import AppendOnlyError
from history.models.calibration import TokenCalibration
from history.models.checkpoint import Checkpoint, CheckpointState
from history.models.conversation import Branch, Conversation
from history.models.generation import (
    ACTIVE,
    DECIDED,
    OPEN,
    ApprovalKind,
    CallStage,
    Generation,
    GenerationEvent,
    GenerationStatus,
)
from history.models.media import Attachment, Media, Stray
from history.models.message import Message, MessageHash, MessageMark
from history.models.plan import CallFigures, ContextPlan, RequestOutcome, StoredText
from history.models.viewing import Viewing
from history.models.wire import SentRequest, SummaryWire, Wire

__all__ = [
    "ACTIVE",
    "DECIDED",
    "OPEN",
    "AppendOnlyError",
    "ApprovalKind",
    "Attachment",
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
    "Media",
    "Message",
    "MessageHash",
    "MessageMark",
    "RequestOutcome",
    "SentRequest",
    "StoredText",
    "Stray",
    "SummaryWire",
    "TokenCalibration",
    "Viewing",
    "Wire",
]
