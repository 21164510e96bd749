"""The panel's zones, in the order of the links to them. To add a zone, add a line here."""

from typing import Any

from chatapp.inspector.advice import ADVICE
from chatapp.inspector.cost.zone import COST
from chatapp.inspector.map.zone import MAP
from chatapp.inspector.raw.zone import RAW
from chatapp.inspector.settings import SETTINGS
from chatapp.inspector.summaries import SUMMARIES
from chatapp.inspector.timeline import TIMELINE
from chatapp.inspector.whatif.zone import WHAT_IF
from chatapp.inspector.window import WINDOW
from chatapp.inspector.zone import Zone

ZONES: tuple[Zone[Any], ...] = (
    ADVICE,
    SETTINGS,
    SUMMARIES,
    WINDOW,
    MAP,
    COST,
    WHAT_IF,
    TIMELINE,
    RAW,
)
