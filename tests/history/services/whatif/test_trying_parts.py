"""What-if and replay of turns with images, a file and reasoning; API and terminal agree."""

import json
from io import StringIO

import pytest
from django.core.management import call_command

from history.core.transcript.parts import Reasoning, ReasoningForm
from history.core.transcript.reasoning_accepted import ReasoningAccepted
from history.services.explain.lookup import shown_plan
from history.services.path.appending import append, assistant_message, user_message
from history.services.whatif.replaying import replayed
from history.services.whatif.trying import Variant, recorded, try_variants
from history.wording.differences import difference_of
from tests.factories import add_plan, begin_turn, branch_of, end_turn
from tests.history.services.explain.map.test_parts import paper, picture

pytestmark = [
    pytest.mark.django_db,
    pytest.mark.agent(model="large/model", history_settings={"policy": "all"}),
]
THOUGHT = Reasoning(ReasoningForm.TEXT, "Which one is older?", "demo", tokens=1_204)
USED = {"prompt": 2_000, "completion": 1_210}
ONE = {"images_keep": 1}
EACH = 1_087  # An image's tokens for an unknown model.
NAMES = ["images", "files", "reasoning"]


@pytest.fixture
def talked(conversation, catalogue):
    """Make a first turn with two images, a PDF and a thought; the next two requests contain all of
    these but the thought.
    """
    catalogue.taking_of = lambda model, effort: ReasoningAccepted()
    parts = [picture("a.png"), picture("b.png"), paper()]
    append(branch_of(conversation), [user_message("Compare.", parts=parts)])
    append(branch_of(conversation), [assistant_message("The first.", parts=[THOUGHT])])
    for text in ("And now?", "Why?"):
        generation = begin_turn(conversation, text)
        add_plan(generation, usage=USED)
        end_turn(generation)
    return conversation


def sums(plan):
    return {name: getattr(plan.window, name) for name in NAMES}


def of_turn(conversation, turn, **settings):
    _, other = try_variants(recorded(shown_plan(conversation, turn)), [Variant(settings=settings)])
    return other


@pytest.mark.parametrize(
    ("values", "expected"),
    [
        pytest.param({}, (2 * EACH, paper().tokens, 0), id="as it was"),
        pytest.param(ONE, (EACH, paper().tokens, 0), id="one image"),
        pytest.param({"files_keep": 1}, (2 * EACH, paper().tokens, 0), id="the one file there is"),
        pytest.param({"reasoning_keep": 2}, (2 * EACH, paper().tokens, 1_204), id="reasoning"),
    ],
)
def test_each_setting_changes_what_it_names(talked, values, expected):
    as_it_was = shown_plan(talked, 3).core_plan
    found = of_turn(talked, 3, **values)

    assert tuple(sums(found.plan).values()) == expected
    more = sum(expected) - sum(sums(as_it_was).values())
    placeholder = sum(p.tokens for e in found.plan.entries for p in e.parts if p.omitted)
    assert found.plan.window.counted - as_it_was.window.counted == more + placeholder
    assert found.plan.window.context_window == sum(p.tokens for p in found.plan.window.parts())


def test_an_image_less_is_a_change_with_its_setting(talked):
    found = of_turn(talked, 3, **ONE)

    (change,) = found.changes
    assert (change.first, change.was, change.now) == (0, "K", "A")
    assert (change.entry.setting, change.entry.reasons[0].figures["count"]) == ("images_keep", 1)


@pytest.mark.words
def test_a_replay_leaves_the_image_out_of_every_later_turn(talked):
    """The first turn without the image costs more: messages behind it are no longer cached."""
    as_it_was, one = replayed(talked, [Variant("one", ONE)])

    images = [[step.plan.window.images for step in r.replay.steps] for r in (as_it_was, one)]
    assert images == [[2 * EACH] * 3, [2 * EACH, EACH, EACH]]
    differences = [step.prediction.first_difference for step in one.replay.steps]
    assert [d and difference_of(d) for d in differences] == [None, "message 1 was altered", None]
    assert one.replay.sent < as_it_was.replay.sent
    spent = [[step.prediction.money for step in r.replay.steps] for r in (as_it_was, one)]
    assert [now > was for was, now in zip(*spent, strict=True)] == [False, True, False]
    recorded_plan = shown_plan(talked, 3).core_plan
    assert as_it_was.replay.steps[-1].plan.entries == recorded_plan.entries


@pytest.mark.words
def test_program_and_terminal_say_the_same(talked, client):
    session = client.session
    session["visitor"] = talked.visitor
    session.save()
    path = f"/api/conversations/{talked.pk}/what-if"
    asked = {"turn": 3, "variants": [{"name": "what if", "settings": ONE}]}
    answer = client.post(path, asked, content_type="application/json").json()
    call_command(
        *("context", "explain", str(talked.pk), "--turn", "3", "--set", "images_keep=1", "--json"),
        stdout=(written := StringIO()),
    )

    told, said = json.loads(written.getvalue()), answer["tried"][1]
    assert told["plan"]["window"] == said["plan"]["window"]
    assert told["plan"]["entries"] == said["plan"]["entries"]
    assert told["changes"] == said["changes"]
    assert told["prediction"] == said["prediction"]
    (parts,) = [entry["parts"] for entry in said["plan"]["entries"] if entry["parts"]]
    assert [part["omitted"] for part in parts] == [True, False, False]
