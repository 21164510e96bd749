"""Settings and projections, as a test wants them."""

from history.core.kinds import Value
from history.core.messages import Transcript
from history.core.plan import Plan
from history.core.projection import Projection, ProjectionRequest, project
from history.core.resolution import Layer, LayerName, Settings, resolve


def settings_of(**values: Value) -> Settings:
    return resolve([Layer(LayerName.TEMPLATE, "template demo v1", values)])


def projected(transcript: Transcript, **values: Value) -> Projection:
    return project(transcript, ProjectionRequest(settings_of(**values)))


def verdicts(plan: Plan) -> str:
    """One letter per message, in order; a gap would show as a missing letter."""
    return "".join(str(entry.verdict) * entry.count for entry in plan.entries)
