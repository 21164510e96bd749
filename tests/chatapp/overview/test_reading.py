"""Staff read others' transcripts and requests, and each reading is recorded."""

from uuid import uuid4

import pytest
from django.contrib.auth.models import User

from agents.networks.models import Network
from history.core.transcript.parts import Reasoning, ReasoningForm
from history.models import Conversation, Generation, Message, Viewing
from history.services.path.appending import append, assistant_message, user_message
from tests.chatapp.overview.test_views import links, text_of
from tests.exported import make_continued_chat
from tests.factories import (
    add_turn,
    add_turns,
    begin_turn,
    branch_of,
    make_agent,
    make_conversation,
)

NOTICE = "You are viewing another person's chat. This is recorded."


def test_staff_read_anybodys_transcript(staff, rome):
    add_turn(rome, "Where to?", "**Rome**.")
    response = staff.get(f"/inspect/{rome.pk}")
    text, html = text_of(response), response.content.decode()

    assert NOTICE in text
    assert "ada with Demo, started" in text
    assert "User" in text
    assert "<p>Where to?</p>" in html
    assert "<p><strong>Rome</strong>.</p>" in html
    main = html.partition("<main")[2].partition("</main>")[0]
    assert not [tag for tag in ("<form", "<textarea", "<button") if tag in main]


def test_another_persons_chat_leads_to_where_it_may_be_inspected(staff, rome):
    missing = staff.get(f"/chat/{rome.pk}?debug=true")

    assert missing.status_code == 404
    assert "This is somebody else's chat. You may inspect it" in missing.text
    assert f'href="/inspect/{rome.pk}"' in missing.text
    assert Viewing.objects.count() == 0


def test_nobody_else_learns_whether_there_is_such_a_chat(
    client, staff, agent, rome, django_user_model
):
    there, nowhere = f"/chat/{rome.pk}", f"/chat/{uuid4()}"
    assert "Inspect it" not in staff.get(nowhere).text
    rome.deleted_at = rome.created
    rome.save()
    assert "Inspect it" not in staff.get(there).text
    rome.deleted_at = None
    rome.save()

    for name, is_staff in (("carl", True), ("dora", False)):
        client.force_login(django_user_model.objects.create_user(name, is_staff=is_staff))
        found, missing = client.get(there), client.get(nowhere)
        assert (found.status_code, missing.status_code) == (404, 404)
        assert found.text.replace(there, nowhere) == missing.text


def test_a_network_is_named_where_one_answers(boss, call, rome):
    call(rome)
    pair = Network.objects.create(slug="pair", name="Pair", entry="demo", members=["demo"])
    Conversation.objects.filter(pk=rome.pk).update(network=pair)

    assert "Rome ada, Pair ·" in text_of(boss.get("/inspect/"))
    assert "ada with Pair, started" in text_of(boss.get(f"/inspect/{rome.pk}"))


def test_their_own_is_not_recorded(boss, agent):
    own = make_conversation(agent, User.objects.get(username="boss"))

    assert NOTICE not in text_of(boss.get(f"/inspect/{own.pk}"))
    assert Viewing.objects.count() == 0


def test_a_continued_answer_goes_on_in_the_block_where_it_was_broken_off(staff, agent):
    chat = make_continued_chat(agent=agent)

    page = staff.get(f"/inspect/{chat.pk}")

    assert "print(41)print(42)" in "".join(text_of(page).split())
    assert page.content.decode().count('class="read answer joined"') == 2


def test_a_long_transcript_is_read_by_stretches(staff, rome):
    add_turns(rome, 60)
    (older,) = [link for link in links(staff.get(f"/inspect/{rome.pk}")) if "before" in link]
    response = staff.get(older)

    assert older == f"/inspect/{rome.pk}?before=40"
    assert text_of(response).count("An answer") == 20
    assert not [link for link in links(response) if "before" in link]


def test_an_answer_that_is_not_whole_says_so(staff, rome):
    begin_turn(rome)
    asked = Message.objects.get().created  # By the real clock, not the test's.
    Generation.objects.update(created=asked)

    assert "This answer is still being written." in text_of(staff.get(f"/inspect/{rome.pk}"))


@pytest.mark.parametrize("query", ["?before=x", "?before=-1", f"?before={2**31}"])
def test_a_stretch_begins_at_a_position(staff, rome, query):
    assert staff.get(f"/inspect/{rome.pk}{query}").status_code == 404


def test_what_does_not_exist_is_not_there_and_not_recorded(staff):
    assert staff.get(f"/inspect/{uuid4()}").status_code == 404
    assert Viewing.objects.count() == 0


# The inspector, on another person's chat


PAGES = {
    "panel": "/chat/{chat}/panel",
    "turn": "/chat/{chat}/debug/turn/1",
    "transcript": "/inspect/{chat}",
}


@pytest.mark.parametrize("page", PAGES.values(), ids=PAGES)
def test_the_page_says_that_the_look_is_recorded(staff, rome, page):
    add_turn(rome)

    assert NOTICE in text_of(staff.get(page.format(chat=rome.pk)))


@pytest.mark.parametrize("page", list(PAGES.values())[:2], ids=list(PAGES)[:2])
def test_owners_are_told_no_such_thing(client, ada, rome, page):
    client.force_login(ada)
    add_turn(rome)

    assert NOTICE not in text_of(client.get(page.format(chat=rome.pk)))


def test_each_kind_of_page_is_recorded(staff, rome):
    record = add_turn(rome)
    raw = f"panel/raw/response?generation={record.generation_id}&step=1"
    staff.get(f"/chat/{rome.pk}/debug/turn/1")
    staff.get(f"/chat/{rome.pk}/{raw}")
    staff.get(f"/api/conversations/{rome.pk}/turns/1/context")
    staff.get(f"/inspect/{rome.pk}")

    recorded = Viewing.objects.order_by("pk").values_list("viewer", "owner", "conversation", "page")
    assert list(recorded) == [
        ("eve", "ada", rome.pk, page) for page in ("panel", "raw", "context", "transcript")
    ]


def test_a_delegated_chat_links_to_the_one_that_asked(staff, call, rome):
    call(rome)
    asking = rome.generations.get()
    call(make_conversation(make_agent("bob"), title="Count", asked_by=asking, depth=1))

    page = staff.get("/inspect/")

    assert "Task from Rome" in text_of(page)
    assert page.content.decode().count(f'href="/inspect/{rome.pk}"') == 2


def test_staff_see_the_prompt_that_its_owner_does_not(staff, rome, client, ada):
    add_turn(rome)
    page = f"/chat/{rome.pk}/debug/turn/1"
    assert "Be brief." in text_of(staff.get(page))

    client.force_login(ada)
    assert "Be brief." not in text_of(client.get(page))


@pytest.mark.parametrize("is_shown", [True, False])
def test_owners_see_the_cost_unless_the_setting_says_otherwise(
    client, ada, rome, settings, is_shown
):
    settings.OWNERS_SEE_COST = is_shown
    client.force_login(ada)
    add_turn(rome)
    page = client.get(f"/chat/{rome.pk}/debug/turn/1").content.decode()
    one = client.get(f"/api/conversations/{rome.pk}/turns/1/context").json()
    (listed,) = client.get(f"/api/conversations/{rome.pk}/plans").json()

    assert ('aria-label="Cost"' in page) is is_shown
    assert [("cost" in plan["outcome"]) for plan in (one, listed)] == [is_shown] * 2


def test_the_transcript_shows_what_the_model_thought(staff, agent):
    conversation = make_conversation(agent)
    thought = Reasoning(ReasoningForm.TEXT, "Two <maps>: which is older?", tokens=31)
    said = [user_message("Which?"), assistant_message("The first.", parts=[thought])]
    append(branch_of(conversation), said)

    html = staff.get(f"/inspect/{conversation.pk}").text

    assert "31 tokens</summary>" in html
    assert "Two &lt;maps&gt;: which is older?</pre>" in html
    assert "ThoughtLine" not in html
