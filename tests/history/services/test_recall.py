"""Recall finds messages of its own path, however old, and no others."""

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from hypothesis import given
from hypothesis import strategies as st

from agents.tools import FoundMessage
from history.core.transcript.messages import ToolCall
from history.core.transcript.parts import File, Image, Reasoning, ReasoningForm
from history.models import Conversation, MessageMark
from history.services.answers.editing import edit
from history.services.path.appending import append, assistant_message, result_message, user_message
from history.services.search import install, recall, remove
from history.services.search.terms import MOST_TERMS, Term, terms_of
from tests.factories import add_turns, branch_of, make_agent, make_conversation
from tests.history.services.conftest import ADA, BOB, answer, converse, reword

pytestmark = pytest.mark.django_db
LATER = 1_000_000  # A turn after all turns of these tests.


def said(*texts, agent=None):
    """Make a conversation with a turn for each of these texts."""
    conversation = make_conversation(agent or make_agent())
    append(branch_of(conversation), [user_message(text) for text in texts])
    return conversation


def excerpts(conversation, query, most=20, turn=LATER):
    branch = branch_of(conversation)
    return [found.excerpt for found in recall(branch, turn, query, most)]


def test_a_message_comes_with_its_turn_and_its_speaker():
    conversation = said("The spare key is under the blue pot.")
    call = ToolCall("c1", "search_docs", "{}")
    drafts = [assistant_message("", [call]), result_message(call, "A pot of gold", failed=False)]
    append(branch_of(conversation), [*drafts, assistant_message("Noted: a blue pot.")])

    assert recall(branch_of(conversation), 2, "pot", 9) == [
        FoundMessage(1, "assistant", "Noted: a blue pot."),
        FoundMessage(1, "tool search_docs", "A pot of gold"),
        FoundMessage(1, "user", "The spare key is under the blue pot."),
    ]


def test_the_names_and_texts_of_files_are_found_and_reasoning_is_not():
    conversation = make_conversation(make_agent())
    report = File("a" * 64, "a" * 64, "text/plain", "Fees.txt", text="The harbour is open.")
    photo = Image("b" * 64, "b" * 64, "image/png", "jetty.png")
    thought = Reasoning(ReasoningForm.TEXT, "The lighthouse is closed.")
    asked = user_message("What now?", parts=[report, photo])
    answered = assistant_message("Sail.", parts=[thought])
    append(branch_of(conversation), [asked, answered])

    assert excerpts(conversation, "harbour") == excerpts(conversation, "jetty")
    assert excerpts(conversation, "fees") == ["What now? Fees.txt The harbour is open. jetty.png"]
    assert excerpts(conversation, "sail") == ["Sail."]
    assert excerpts(conversation, "lighthouse") == []


def test_more_words_and_rarer_words_come_first():
    conversation = said("a red pot", "the blue key", "the red key", "a red hat", "a red tie")

    assert excerpts(conversation, "key red") == [
        "the red key",
        "the blue key",
        "a red tie",
        "a red hat",
        "a red pot",
    ]
    assert excerpts(conversation, "key red", most=2) == ["the red key", "the blue key"]


def test_the_turn_that_asks_is_not_searched():
    conversation = said("the blue pot", "Where is the pot?")

    assert excerpts(conversation, "pot", turn=2) == ["the blue pot"]


def test_another_conversation_is_never_searched(demo):
    mine = converse(ADA, "my blue pot").conversation
    converse(BOB, "his blue pot")
    converse(ADA, "my other blue pot")

    assert excerpts(mine, "blue") == ["my blue pot"]


def test_another_branch_is_never_searched(demo):
    ack = converse(ADA, "first pot", "second pot", "third pot")
    conversation = Conversation.objects.get(pk=ack.conversation.pk)
    second = conversation.messages.get(text="second pot")
    edited = edit(ADA, reword(second.pk, "another pot", conversation=conversation.pk))
    answer(edited.generation, "answer")
    conversation.refresh_from_db()

    assert excerpts(conversation, "pot") == ["another pot", "first pot"]
    found = recall(ack.generation.branch, LATER, "pot", 9)
    assert [each.excerpt for each in found] == ["third pot", "second pot", "first pot"]


def test_what_a_person_excluded_is_not_found():
    conversation = said("a blue pot", "a red pot")
    message = conversation.messages.get(text="a blue pot")
    MessageMark.objects.create(
        conversation=conversation, message=message, kind=MessageMark.Kind.EXCLUSION
    )

    assert excerpts(conversation, "pot") == ["a red pot"]


def test_what_recall_said_before_is_not_found():
    conversation = said("a blue pot")
    call = ToolCall("c1", "recall", '{"query": "pot"}')
    result = result_message(call, "a blue pot", failed=False)
    append(branch_of(conversation), [assistant_message("", [call]), result])

    assert excerpts(conversation, "pot") == ["a blue pot"]


@pytest.mark.parametrize(
    ("text", "query"),
    [
        pytest.param("東京の天気は晴れ", "天気", id="Japanese"),
        pytest.param("我的猫名字叫黑黑", "猫的名字", id="Chinese"),
        pytest.param("열쇠는 파란 화분", "파란", id="Korean"),
        pytest.param("Python入門を読む", "入門", id="beside Latin letters"),
        pytest.param("Python入門を読む", "python", id="Latin beside others"),
        pytest.param("猫", "猫", id="one character"),
        pytest.param("ключ под горшком", "ключ", id="Russian"),
        pytest.param("le café est fermé", "café", id="French"),
        pytest.param("le café est fermé", "CAFE", id="without accents"),
        pytest.param("ŻÓ 7", "zo", id="a short word without accents"),
        pytest.param("The KEY", "key", id="capitals in the text"),
        pytest.param("the key", "KEY", id="capitals in the query"),
        pytest.param("my keys", "key", id="the beginning of a word"),
        pytest.param("it is 42", "42", id="a short number"),
        pytest.param("AI", "ai?", id="a short word"),
        pytest.param("see docs/blue_pot.html", "pot", id="part of a path"),
        pytest.param("mail ada@example.org", "example", id="part of an address"),
        pytest.param("\u201cblue\u201d\u2014she said", "blue", id="typographer's quotes"),
        pytest.param("it's O'Brien's", "O'Brien", id="apostrophes"),
        pytest.param("x" * 3_000 + " the pot", "pot", id="after a long word"),
        pytest.param("word " * 15_000 + "needle", "needle", id="in a long text"),
    ],
)  # fmt: skip
def test_a_word_is_found(text, query):
    conversation = said("something else", text)

    assert len(excerpts(conversation, query)) == 1


HOSTILE = [
    *("", " ", "*", '"', "'", '"""', "''", "\\", "%", "_", "%_%", "()", "-", "^", ":", "{}", "&|!"),
    *("AND", "OR", "NOT", "NEAR(a b)", "a AND", 'text : "x"', "scope : x", "a*", "^a", "a + b"),
    *("a' OR 1=1 --", "'; DROP TABLE history_message; --", "\x00", "a\x00b", "\ud800"),
    *("x" * 100_000, "猫" * 100_000),
    *("<->", "!!", "'a':*", "a & !b", "\U000e0001", "\ue000\ue001\ue002", "%s %(a)s", "{0}"),
]  # fmt: skip


@pytest.mark.parametrize("query", HOSTILE, ids=lambda query: repr(query[:20]))
def test_no_query_is_an_error(query):
    conversation = said("55")

    assert excerpts(conversation, query) == []


@given(st.text(max_size=30) | st.text(alphabet="a猫'\"*()&|!:%_- ", max_size=12))
def test_whatever_is_asked_there_is_an_answer(query):
    conversation = Conversation.objects.first() or said("a 猫猫")

    assert set(excerpts(conversation, query)) <= {"a 猫猫"}


@pytest.mark.parametrize(
    ("query", "terms"),
    [
        ("the spare key", [Term("the"), Term("spare"), Term("key")]),
        ("Key key KEY", [Term("key")]),
        ("is it a key", [Term("key")]),
        ("is it", [Term("is"), Term("it")]),
        ("猫の名", [Term("猫の", is_dense=True), Term("の名", is_dense=True)]),
        ("v2猫", [Term("猫", is_dense=True)]),
        ("?!", []),
    ],
)  # fmt: skip
def test_a_query_becomes_terms(query, terms):
    assert terms_of(query) == terms


def test_a_long_query_is_cut():
    assert len(terms_of(" ".join(f"word{n}" for n in range(100)))) == MOST_TERMS


def test_an_excerpt_shows_the_place():
    conversation = said(f"{'before ' * 200}the pot\n\nis blue {'after ' * 200}")

    (excerpt,) = excerpts(conversation, "pot")

    assert (excerpt[0], excerpt[-1]) == ("\N{HORIZONTAL ELLIPSIS}", "\N{HORIZONTAL ELLIPSIS}")
    assert "before the pot is blue after" in excerpt
    assert len(excerpt) < 510


def test_a_fact_10_000_messages_back_is_found_without_reading_those_between():
    conversation = said("The spare key is under the blue pot.")
    add_turns(conversation, 5_000)

    with CaptureQueriesContext(
        connection,
    ) as queries:
        found = excerpts(conversation, "Where is the spare key?", most=1)

    assert found == ["The spare key is under the blue pot."]
    assert len(queries) == 1 + len(terms_of("Where is the spare key?")) + 2
    asked = [query["sql"] for query in queries if "history_search" in query["sql"]]
    assert len(asked) == 4
    assert [plan for plan in map(plan_of, asked) if "history_message" in plan] == []


def plan_of(sql):
    with connection.cursor() as cursor:
        cursor.execute(f"EXPLAIN {'QUERY PLAN ' if connection.vendor == 'sqlite' else ''}{sql}")
        return str(cursor.fetchall())


def test_what_was_there_before_the_index_is_found_too():
    remove(connection)
    conversation = said("a blue pot")
    connection.check_constraints()  # Unchecked rows would block the index.

    install(connection)
    install(connection)

    assert excerpts(conversation, "pot") == ["a blue pot"]


def test_a_look_up_walks_few_words_that_are_not_yet_sorted_in():
    if connection.vendor != "postgresql":
        pytest.skip("SQLite sorts them in at once")
    with connection.cursor() as cursor:
        cursor.execute("SELECT reloptions FROM pg_class WHERE relname = 'history_search_words'")
        assert cursor.fetchone() == (["gin_pending_list_limit=256"],)


def test_a_deleted_conversation_leaves_nothing_in_the_index():
    agent = make_agent()
    kept, gone = said("a blue pot", agent=agent), said("a red pot", agent=agent)
    branch = branch_of(gone)

    gone.delete()

    assert recall(branch, LATER, "pot", 9) == []
    assert excerpts(kept, "pot") == ["a blue pot"]
    if connection.vendor == "sqlite":
        with connection.cursor() as cursor:
            cursor.execute("SELECT count(*) FROM history_search WHERE history_search MATCH 'pot'")
            assert cursor.fetchone() == (1,)


def test_the_triggers_are_made_again_where_a_migration_lost_them():
    if connection.vendor != "sqlite":
        pytest.skip("PostgreSQL keeps the index by itself")
    conversation = said("first")
    with connection.cursor() as cursor:
        cursor.execute("DROP TRIGGER history_search_insert")

    install(connection)
    append(branch_of(conversation), [user_message("a blue pot")])

    assert excerpts(conversation, "pot") == ["a blue pot"]
