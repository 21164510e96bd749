import re

import pytest

from chatapp.transcript import fragments
from history.core.transcript.messages import ToolCall
from history.models import Generation, GenerationStatus
from history.services.path.appending import append, assistant_message, result_message
from history.services.path.reading import messages_of, user_message_of
from tests.factories import add_plan, add_turn, begin_turn, make_agent, make_conversation
from tests.told import last_turns

pytestmark = pytest.mark.django_db


def attributes(html):
    """Return the data attributes of the HTML's first element, by name."""
    return dict(re.findall(r'data-([a-z]+)="([^"]*)"', html.split(">", 1)[0]))


def ended(generation, status, **fields):
    Generation.objects.filter(pk=generation.pk).update(status=status, **fields)
    generation.refresh_from_db()
    return generation


def test_a_started_answer_is_the_question_and_an_empty_answer(conversation):
    generation = begin_turn(conversation, "Is <b> bold?\nYes.")
    html = fragments.render_started(generation, user_message_of(generation.branch, generation.turn))
    said, answer = html.split("</article>")[:2]

    assert "<p>Is &lt;b&gt; bold?<br>\nYes.</p>" in said
    assert attributes(answer.strip()) == {
        "role": "assistant",
        "position": "1",
        "last": "1",
        "turn": "1",
        "generation": str(generation.pk),
        "status": "running",
    }


def test_a_continued_answer_starts_alone_after_the_newest_message(conversation):
    add_turn(conversation)
    generation = Generation.objects.create(
        conversation=conversation,
        branch=conversation.branch,
        turn=1,
        kind=Generation.Kind.CONTINUE,
        snapshot={},
    )
    html = fragments.render_started(generation, None)

    assert attributes(html.strip())["position"] == "2"
    assert 'class="message answer continued joined"' in html


def test_a_finished_answer_holds_its_texts_and_cards_in_order(conversation):
    generation = begin_turn(conversation)
    call = {"id": "c1", "name": "calculator", "arguments": '{"expression": "6*7"}'}
    draft = assistant_message("I **reckon**.", [_core(call)])
    result = result_message(_core(call), "<42>", failed=False)
    append(generation.branch, [draft, result, assistant_message("Done.")], generation)
    html = fragments.render_answer(
        ended(generation, GenerationStatus.DONE), messages_of(generation)
    )

    order = [html.index(part) for part in ("<strong>reckon", 'data-call="c1"', "<p>Done.</p>")]
    assert order == sorted(order)
    assert "&lt;42&gt;" in html
    assert 'class="tail"' not in html


def _core(call):
    return ToolCall(call["id"], call["name"], call["arguments"])


@pytest.mark.parametrize(
    ("status", "text", "said", "buttons"),
    [
        ("stopped", "half", "The text above was kept.", ["continue", "retry"]),
        ("interrupted", "half", "Interrupted: the server stopped.", ["continue", "retry"]),
        ("failed", "", "No such model.", ["retry"]),
        ("failed", "half", "No such model.", ["continue", "retry"]),
    ],
)
def test_an_answer_that_is_not_whole_says_so_and_offers_a_way_on(
    conversation, status, text, said, buttons
):
    generation = begin_turn(conversation)
    if text:
        append(generation.branch, [assistant_message(text)], generation)
    error = {"kind": "not_found", "message": "No such model."} if status == "failed" else None
    html = fragments.render_answer(ended(generation, status, error=error), messages_of(generation))

    assert said in html
    assert re.findall(r'class="button"\s+data-action="(\w+)"', html) == buttons


@pytest.mark.parametrize("are_several", [True, False])
@pytest.mark.parametrize(
    ("kind", "is_advice"),
    [("auth", True), ("bad_request", True), ("not_found", True), ("timeout", False)],
)
def test_advice_for_administrators_is_folded_where_other_people_read_it(
    conversation, settings, kind, is_advice, are_several
):
    settings.LAN = are_several
    error = {"kind": kind, "message": "It failed."}
    generation = ended(begin_turn(conversation), GenerationStatus.FAILED, error=error)
    html = fragments.render_answer(generation, [])

    assert "It failed." in html
    assert ("For the administrator" in html) == (is_advice and are_several)
    assert ("<details hidden>" in html) == (kind == "auth" and are_several)


def test_calls_wait_and_results_take_their_place(conversation):
    generation = begin_turn(conversation)
    call = {"id": "c<1", "name": "calculator", "arguments": "{}"}
    drafts = [
        assistant_message("", [_core(call)]),
        result_message(_core(call), "boom", failed=True, took_ms=1_500),
    ]
    append(generation.branch, drafts, generation)

    assert attributes(fragments.render_calls([call]).strip()) == {
        "call": "c&lt;1",
        "state": "running",
    }
    card = fragments.render_card(generation, "c<1")
    assert attributes(card.strip())["state"] == "failed"
    assert "1.5 s" in card
    assert "4 characters" in card


def test_the_cut_line_names_the_policy_and_leads_to_the_panel():
    agent = make_agent(history_settings={"policy": "lastN", "length": 1})
    conversation = make_conversation(agent)
    add_turn(conversation)
    generation = begin_turn(conversation, query="agent=demo")
    html = fragments.render_cut_line(add_plan(generation))
    text = " ".join(re.sub(r"<[^>]+>", " ", html).split())

    assert last_turns(1, left_out=2) in text
    assert 'data-cut-before="2"' in html
    assert 'href="?agent=demo&amp;debug=true"' in html
    assert "2 messages left out" in text


def test_a_message_that_was_sent_shortened_does_not_count_as_seen_whole():
    agent = make_agent(history_settings={"policy": "all", "max_message_tokens": 64})
    conversation = make_conversation(agent)
    add_turn(conversation, "A long question. " * 200)
    html = fragments.render_cut_line(add_plan(begin_turn(conversation)))
    text = " ".join(re.sub(r"<[^>]+>", " ", html).split())

    assert 'data-rail="0-0:changed 1-2:sent"' in html
    assert "sent to the model 1 message shortened or changed" in text


def test_nothing_counts_as_shortened_in_a_request_that_never_left():
    agent = make_agent(history_settings={"max_message_tokens": 64})
    generation = begin_turn(make_conversation(agent), "A long question. " * 200)
    html = fragments.render_cut_line(add_plan(generation), has_left=False)

    assert 'data-rail="0-0:unsent"' in html
    assert "message shortened" not in html


def test_without_a_cut_only_the_gauge_is_sent(conversation):
    html = fragments.render_cut_line(add_plan(begin_turn(conversation)))

    assert "data-cut-before" not in html
    assert 'id="gauge"' in html
