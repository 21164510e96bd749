"""All that is stored about a conversation, with a file for each family of models."""

from history.models.advice import Advice
from history.models.append_only import AppendOnlyError
from history.models.calibration import TokenCalibration
from history.models.checkpoint import Checkpoint, CheckpointState
from history.models.conversation import Branch, Conversation
from history.models.file_record import FileRecord
from history.models.follow_up import FollowUp
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
from history.models.imports import UNFINISHED, Import, ImportEntry, ImportState
from history.models.media import Attachment, Media, Stray
from history.models.message import Message, MessageHash, MessageMark
from history.models.plan import (
    BackgroundResponse,
    CallFigures,
    ContextPlan,
    RequestOutcome,
    StoredText,
)
from history.models.viewing import Viewing
from history.models.wire import SentRequest, SummaryWire, Wire

__all__ = [
    "ACTIVE",
    "DECIDED",
    "OPEN",
    "UNFINISHED",
    "Advice",
    "AppendOnlyError",
    "ApprovalKind",
    "Attachment",
    "BackgroundResponse",
    "Branch",
    "CallFigures",
    "CallStage",
    "Checkpoint",
    "CheckpointState",
    "ContextPlan",
    "Conversation",
    "FileRecord",
    "FollowUp",
    "Generation",
    "GenerationEvent",
    "GenerationStatus",
    "Import",
    "ImportEntry",
    "ImportState",
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
