from agents.models import AgentTemplate, SiteDefaults
from agents.networks.reach import reach_of
from agents.snapshot import snapshot
from history.core.stages.processors import parse_levels
from history.core.words.facts import Rule, warning


def test_an_agent_reaches_every_other_member_and_never_itself(network, agents):
    transfers = reach_of(agents["bob"], network, may_ask=True).transfers

    assert [(t.tool, t.agent, t.name) for t in transfers] == [
        ("transfer_to_ada", "ada", "Ada"),
        ("transfer_to_eve", "eve", "Eve"),
    ]


def test_a_member_that_is_gone_is_left_out_and_told(network, agents):
    agents["eve"].delete()

    reach = reach_of(agents["ada"], network, may_ask=True)

    assert [t.agent for t in reach.transfers] == ["bob"]
    assert reach.notes == (warning(Rule.AGENT_UNKNOWN, slug="eve"),)


def test_the_levels_apply_in_order(network, agents):
    """This is the example of feature F23 in docs/history.md."""
    SiteDefaults.objects.create(processors=[{"use": "tool_call_filter", "exclude": ["debug_tool"]}])
    network.processors = [{"use": "token_limiter", "limit": 16_000}]
    agents["ada"].processors = [{"use": "tool_call_filter"}]

    chain = parse_levels(snapshot(agents["ada"], network=network).processors)

    assert [(link.level, link.name) for link in chain] == [
        ("history", "tool_call_filter"),
        ("network", "token_limiter"),
        ("agent", "tool_call_filter"),
    ]


def test_outside_a_network_an_agent_reaches_nobody(agents):
    alone = snapshot(AgentTemplate.objects.get(slug="ada"))

    assert (alone.network, alone.transfers) == (None, ())


def test_a_snapshot_costs_one_query_more_in_a_network(network, agents, django_assert_num_queries):
    with django_assert_num_queries(1):
        snapshot(agents["ada"])
    with django_assert_num_queries(2):
        snapshot(agents["ada"], network=network)


def test_an_agent_may_ask_those_that_its_template_names(agents):
    agents["ada"].asks = ["eve", "zoe"]

    reach = reach_of(agents["ada"], None, may_ask=True)

    assert [(d.tool, d.agent, d.name) for d in reach.delegates] == [("ask_eve", "eve", "Eve")]
    assert reach.notes == (warning(Rule.AGENT_UNKNOWN, slug="zoe"),)


def test_the_last_agent_of_a_chain_cannot_delegate_and_the_plan_says_so(agents):
    agents["ada"].asks = ["eve"]

    reach = reach_of(agents["ada"], None, may_ask=False)

    assert reach.delegates == ()
    assert reach.notes == (warning(Rule.AGENTS_TOO_DEEP),)
