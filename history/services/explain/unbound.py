"""A warning on bound reasoning that a request leaves out."""

from history.core.plan.plan import Plan
from history.services.summaries.numbers import SummaryNumbers
from history.wording.differences import unbound_messages
from history.wording.notes import WordedNote


def unbound_notes(plan: Plan, numbers: SummaryNumbers) -> tuple[WordedNote, ...]:
    """Warn of reasoning that is left out because something before it has changed, and say what. No
    note, if there is none.
    """
    changes = [*numbers.rule(plan.reasoning).unbound.values()]
    if not changes:
        return ()
    return (WordedNote(unbound_messages(changes, plan.settings), is_warning=True),)
