"""The inspector's notes beside the map: warnings, and how full the window is."""

import re

from history.core.settings.layers import environment_layer
from history.services.path.marks import mark
from history.services.path.reading import message_at
from tests.chatapp.inspector.addresses import panel
from tests.chatapp.inspector.pages import text_of
from tests.factories import (
    actor_for,
    add_turn,
    branch_of,
)


def notes_of(owner, conversation):
    """Return the notes' HTML without icons, and without blanks between elements."""
    html = owner.get(panel(conversation)).content.decode()
    notes = re.search(r'<ul class="inspector-notes".*?</ul>', html, re.DOTALL)[0]
    return re.sub(r"<svg.*?</svg>|\s*\n\s*", "", notes, flags=re.DOTALL)


def test_what_is_lost_and_what_contradicts_is_a_warning(owner, conversation):
    conversation.history_settings = {"summarize": True, "policy": "lastN", "length": 1}
    conversation.save()
    add_turn(conversation)

    notes = notes_of(owner, conversation)

    assert re.search(
        r'<li class="warning">\d+ messages are neither sent nor summarised: 1\N{EN DASH}', notes
    )
    assert (
        '<li class="warning"> “History length” 1 (this chat) sends about 2 messages, but up to'
        in notes
    )


def test_the_window_says_what_the_history_may_cost(owner, conversation):
    plan = conversation.generations.get(turn=4).plans.get().plan

    text = text_of(owner.get(panel(conversation)))

    line = f"History: {plan['window']['history']} of {plan['budget']:,} tokens"
    assert line in text
    assert (
        f"History uses {plan['window']['history']} of its {plan['budget']:,}-token budget." in text
    )


def test_pins_stand_beside_the_budget(owner, conversation):
    pin = message_at(branch_of(conversation), 0)
    mark(actor_for(conversation), conversation.pk, pin.pk, "pin")
    plan = add_turn(conversation).plan
    used = plan["window"]["history"] - pin.tokens

    text = text_of(owner.get(panel(conversation)))
    assert (
        f"History: {used} of {plan['budget']:,} tokens, "
        f"plus {pin.tokens} for pinned and system messages" in text
    )
    assert (
        f"History uses {used} of its {plan['budget']:,}-token budget. "
        f"Pinned and system messages use {pin.tokens} more." in text
    )


def test_a_pin_without_effect_is_a_warning(owner, conversation, settings):
    settings.HISTORY_ENVIRONMENT = environment_layer({"DEFAULT_HISTORY_POLICY": "none"})
    pin = message_at(branch_of(conversation), 0)
    mark(actor_for(conversation), conversation.pk, pin.pk, "pin")
    add_turn(conversation)

    notes = notes_of(owner, conversation)

    assert (
        '<li class="warning">Pins have no effect because the server sets History policy '
        "to none." in notes
    )
