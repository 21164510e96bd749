"""Experiments by the API: refusals, and their codes."""

import pytest
from django.utils import timezone

from history.models import Generation
from history.services.explain.lookup import shown_plan

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def record(conversation):
    return shown_plan(conversation)


def asked_over_http(client, record, **wanted):
    body = {"generation": str(record.generation_id), "step": record.step, **wanted}
    address = f"/api/conversations/{record.generation.conversation_id}/experiments"
    answer = client.post(address, body, content_type="application/json")
    return answer.status_code, answer.json()


@pytest.mark.parametrize(
    ("wanted", "said"),
    [
        pytest.param({"settings": {"length": "x"}}, "length=x: ", id="a bad value"),
        pytest.param({"settings": {"lenght": 3}}, "lenght: no such setting", id="a bad name"),
        pytest.param({"model": "no/model"}, "may not use no/model, only", id="another model"),
        pytest.param({}, "Change a setting first.", id="nothing"),
        pytest.param({"processors": {}}, "processors: ", id="what is no part of it"),
        pytest.param({"settings": {"length": 3}, "step": 0}, "step: ", id="no step"),
    ],
)
def test_what_cannot_be_asked_is_refused_by_name(owner, record, wanted, said):
    status, answer = asked_over_http(owner, record, **wanted)

    assert status == 422
    assert said in answer["detail"]
    assert not Generation.objects.filter(kind="what_if").exists()


def test_a_turn_that_has_no_record_is_not_there(owner, record):
    assert asked_over_http(owner, record, settings={"length": 3}, step=9)[0] == 404


def test_a_deleted_chat_is_not_there(owner, conversation, record):
    conversation.deleted_at = timezone.now()
    conversation.save(update_fields=["deleted_at"])

    assert asked_over_http(owner, record, settings={"length": 3})[0] == 404
