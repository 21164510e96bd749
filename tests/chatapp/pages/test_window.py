import pytest

from chatapp.pages.window import cut_of, gauge_of, panel_query
from history.core.layers import Layer
from history.core.projection import ProjectionRequest, project
from history.core.resolution import LayerName, resolve
from tests.transcripts import turns


def plan_of(**values):
    settings = resolve([Layer(LayerName.CONVERSATION, "conversation", values)])
    return project(turns(9), ProjectionRequest(settings)).plan


@pytest.mark.parametrize(
    ("values", "before", "count", "reason"),
    [
        ({"policy": "lastN", "length": 5}, 8, 8, "lastN 5 keeps turns 5\N{EN DASH}9"),
        ({"policy": "lastN", "length": 1}, 16, 16, "lastN 1 keeps turn 9"),
        ({"policy": "none"}, 16, 16, "policy none sends only the current turn"),
    ],
)
def test_the_cut_says_what_is_not_sent_and_why(values, before, count, reason):
    cut = cut_of(plan_of(**values), "?debug=true")

    assert (cut.before, cut.count, cut.reason) == (before, count, reason)


def test_there_is_no_cut_where_everything_is_sent():
    assert cut_of(plan_of(policy="all"), "?debug=true") is None


def test_the_gauge_counts_what_was_not_sent():
    plan = plan_of(policy="lastN", length=5)
    gauge = gauge_of(plan, "?debug=true")

    assert (gauge.sent, gauge.window, gauge.not_sent) == (
        plan.window.sent,
        plan.window.context_window,
        8,
    )


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
    assert panel_query(query, shown=False) == (closed or f"?{query}")
