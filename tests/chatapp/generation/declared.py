"""What two requests really share, beside what their plans declare."""

from itertools import takewhile

from history.core.money.prefix import Prefix, Spot, shared_prefix
from history.core.plan.injected import OPENING, TOOL_SCHEMAS
from history.core.plan.neutral_request import in_order
from history.core.plan.verdict import Verdict
from history.core.settings.reduction import STABLE
from history.core.words.facts import Rule
from tests.chatapp.generation.bound_talk import Step

# The rules of limits in tokens, and of limits to the newest results, images and files. A message
# that they left out comes back when others have gone.
PASSING = {"budget", "token_limiter", "placeholders", "parts"}
TOOLS = -1  # The place of the tools, which providers read before all messages.


def shared(before: Step, after: Step) -> int:
    """Count the messages with which both requests begin."""
    if _tools(before) != _tools(after):
        return TOOLS
    pairs = zip(before.sent, after.sent, strict=False)
    return sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], pairs))


def declared(before: Step, after: Step) -> int:
    """Count the messages with which both requests begin according to their plans."""
    prefix = prefix_of(before, after)
    labels = [item.label for item in _items(before)]
    place = _place(before, prefix.was)
    # A difference behind an opening is declared where the window begins, although the opening goes.
    is_behind = place > 0 and labels[place - 1] == OPENING and place > shared(before, after)
    return place - is_behind


def prefix_of(before: Step, after: Step) -> Prefix:
    return shared_prefix(before.projection.plan, after.projection.plan)


def is_cut(before: Step, after: Step) -> bool:
    """Whether the later plan gives a reason why it sends the message of the first difference in
    another form, or not at all. That the model is to think again is such a reason. So is that a
    message is sent whole which did not fit before, or was not among the newest of its kind.
    """
    prefix = prefix_of(before, after)
    if prefix.first_difference is None or prefix.was is None:
        return True
    was_off, is_off = (s.projection.plan.reasoning.taking.foreign_loop for s in (before, after))
    if was_off != is_off and prefix.first_difference.rule is Rule.REASONING_AGAIN:
        return True
    if prefix.first_difference.rule is Rule.REASONING_LEFT:
        return bool(after.projection.plan.reasoning_unsent)
    was, now = _message_at(before, prefix.was), _message_at(after, prefix.now)
    if was is None:
        return False
    entry = after.projection.plan.entry_at(was)
    return _was_left_out(before, now) or (entry.verdict is not Verdict.KEPT and bool(entry.reasons))


def _message_at(step: Step, spot: Spot | None) -> int | None:
    """Return the position of the message at a place, or of the first one behind texts there."""
    items = _items(step)
    places = (item.position for item in items[_place(step, spot) :] if not item.label)
    return next(places, None)


def _was_left_out(step: Step, position: int | None) -> bool:
    if position is None or position >= len(step.path):
        return False
    return step.projection.plan.entry_at(position).rule in PASSING


def is_same_text(before: Step, after: Step) -> bool:
    """Whether a difference in the plans makes none in the texts: both plans alter a message by
    other settings, or two messages are equal. Plans contain no texts.
    """
    prefix = prefix_of(before, after)
    was, now = _message_at(before, prefix.was), _message_at(after, prefix.now)
    if was is None or was != now:
        return True
    plans = before.projection.plan, after.projection.plan
    return {plan.verdict_of(was) for plan in plans} == {Verdict.ALTERED}


def are_stable(before: Step, after: Step) -> bool:
    """Whether both requests were to begin alike."""
    return {step.request.settings.value("prefix") for step in (before, after)} == {STABLE}


def is_undisturbed(before: Step, after: Step) -> bool:
    """Whether nobody changed anything between two requests."""
    return _chosen(before) == _chosen(after)


def _chosen(step: Step) -> tuple[object, ...]:
    given = step.request
    prompt = given.injected[0].text
    chosen = given.settings, given.levels, given.checkpoints, given.tool_schema_digest
    return *chosen, prompt, given.pins, given.exclusions


def _place(step: Step, spot: Spot | None) -> int:
    items = _items(step)
    if spot is None:
        return len(items)
    if spot.label == TOOL_SCHEMAS:
        return TOOLS
    keys = [(None if item.label else getattr(item, "position", None), item.label) for item in items]
    return keys.index((spot.position, "" if spot.position is not None else spot.label))


def _items(step: Step) -> list:
    return in_order(step.projection.messages, step.projection.injected)


def _tools(step: Step) -> str:
    return step.request.tool_schema_digest
