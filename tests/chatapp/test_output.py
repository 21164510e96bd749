"""Wherever they are entered, an agent's output limit, output reserve and effort must agree."""

import pytest

from agents.checks import check_environment, check_templates
from agents.effective import disagreements
from agents.models import AgentTemplate
from history.core.settings.layers import Layer
from history.core.settings.spec import LayerName
from history.services.access import Actor
from history.services.settings.layers import resolve_settings
from tests.agents.pages import add_page, errors, submit

CLAUDE = "anthropic/claude-sonnet-4-5"
SOURCE = "agent a v0"


def agent(limit=None, model=CLAUDE, **settings):
    return AgentTemplate(
        slug="a", name="A", model=model, output_limit=limit, history_settings=settings
    )


DISAGREEING = [
    pytest.param(
        agent(4_096, reasoning_effort="high"),
        f"“Reasoning effort” high ({SOURCE}) may use 4,096 tokens for thinking, which leaves no "
        f"room for an answer within “Output limit” 4,096 ({SOURCE}): lower “Reasoning effort” or "
        "raise “Output limit” above 4,096.",
        id="thinking within the limit",
    ),
    pytest.param(
        agent(reasoning_effort="low", output_reserve=1_000),
        f"“Reasoning effort” low ({SOURCE}) may use 1,024 tokens for thinking, which leaves no "
        f"room for an answer within “Output reserve” 1,000 ({SOURCE}): lower “Reasoning effort” or "
        "raise “Output reserve” above 1,024.",
        id="thinking within the reserve",
    ),
    pytest.param(
        agent(100_000),
        f"“Output limit” 100,000 ({SOURCE}) is more than the 64,000 that the model can write: "
        "lower “Output limit”.",
        id="more than the model writes",
    ),
    pytest.param(
        agent(9_000, output_reserve=8_000),
        f"“Output limit” 9,000 ({SOURCE}) is more than “Output reserve” 8,000 ({SOURCE}): "
        "lower “Output limit” or raise “Output reserve” to 9,000.",
        id="more than the reserve",
    ),
    pytest.param(
        agent(9_000, context_window=8_192),
        f"“Output limit” 9,000 ({SOURCE}) uses up all of “Context window” 8,192 ({SOURCE}): lower "
        "“Output limit” or raise “Context window”.",
        id="more than the window",
    ),
]
AGREEING = [
    agent(),
    agent(500),
    agent(4_097, reasoning_effort="high"),
    agent(reasoning_effort="max"),
    agent(500, reasoning_effort="none"),
    agent(500, "openai/gpt-5", reasoning_effort="high"),
]


@pytest.mark.parametrize(("template", "sentence"), DISAGREEING)
def test_a_contradiction_names_both_settings_their_layers_and_the_way_out(db, template, sentence):
    assert disagreements(template) == (sentence,)

    template.save()
    said = [warning.msg for warning in check_templates(["default"])]
    assert sentence.replace(" v0", " v1") in said


@pytest.mark.parametrize("template", AGREEING)
def test_what_agrees_is_not_refused(db, template):
    assert disagreements(template) == ()


@pytest.mark.parametrize(
    ("changes", "field"),
    [
        ({"output_limit": 100_000}, "output_limit"),
        ({"output_limit": 4_096, "history_reasoning_effort": "high"}, "history_reasoning_effort"),
    ],
)
def test_the_form_shows_it_at_its_field(admin_client, changes, field):
    response = submit(admin_client, add_page("agenttemplate"), name="A", model=CLAUDE, **changes)

    ((at, (sentence,)),) = errors(response).items()
    assert at == field
    assert "(this page)" in sentence
    assert not AgentTemplate.objects.exists()


@pytest.mark.agent(model=CLAUDE, output_limit=4_096)
@pytest.mark.turns(1)
def test_a_chat_cannot_set_it(owner, conversation):
    page = f"/chat/{conversation.pk}/memory"
    shown = owner.post(page, {"reasoning_effort": "high"}).content.decode()
    api = f"/api/conversations/{conversation.pk}"
    change = {"history_settings": {"reasoning_effort": "high"}}
    answer = owner.patch(api, change, content_type="application/json")

    conversation.refresh_from_db()
    assert conversation.history_settings == {}
    assert answer.status_code == 422
    for said in (shown, answer.json()["detail"]):
        assert "“Reasoning effort” high (this chat) may use 4,096 tokens" in said
        assert "“Output limit” 4,096 (agent demo v1)" in said
    assert owner.patch(
        api,
        {"history_settings": {"reasoning_effort": "medium"}},
        content_type="application/json",
    ).json()["history_settings"] == {"reasoning_effort": "medium"}


@pytest.mark.agent(model=CLAUDE, output_limit=4_096)
def test_a_chat_that_has_not_begun_cannot_either(owner, agent):
    query = f"?agent={agent.slug}"
    shown = owner.post(f"/chat/memory{query}", {"reasoning_effort": "high"}).content.decode()

    assert "“Reasoning effort” high (this chat) may use 4,096 tokens" in shown


def test_the_environment_is_checked_with_the_default_model(settings):
    settings.DEFAULT_MODEL = CLAUDE
    values = {"reasoning_effort": "high", "output_reserve": "4000"}
    settings.HISTORY_ENVIRONMENT = Layer(LayerName.ENVIRONMENT, "environment", values)

    (warning,) = check_environment()
    assert "“Reasoning effort” high (environment)" in warning.msg
    assert "“Output reserve” 4,000 (environment)" in warning.msg


@pytest.mark.parametrize(
    ("template", "reserve", "source"),
    [
        (agent(), 4_096, "built-in"),
        (agent(500), 500, "output limit"),
        (agent(reasoning_effort="high"), 8_192, "reasoning effort"),
        (agent(reasoning_effort="high", token_budget=10_000), 5_000, "reasoning effort"),
        (agent(8_000, reasoning_effort="high", output_reserve=9_000), 9_000, "agent a v0"),
    ],
)
def test_the_plan_reserves_what_the_answer_is_asked_for(db, template, reserve, source):
    winner = resolve_settings(template, Actor(), "")["output_reserve"].winner

    assert (winner.value, winner.source) == (reserve, source)
