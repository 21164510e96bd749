"""A template's context in the admin, in its versions, in its file and in `manage.py check`."""

import pytest
from django.core import checks

from agents.checks import check_templates
from agents.files.fields import document
from agents.models import AgentTemplate
from tests.agents.pages import change_page, errors, submit

pytestmark = pytest.mark.django_db

DATE = [{"name": "date", "text": "Today is {date}."}]


def test_the_context_is_a_field_of_the_page_and_versioned(admin_client, template):
    submit(admin_client, change_page(template), context='[{"name": "date", "text": "{date}"}]')
    submit(admin_client, change_page(template))

    now = AgentTemplate.objects.get()
    assert now.context == [{"name": "date", "text": "{date}"}]
    assert [v.context for v in now.versions.order_by("history_id")][:2] == [[], now.context]


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ('[{"name": "a", "text": "{mood}"}]', "Text: unknown placeholder {mood}; use "),
        ('[{"use": "gone"}]', "Unknown function; available: none; "),
        ('{"use": "gone"}', "Must be a list of at most 20 entries."),
        ("[", "This text is not JSON: Expecting value"),
    ],
)
def test_a_bad_one_is_an_error_at_its_field(admin_client, template, providers, text, complaint):
    response = submit(admin_client, change_page(template), context=text)

    ((message,),) = errors(response).values()
    assert message.startswith(complaint)
    assert AgentTemplate.objects.get().version == 1


def test_the_context_is_exported_with_the_agent(template):
    template.context = DATE

    (agent,) = document([template])["agents"]
    assert agent["context"] == DATE


def test_a_provider_that_is_gone_is_a_warning(template, providers):
    AgentTemplate.objects.update(context=[{"use": "gone"}])

    (warning,) = check_templates(["default"])

    assert isinstance(warning, checks.Warning)
    assert warning.msg.startswith("context, 1: unknown function; available: none; ")
