"""Find the plan of the request that a message answered."""

from history.core.plan.plan import Plan
from history.models import Branch, ContextPlan, Message
from history.services.path.reading import on_path


def plan_behind(branch: Branch, position: int) -> Plan | None:
    """Return the plan of the request that an assistant message on this path answered; None if there
    is none, as for an imported message.
    """
    answers = Message.objects.filter(on_path(branch, position), position=position)
    generation = answers.values_list("generation", flat=True).first()
    plans = ContextPlan.objects.filter(generation=generation, head=position - 1)
    record = plans.order_by("-step").first() if generation else None
    return record.core_plan if record else None
