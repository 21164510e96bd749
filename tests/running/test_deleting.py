"""A chat deleted while its answer is written is gone, whatever deleted it; nobody keeps waiting."""

import os

import pytest

from tests.patience import PATIENCE
from tests.people import Person
from tests.provider import Reply
from tests.servers import manage

TRIES = int(os.environ.get("DELETE_TRIES", "4"))  # 40 for a thorough run.
DOORS = ("page", "api", "admin", "admin's list")
MAKE = """
from django.contrib.auth.models import User
User.objects.create_superuser("root", password="correct horse")
User.objects.create_user("bob", password="correct horse")
"""


@pytest.fixture(scope="module")
def root(served):
    manage(served.folder, "shell", "-c", MAKE)
    root = Person(served)
    root.sign_in("root", "correct horse")
    return root


def delete(door, person, root, conversation):
    match door:
        case "page":
            return person.post("/chats/change", act="delete", chat=conversation)
        case "api":
            return person.api("DELETE", f"/conversations/{conversation}")
        case "admin":
            return root.post(f"/admin/history/conversation/{conversation}/delete/", post="yes")
    fields = {"action": "delete_selected", "_selected_action": conversation, "post": "yes"}
    return root.post("/admin/history/conversation/", **fields)


def rows(server, conversation):
    query = "SELECT count(*) FROM history_conversation WHERE id = ?"
    pk = conversation if server.environment.get("DATABASE_URL") else conversation.replace("-", "")
    return server.rows(query, pk)


def answering(tab, provider, **fields):
    """Begin an answer without an end; return its conversation."""
    provider.reset()
    provider.script(Reply(text=["word "], endless=True, delay=0.002))
    ack = tab.send("Talk", agent="demo", **fields)
    tab.until("delta")
    return ack["conversation"]


@pytest.mark.daily("page")
@pytest.mark.parametrize("door", DOORS)
def test_deleting_while_an_answer_is_written(served, ada, provider, root, door):
    for _ in range(TRIES):
        with ada.tab() as tab, ada.tab() as list_only:
            conversation = answering(tab, provider)

            answer = delete(door, ada, root, conversation)

            assert answer.status_code < 400
            assert rows(served, conversation) == [
                (1 if door == "page" else 0,)
            ]  # Deleting on the page can be undone, so it keeps the row.
            assert ada.open(f"/chat/{conversation}").status_code == 404
            assert tab.until("gone")["conversation"] == conversation
            assert list_only.until("list")
            assert provider.closed.wait(PATIENCE)
    assert "Traceback" not in served.log.read_text()


def test_a_user_is_deleted_while_they_are_answered(served, provider, root):
    bob = Person(served)
    bob.sign_in("bob", "correct horse")
    ((pk,),) = served.rows("SELECT id FROM auth_user WHERE username = ?", "bob")
    with bob.tab() as tab:
        conversation = answering(tab, provider)
        shown = root.open(f"/admin/auth/user/{pk}/delete/").text

        answer = root.post(f"/admin/auth/user/{pk}/delete/", post="yes")

        assert "<li>Chats: 1</li>" in shown
        assert answer.status_code == 200
        assert provider.closed.wait(PATIENCE)
    assert rows(served, conversation) == [(0,)]
    assert served.rows("SELECT id FROM auth_user WHERE username = ?", "bob") == []
    assert "Traceback" not in served.log.read_text()


def test_an_agent_that_has_conversations_is_not_deleted(served, ada, provider, root):
    ((pk,),) = served.rows("SELECT id FROM agents_agenttemplate WHERE slug = ?", "demo")
    with ada.tab() as tab:
        provider.script(Reply(text=["one", "two"], hang_after=1))
        ack = tab.send("Talk", agent="demo")
        tab.until("delta")

        page = root.post(f"/admin/agents/agenttemplate/{pk}/delete/", post="yes").text
        provider.release()

        assert "would require deleting the following protected related objects" in page
        assert tab.until("end", generation=ack["generation"])["data"]["status"] == "done"
