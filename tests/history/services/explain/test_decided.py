"""Who set what left messages out: said on the first screen, whatever setting it was."""

import pytest

from history.services.explain.decided import decided
from tests.history.services.explain.test_cut import LAST_5, LONG, TOOLS, plan_of, without

pytestmark = pytest.mark.words


@pytest.mark.parametrize(
    ("plan", "said"),
    [
        pytest.param(plan_of(LONG), "", id="all is sent"),
        pytest.param(plan_of(LONG, exclusions=frozenset({4})), "", id="an exclusion"),
        pytest.param(plan_of(TOOLS, levels=without("search")), "", id="a processor"),
        pytest.param(plan_of(LONG, LAST_5), "Remembers the last 5 turns.", id="the policy"),
        pytest.param(
            plan_of(TOOLS, {"tool_results_keep": 1}),
            "Tool results kept in full: 1.",
            id="older results",
        ),
        pytest.param(
            plan_of(LONG, LAST_5 | {"max_items": 4}),
            "Remembers the last 5 turns. History window (items): 4.",
            id="two",
        ),
    ],
)
def test_each_setting_that_left_something_out_is_named_with_who_set_it(plan, said):
    sentences = decided(plan, "Demo").replace(" Set by the agent Demo.", "")

    assert sentences == said
