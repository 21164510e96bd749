"""An agent's page in the admin: its model is chosen from the known models, or typed."""

import re

import pytest

from agents.models import AgentTemplate
from tests.agents.pages import change_page, errors, submit
from tests.factories import make_agent

pytestmark = pytest.mark.django_db


def test_known_models_are_offered_with_what_they_can_do(admin_client, catalogue):
    catalogue.names = lambda: ["demo/mirror", "small/model"]
    page = admin_client.get(change_page(make_agent(model=""))).content.decode()

    assert '<datalist id="known-models">' in page
    assert 'list="known-models"' in page
    assert 'value="small/model"' in page
    assert re.search(
        r'<div data-part="model">\S+/\S+: ', page
    )  # The model's facts are in an element of their own, not in the field's help.


@pytest.mark.parametrize(
    ("typed", "told"),
    [("small/model", "small/model: "), ("", "large/model: "), ("nonsense/x", "</div>")],
)
def test_what_is_known_is_told_of_the_model_that_is_in_the_field(admin_client, typed, told):
    agent = make_agent(model="openai/gpt-4o")

    response = submit(admin_client, change_page(agent), model=typed, history_length="-1")

    assert f'<div data-part="model">{told}' in response.content.decode()


def test_other_models_are_names_one_per_line(admin_client):
    agent = make_agent(model="")

    submit(admin_client, change_page(agent), allowed_models="small/model\r\n\r\n tiny/model \n")

    assert AgentTemplate.objects.get().allowed_models == ["small/model", "tiny/model"]
    shown = admin_client.get(change_page(agent)).context["adminform"].form["allowed_models"]
    assert shown.value() == "small/model\ntiny/model"


@pytest.mark.parametrize(
    "names", ["nonsense/x", "small/model\nsmall/model", "http://evil.example/x"]
)
def test_what_cannot_be_called_is_refused_at_its_field(admin_client, names):
    response = submit(admin_client, change_page(make_agent(model="")), allowed_models=names)

    assert list(errors(response)) == ["allowed_models"]


def test_a_repeated_name_is_named(admin_client):
    twice = "small/model\ntiny/model\nsmall/model"
    response = submit(admin_client, change_page(make_agent(model="")), allowed_models=twice)

    sentence = "Listed more than once: small/model. Remove the repeated lines."
    assert errors(response) == {"allowed_models": [sentence]}


def test_the_api_lists_the_models_of_agents_on_offer(admin_client):
    make_agent(model="", allowed_models=["small/model"])
    make_agent("hidden", enabled=False, model="tiny/model")

    found = admin_client.get("/api/models").json()

    assert [model["name"] for model in found] == ["large/model", "small/model"]
    assert [model["is_known"] for model in found] == [False, False]  # Neither is in litellm's list.


def test_the_api_says_prices_and_what_is_unknown(admin_client):
    make_agent(model="", allowed_models=["openai/gpt-4o", "openai/not-yet-listed"])

    by_name = {model["name"]: model for model in admin_client.get("/api/models").json()}

    listed, unknown = by_name["openai/gpt-4o"], by_name["openai/not-yet-listed"]
    assert (listed["input_price"], listed["output_price"], listed["images"]) == ("2.5", "10", True)
    assert (unknown["input_price"], unknown["images"], unknown["tools"]) == (None, None, None)
