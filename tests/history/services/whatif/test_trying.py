"""A try plans one request under other settings with the app's own planner, and stores nothing."""

import pytest

from history.core.plan.neutral_request import canonical
from history.core.words.errors import SettingError, SettingErrors
from history.core.words.facts import Rule, fact
from history.models import ContextPlan, Generation, StoredText
from history.services.explain.lookup import shown_plan
from history.services.path.marks import mark
from history.services.whatif.trying import Variant, present, recorded, try_variants
from tests.factories import actor_for, add_plan, begin_turn

SETTINGS = {"policy": "lastN", "length": 2}
pytestmark = [
    pytest.mark.django_db,
    pytest.mark.agent(model="large/model", history_settings=SETTINGS),
    pytest.mark.turns(5),
]


def of_turn(conversation, turn):
    return recorded(shown_plan(conversation, turn))


def test_without_a_change_a_request_is_what_was_recorded(conversation):
    record = shown_plan(conversation, 4)

    as_it_is, same = try_variants(recorded(record), [Variant("same")])

    assert canonical(same.plan.as_dict()) == canonical(as_it_is.plan.as_dict())
    assert as_it_is.plan.as_dict() == record.plan
    assert (same.prediction, same.changes) == (as_it_is.prediction, ())


def test_a_variant_says_which_messages_change_and_why(conversation):
    _, more = try_variants(of_turn(conversation, 4), [Variant(settings={"length": 3})])

    (change,) = more.changes
    assert (change.first, change.last, change.was, change.now) == (2, 3, "T", "K")
    assert more.plan.settings["length"].winner.source == "what if"


def test_a_window_that_slides_costs_more_than_one_that_grows(conversation):
    slides, grows = try_variants(of_turn(conversation, 4), [Variant(settings={"policy": "all"})])

    assert slides.prediction.first_difference == fact(Rule.WINDOW_MOVED, by="turn", was=2, now=3)
    assert grows.prediction.first_difference is None
    assert grows.prediction.cache_read > slides.prediction.cache_read
    assert grows.prediction.money < slides.prediction.money


def test_another_model_has_its_own_window_and_prices(conversation):
    as_it_is, other = try_variants(of_turn(conversation, 4), [Variant(model="small/model")])

    assert other.plan.window.context_window == 16_000
    assert other.prediction.money == (
        other.prediction.fresh * as_it_is.prediction.money.__class__("0.001")
        + other.prediction.output * as_it_is.prediction.money.__class__("0.002")
    )


def test_other_processors_are_tried(conversation):
    levels = {"history": [{"use": "token_limiter", "limit": 1}]}

    _, limited = try_variants(of_turn(conversation, 4), [Variant(processors=levels)])

    assert {entry.verdict for entry in limited.plan.entries if entry.level == "history"} == {"F"}


def test_what_would_not_fit_is_said(conversation):
    _, tight = try_variants(
        of_turn(conversation, 4), [Variant(settings={"context_window": 512, "output_reserve": 500})]
    )

    assert tight.plan is None
    assert tight.refused


def test_settings_that_cannot_all_hold_are_named(conversation):
    _, odd = try_variants(of_turn(conversation, 4), [Variant(settings={"keep_recent": 200})])

    assert len(odd.conflicts) == 1


@pytest.mark.parametrize(
    ("variant", "error", "named"),
    [
        pytest.param(Variant(settings={"size": 1}), SettingErrors, "size", id="a name"),
        pytest.param(Variant(settings={"length": -1}), SettingErrors, "length", id="a value"),
        pytest.param(
            Variant(processors={"history": [{"use": "magic"}]}), SettingError, "magic", id="chain"
        ),
        pytest.param(Variant(model="no/such"), SettingError, "model=no/such", id="model"),
    ],
)
def test_a_variant_that_cannot_be_is_refused_by_name(conversation, variant, error, named):
    with pytest.raises(error, match=named):
        try_variants(of_turn(conversation, 4), [variant])


def test_the_past_is_planned_with_the_marks_of_that_time(conversation):
    message = conversation.branch.messages.get(position=4)
    mark(actor_for(conversation), conversation.pk, message.pk, "exclusion")

    _, then = try_variants(of_turn(conversation, 4), [Variant(settings={"policy": "all"})])
    _, now = try_variants(present(conversation), [Variant(settings={"policy": "all"})])

    assert (then.plan.verdict_of(4), now.plan.verdict_of(4)) == ("K", "X")


def test_a_later_step_keeps_the_window_of_its_generation(conversation):
    generation = begin_turn(conversation)
    add_plan(generation)
    record = add_plan(generation, step=2)

    _, same = try_variants(recorded(record), [Variant()])

    assert same.plan.as_dict() == record.plan


def test_nothing_is_stored(conversation):
    def rows():
        return [model.objects.count() for model in (ContextPlan, Generation, StoredText)]

    before = rows()

    try_variants(
        present(conversation), [Variant(settings={"policy": "all"}), Variant(model="small/model")]
    )

    assert rows() == before


def test_the_number_of_queries_does_not_grow(conversation, django_assert_max_num_queries):
    record = shown_plan(conversation, 4)
    with django_assert_max_num_queries(40):
        try_variants(recorded(record), [Variant(settings={"policy": "all"})])
