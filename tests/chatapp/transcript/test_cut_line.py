import pytest

from chatapp.transcript import cut_line
from chatapp.transcript.cut_line import CutLine, Gauge, cut_of, gauge_of, newest_plan, panel_query
from history.core.projection.project import project
from history.core.projection.request import ProjectionRequest
from history.core.settings.layers import Layer
from history.core.settings.resolution import resolve
from history.core.settings.spec import LayerName
from history.core.summaries.checkpoints import Checkpoint
from tests.factories import add_turn, branch_of, make_conversation
from tests.told import last_turns
from tests.transcripts import turns


def plan_of(checkpoints=(), exclusions=frozenset(), **values):
    settings = resolve([Layer(LayerName.CONVERSATION, "conversation", values)])
    request = ProjectionRequest(settings, checkpoints=checkpoints, exclusions=exclusions)
    return project(turns(9), request).plan


def test_the_cut_stands_before_the_first_message_that_is_sent():
    cut = cut_of(plan_of(policy="lastN", length=5), "?debug=true")

    assert cut == CutLine(
        8,
        last_turns(5, left_out=8, by=LayerName.CONVERSATION),
        "?debug=true",
        source="this chat",
        takes_summaries=True,
    )


@pytest.mark.parametrize(
    ("values", "source", "takes_summaries"),
    [
        pytest.param(
            {"policy": "none"},
            "this chat (History policy), built-in (History length)",
            False,
            id="none",
        ),
        pytest.param({"policy": "all", "max_items": 4}, "this chat", True, id="a window"),
    ],
)
def test_the_cut_says_where_the_setting_comes_from(values, source, takes_summaries):
    cut = cut_of(plan_of(**values), "")

    assert (cut.source, cut.takes_summaries) == (source, takes_summaries)


def test_messages_that_only_a_summary_stands_for_were_cut_by_no_setting():
    point = Checkpoint(1, 0, 3, 1, 2, "They met.", 12, 40)

    assert cut_of(plan_of((point,), policy="all"), "").source == ""


@pytest.mark.parametrize(
    ("exclusions", "values", "before"),
    [
        pytest.param({6}, {"policy": "all"}, 6, id="one that is left out"),
        pytest.param({6, 9}, {"policy": "all"}, 6, id="two"),
        pytest.param({9}, {"policy": "lastN", "length": 7}, 4, id="some are cut off before it"),
    ],
)
def test_where_nothing_is_cut_off_it_stands_at_what_is_left_out(exclusions, values, before):
    cut = cut_of(plan_of(exclusions=frozenset(exclusions), **values), "")

    assert cut is not None
    assert cut.before == before


def test_there_is_no_cut_where_everything_is_sent():
    assert cut_of(plan_of(policy="all"), "?debug=true") is None


def test_the_gauge_tells_what_is_summarised_from_what_is_not_sent():
    point = Checkpoint(1, 0, 3, 1, 2, "They met.", 12, 40)
    plan = plan_of((point,), policy="lastN", length=5)
    gauge = gauge_of(plan, "?debug=true")

    assert (gauge.summarised, gauge.not_sent) == (4, 8)


def test_the_gauge_counts_what_was_not_sent():
    plan = plan_of(policy="lastN", length=5)
    gauge = gauge_of(plan, "?debug=true")

    assert (gauge.sent, gauge.limit, gauge.not_sent) == (
        plan.window.sent,
        plan.window.context_window,
        8,
    )


@pytest.mark.parametrize(("percent", "arc"), [(0.0, 2), (7.4, 7), (100.0, 100), (180.5, 100)])
def test_the_ring_is_never_empty_nor_more_than_full(percent, arc):
    assert Gauge(1, 1, percent, 0, 0, "").arc == arc


@pytest.mark.parametrize(
    ("query", "opened", "closed"),
    [
        ("", "?debug=true", "?"),
        ("agent=demo&historyLength=2", "?agent=demo&historyLength=2&debug=true", None),
        ("debug=true&agent=demo", "?agent=demo&debug=true", "?agent=demo"),
        ("?debug=false", "?debug=true", "?"),
    ],
)
def test_the_panel_opens_and_closes_with_the_rest_of_the_address_kept(query, opened, closed):
    assert panel_query(query) == opened
    assert panel_query(query, is_open=False) == (closed or f"?{query}")


@pytest.mark.django_db
@pytest.mark.parametrize("recent", [1, 50])
def test_the_newest_plan_is_that_of_the_open_branch_however_old(monkeypatch, recent):
    monkeypatch.setattr(cut_line, "RECENT", recent)
    conversation = make_conversation()
    record = add_turn(conversation)
    first = branch_of(conversation)
    conversation.branch = conversation.branches.create(lineage=first.fork_lineage(-1))
    others = [add_turn(conversation, "Said anew") for _ in range(2)]

    assert newest_plan(conversation) == others[-1]

    conversation.branch = first

    assert newest_plan(conversation) == record


@pytest.mark.django_db
def test_before_the_first_request_there_is_no_plan():
    assert newest_plan(make_conversation()) is None
