"""A tab says that its person looks at a chat; their other tabs then load the list again."""

import pytest

from chatapp.databases.threads import close_connections, in_database
from history.models import Conversation
from tests.chatapp.in_process_socket import InProcessSocket
from tests.chatapp.socket.test_consumer import visitor
from tests.factories import make_conversation

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
async def tabs():
    """Open two tabs of one visitor."""
    session = await in_database(visitor)
    opened = [InProcessSocket(session) for _ in range(2)]
    tasks = [tab.run() for tab in opened]
    for tab in opened:
        await tab.sent.get()
    yield opened
    for tab, task in zip(opened, tasks, strict=True):
        tab.leave()
        await task
    await close_connections()


async def test_the_other_tabs_are_told_once_and_the_tab_itself_is_not(tabs):
    chat = await in_database(lambda: make_conversation(visitor="ada", has_new_answer=True))
    here, there = tabs

    for expected in ([{"type": "list"}], []):
        here.say(type="seen", conversation=str(chat.pk))
        assert await here.shown() == []
        assert await there.shown() == expected
    assert not await in_database(lambda: Conversation.objects.get().has_new_answer)


async def test_a_chat_of_somebody_else_is_refused(tabs):
    chat = await in_database(lambda: make_conversation(visitor="bob", has_new_answer=True))
    here, there = tabs

    here.say(type="seen", conversation=str(chat.pk))

    assert [frame["code"] for frame in await here.shown()] == ["not_found"]
    assert await there.shown() == []
    assert await in_database(lambda: Conversation.objects.get().has_new_answer)
