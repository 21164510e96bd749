"""Changing a template's settings for everybody: shown first, refused if outdated, and undone."""

import pytest
from django.contrib.auth.models import Permission, User
from django.core.exceptions import PermissionDenied, ValidationError
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils.timezone import now

from agents.models import AgentTemplate
from agents.networks.models import Network
from history.models import Conversation
from history.services.access import Actor
from history.services.errors import Conflict
from history.services.whatif.revising import TemplateReach, reach_of, revise, take_back
from tests.factories import begin_turn, make_agent, make_conversation
from tests.query_plans import query_plan

pytestmark = pytest.mark.django_db
LENGTH = ["length"]


@pytest.fixture
def template():
    return make_agent(history_settings={"policy": "lastN", "length": 20}, model="large/model")


def editor(name="ed"):
    user = User.objects.create_user(name, is_staff=True)
    user.user_permissions.add(Permission.objects.get(codename="change_agenttemplate"))
    return Actor(User.objects.get(pk=user.pk))


def values(template):
    found = AgentTemplate.objects.get(pk=template.pk)
    return found.history_settings, found.model, found.version


def test_a_change_is_a_version_that_says_where_it_came_from(template):
    revised = revise(editor(), template.pk, 1, {"length": 7, "model": "small/model"})

    assert values(template) == ({"policy": "lastN", "length": 7}, "small/model", 2)
    assert revised.version == 2
    assert (
        template.versions.first().history_change_reason == "Applied from a what-if in the inspector"
    )


def test_taken_back_it_is_as_before_and_the_version_goes_on(template):
    ed = editor()
    revise(ed, template.pk, 1, {"length": 7, "model": "small/model"})

    take_back(ed, template.pk, 2)

    assert values(template) == ({"policy": "lastN", "length": 20}, "large/model", 3)
    assert template.versions.first().history_change_reason == "Undone in the inspector"


def test_what_else_the_template_says_is_kept(template):
    ed = editor()
    revise(ed, template.pk, 1, {"length": 7})
    take_back(ed, template.pk, 2)

    kept = AgentTemplate.objects.get(pk=template.pk)
    assert (kept.system_prompt, kept.name) == ("Be brief.", "Demo")


def change_meanwhile(template):
    mine = AgentTemplate.objects.get(pk=template.pk)
    mine.system_prompt = "Be kind."
    mine.save()


@pytest.mark.words
def test_who_comes_late_changes_nothing(template):
    change_meanwhile(template)

    with pytest.raises(Conflict, match="Demo was changed in the meantime"):
        revise(editor(), template.pk, 1, {"length": 7})

    assert values(template) == ({"policy": "lastN", "length": 20}, "large/model", 2)


@pytest.mark.words
def test_nothing_is_taken_back_over_a_later_change(template):
    ed = editor()
    revise(ed, template.pk, 1, {"length": 7})
    change_meanwhile(template)

    with pytest.raises(Conflict, match="Demo was changed in the meantime"):
        take_back(ed, template.pk, 2)

    assert values(template)[0] == {"policy": "lastN", "length": 7}


@pytest.mark.words
@pytest.mark.parametrize("version", [1, 2], ids=["its first version", "one of its page"])
def test_only_a_try_is_taken_back(template, version):
    if version == 2:
        change_meanwhile(template)

    with pytest.raises(Conflict, match="nothing to undo"):
        take_back(editor(), template.pk, version)

    assert values(template)[2] == version


@pytest.mark.parametrize("who", ["a visitor", "a user", "staff"])
def test_only_people_who_may_edit_templates_may_revise(template, who):
    revise(editor(), template.pk, 1, {"length": 7})
    user = User.objects.create_user("bob", is_staff=who == "staff")
    actor = Actor(visitor="v") if who == "a visitor" else Actor(user)

    with pytest.raises(PermissionDenied):
        revise(actor, template.pk, 2, {"length": 9})
    with pytest.raises(PermissionDenied):
        take_back(actor, template.pk, 2)

    assert values(template)[2] == 2


@pytest.mark.words
def test_what_the_page_would_refuse_is_refused(template):
    ed = editor()

    with pytest.raises(ValidationError, match=r"“Output reserve” .*“Token budget” 300 \("):
        revise(ed, template.pk, 1, {"token_budget": 300})
    with pytest.raises(ValidationError, match="length"):
        revise(ed, template.pk, 1, {"length": -3})

    assert values(template)[2] == 1


def test_everybody_is_counted_once(template):
    ada, bob = (User.objects.create_user(name) for name in ("ada", "bob"))
    for owner in (ada, ada, bob):
        make_conversation(template, owner)
    for visitor in ("v", "v", "w"):
        make_conversation(template, visitor=visitor)
    make_conversation(make_agent("other"), ada)

    assert reach_of(template, LENGTH) == TemplateReach(chats=6, people=4)


def test_chats_of_its_networks_count_too(template):
    ada, host = User.objects.create_user("ada"), make_agent("host")
    for slug, members in (("desk", ["host", "demo"]), ("bar", ["host"])):
        network = Network.objects.create(slug=slug, name=slug, entry="host", members=members)
        make_conversation(host, ada, network=network)

    assert reach_of(template, LENGTH) == TemplateReach(chats=1, people=1)


def test_nobody_is_affected_where_nobody_chats(template):
    assert reach_of(template, LENGTH) == TemplateReach(chats=0, people=0)


def test_a_task_of_another_agent_is_no_chat(template):
    asking = begin_turn(make_conversation(make_agent("host")))
    Conversation.objects.filter(pk=make_conversation(template).pk).update(asked_by=asking)

    assert reach_of(template, LENGTH).chats == 0


def test_a_deleted_chat_is_no_chat(template):
    Conversation.objects.filter(pk=make_conversation(template).pk).update(deleted_at=now())

    assert reach_of(template, LENGTH) == TemplateReach(chats=0, people=0)


def make_chat(template, visitor, model="", **own):
    chat = make_conversation(template, visitor=visitor)
    Conversation.objects.filter(pk=chat.pk).update(history_settings=own, model=model)


@pytest.mark.parametrize(
    ("changes", "reach"),
    [
        pytest.param(LENGTH, TemplateReach(chats=3, people=2, keeping=3), id="one setting"),
        pytest.param(
            ["length", "policy"], TemplateReach(chats=4, people=3, keeping=3), id="one of two"
        ),
        pytest.param(["model"], TemplateReach(chats=5, people=4, keeping=1), id="the model"),
        pytest.param(
            ["length", "model"], TemplateReach(chats=5, people=4, keeping=3), id="both kinds"
        ),
        pytest.param(
            ["length_stride"], TemplateReach(chats=3, people=3, keeping=3), id="steps of a length"
        ),
        pytest.param(["pruner"], TemplateReach(chats=6, people=5), id="not for chats"),
    ],
)
def test_a_chat_that_keeps_its_own_value_is_not_reached(template, changes, reach):
    template.allowed_models = ["small/model"]
    make_chat(template, "v")
    make_chat(template, "v", max_items=8)
    make_chat(template, "w", model="small/model", length=5)
    make_chat(template, "x", model="gone/model")
    make_chat(template, "y", policy="all", length=3)
    make_chat(template, "z", policy="all")

    assert reach_of(template, changes) == reach


@pytest.mark.parametrize(
    ("who", "reach"),
    [
        ("everyone", TemplateReach(chats=0, people=0, keeping=3)),
        ("signed_in", TemplateReach(chats=1, people=1, keeping=2)),
        ("staff", TemplateReach(chats=2, people=2, keeping=1)),
        ("off", TemplateReach(chats=3, people=3, keeping=0)),
    ],
)
def test_own_values_that_do_not_count_are_not_kept(template, settings, who, reach):
    settings.HISTORY_URL_OVERRIDES = who
    make_chat(template, "v", length=5)
    for name in ("ada", "bob"):
        owner = User.objects.create_user(name, is_staff=name == "bob")
        chat = make_conversation(template, owner)
        Conversation.objects.filter(pk=chat.pk).update(history_settings={"length": 5})

    assert reach_of(template, LENGTH) == reach


@pytest.mark.skipif("connection.vendor != 'sqlite'", reason="SQLite explains it like this")
def test_affected_chats_are_counted_with_an_index(template):
    with CaptureQueriesContext(connection) as queries:
        reach_of(template, LENGTH)

    counting = queries.captured_queries[-1]["sql"]
    assert all("SEARCH" in step and "agent" in step for step in query_plan(counting))
    assert len(queries) == 2
