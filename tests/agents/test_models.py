import pytest
from django.core.exceptions import ValidationError
from django.db import IntegrityError

from agents.models import AgentTemplate, SiteDefaults
from tests.told import no_list, no_number, no_policy, no_processor, no_use


def complaints(instance):
    with pytest.raises(ValidationError) as refused:
        instance.full_clean()
    return refused.value.message_dict


def test_every_save_is_a_version(template):
    template.name = "Helper again"
    template.save()

    assert template.source == "agent helper v2"
    assert [v.version for v in template.versions.order_by("history_id")] == [1, 2]


@pytest.mark.parametrize(
    ("values", "complaint"),
    [
        pytest.param({"length": -1}, no_number("length", -1), id="range"),
        pytest.param({"policy": "LASTN"}, no_policy("policy", "LASTN"), id="case"),
        pytest.param({"length": True}, no_number("length", "True"), id="kind"),
    ],
)
@pytest.mark.parametrize("model", [AgentTemplate, SiteDefaults])
@pytest.mark.django_db
def test_a_bad_setting_names_itself_and_its_value(model, values, complaint):
    instance = model(history_settings=values)

    assert complaint in complaints(instance)["__all__"]


@pytest.mark.django_db
def test_the_site_may_not_set_what_belongs_to_a_model():
    said = complaints(SiteDefaults(history_settings={"context_window": 9_000}))

    assert said == {
        "__all__": [
            "context_window: can't be set by the site defaults, only by the server or an agent"
        ]
    }


@pytest.mark.django_db
def test_an_unknown_tool_is_refused():
    said = complaints(AgentTemplate(slug="a", name="A", tools=["gone", "calculator"]))

    assert said == {"tools": ["Unknown tools: gone."]}


@pytest.mark.parametrize(
    ("model", "complaint"),
    [
        pytest.param("large/model", "", id="known"),
        pytest.param("", "", id="the default"),
        pytest.param("gone/model", "gone/model: no such provider", id="unknown"),
    ],
)
@pytest.mark.django_db
def test_a_model_that_cannot_be_asked_is_refused(model, complaint):
    template = AgentTemplate(slug="a", name="A", model=model)

    if complaint:
        assert complaints(template) == {"model": [complaint]}
    else:
        template.full_clean()


@pytest.mark.django_db
def test_there_is_one_row_of_site_defaults(site):
    with pytest.raises(IntegrityError):
        SiteDefaults.objects.create()


@pytest.mark.parametrize(
    ("chain", "complaint"),
    [
        pytest.param(
            [{"use": "forgetter"}],
            lambda level: no_processor(level, 1, "forgetter"),
            id="unknown",
        ),
        pytest.param({"use": "x"}, no_list, id="no list"),
        pytest.param(
            ["token_limiter"],
            lambda level: no_use(level, 1),
            id="no object",
        ),
    ],
)
@pytest.mark.parametrize(
    ("instance", "level"),
    [(AgentTemplate(slug="a", name="A"), "agent"), (SiteDefaults(), "history")],
    ids=["template", "site"],
)
@pytest.mark.django_db
def test_a_bad_processor_is_refused_by_level_and_place(instance, level, chain, complaint):
    instance.processors = chain

    assert complaints(instance) == {"processors": [complaint(level)]}
