"""The API's what-if is for the owner only, checks its input, and stores nothing."""

import pytest

from history.models import ContextPlan
from history.wording.plans import worded_plan

pytestmark = [
    pytest.mark.django_db,
    pytest.mark.agent(history_settings={"policy": "lastN", "length": 2}),
    pytest.mark.turns(4),
]


@pytest.fixture
def ask(client, conversation):
    session = client.session
    session["visitor"] = conversation.visitor
    session.save()

    def post(**body):
        path = f"/api/conversations/{conversation.pk}/what-if"
        return client.post(path, body, content_type="application/json")

    return post


def test_one_request_under_two_variants(ask, conversation):
    body = ask(
        turn=3,
        variants=[{"name": "more", "settings": {"length": 3}}, {"settings": {"policy": "none"}}],
    ).json()

    as_it_is, more, none = body["tried"]
    record = conversation.generations.get(turn=3).plans.get()
    assert (body["stored"], body["replays"]) == (False, [])
    assert as_it_is["plan"] == worded_plan(record.plan)
    assert [found["name"] for found in body["tried"]] == ["as it is", "more", "variant 2"]
    assert [found["plan"]["counts"]["sent"] for found in body["tried"]] == [3, 5, 1]
    assert [(c["first"], c["count"], c["was"], c["now"]) for c in more["changes"]] == [
        (0, 2, "T", "K")
    ]
    assert none["prediction"]["money"] == "0"  # The mirror model is free.


def test_what_would_be_sent_now(ask):
    (as_it_is,) = ask(variants=[]).json()["tried"]

    assert as_it_is["plan"]["counts"]["transcript"] == 8


def test_the_whole_conversation(ask):
    body = ask(replay=True, variants=[{"name": "all", "settings": {"policy": "all"}}]).json()

    as_it_is, every = body["replays"]
    assert [step["turn"] for step in every["steps"]] == [1, 2, 3, 4]
    assert [step["changed"] for step in every["steps"]] == [0, 0, 2, 4]
    assert [step["changed"] for step in as_it_is["steps"]] == [0, 0, 0, 0]
    assert every["sent"] == sum(step["sent"] for step in every["steps"]) > as_it_is["sent"]
    assert body["tried"] == []


def test_a_replay_counts_what_would_be_refused(ask):
    small = {"context_window": 512, "output_reserve": 500}

    as_it_is, refused = ask(replay=True, variants=[{"settings": small}]).json()["replays"]

    assert (as_it_is["requests"], as_it_is["refusals"], as_it_is["money"]) == (4, 0, "0")
    assert (refused["requests"], refused["refusals"], refused["money"]) == (4, 4, None)


@pytest.mark.parametrize("replay", [False, True], ids=["one request", "all"])
def test_who_may_not_know_the_cost_is_told_none(ask, settings, replay):
    settings.OWNERS_SEE_COST = False

    body = ask(replay=replay, variants=[]).content.decode()

    assert '"money": null' in body
    assert '"money": "' not in body


BAD = {
    "a setting's name": ({"variants": [{"settings": {"size": 1}}]}, "size: no such setting"),
    "a setting's value": ({"variants": [{"settings": {"length": -1}}]}, "length=-1: must be"),
    "a model": ({"variants": [{"model": "no/such"}]}, "model=no/such"),
    "a processor": ({"variants": [{"processors": {"agent": [{"use": "x"}]}}]}, "x"),
    "five variants": ({"variants": [{}] * 5}, "variants"),
    "a role": ({"variants": [], "messages": []}, "messages"),
    "too many turns": ({"variants": [], "replay": True, "turns": 5_000}, "turns"),
}


@pytest.mark.parametrize(("body", "said"), BAD.values(), ids=BAD)
def test_a_bad_value_is_refused_by_name(ask, body, said):
    answer = ask(**body)

    assert (answer.status_code, said in answer.content.decode()) == (422, True)


def test_a_turn_without_a_plan_is_not_found(ask):
    assert ask(turn=9, variants=[]).status_code == 404


def test_another_persons_conversation_is_not_found(client, conversation):
    session = client.session
    session["visitor"] = "b" * 32
    session.save()
    path = f"/api/conversations/{conversation.pk}/what-if"

    assert client.post(path, {"variants": []}, content_type="application/json").status_code == 404


def test_nothing_is_stored(ask):
    before = ContextPlan.objects.count()

    ask(replay=True, variants=[{"settings": {"policy": "all"}}])
    ask(variants=[{"settings": {"policy": "all"}}])

    assert ContextPlan.objects.count() == before


@pytest.mark.parametrize(
    ("asked", "useless"),
    [
        pytest.param({"step": 0}, "step", id="a step of nothing"),
        pytest.param({"turns": 3}, "turns", id="turns of one request"),
        pytest.param(
            {"replay": True, "turn": 3, "step": 1}, "turn, step", id="one request of a replay"
        ),
    ],
)
def test_what_would_change_nothing_is_refused(ask, asked, useless):
    answer = ask(variants=[], **asked)

    assert (answer.status_code, answer.json()["code"]) == (422, "invalid")
    assert answer.json()["detail"].partition(":")[0] == useless


def test_settings_that_contradict_each_other_are_named(ask):
    variant = {"settings": {"keep_recent": 100}}

    for replay, name in ((False, "tried"), (True, "replays")):
        _, changed = ask(variants=[variant], replay=replay).json()[name]
        assert changed["conflicts"][0].startswith("“Recent messages not summarised” 100 (what-if) ")
        assert "“Summarise at” 100 (" in changed["conflicts"][0]


def test_a_summary_model_that_cannot_be_asked_is_named(ask):
    variant = {"settings": {"policy": "all", "summarize": True, "summary_model": "nope/nope"}}

    for replay, name in ((False, "tried"), (True, "replays")):
        _, changed = ask(variants=[variant], replay=replay).json()[name]
        (sentence,) = changed["conflicts"]
        assert sentence.startswith("“Summary model” nope/nope (what-if) can't be used: no such")
