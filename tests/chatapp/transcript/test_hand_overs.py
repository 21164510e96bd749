"""On every page, a hand-over in an answer is shown as a line, not as a tool's card."""

import re

import pytest
from django.template.loader import render_to_string

from agents.networks.models import Network
from chatapp.transcript.bubbles import Answer, bubbles
from chatapp.transcript.hand_overs import HandOverLine
from history.core.transcript.messages import ToolCall
from history.services.answers.delegating import hand_over
from history.services.path.appending import append, assistant_message, result_message
from tests.factories import begin_turn, end_turn, make_agent, make_conversation
from tests.people import text_of

pytestmark = pytest.mark.django_db
CALL = ToolCall("c1", "transfer_to_bob", "{}")
LATER = ToolCall("c2", "calculator", '{"expression": "6 * 7"}')


@pytest.fixture
def answer() -> Answer:
    """Make an answer that Ada begins and then hands over to Bob."""
    ada, _ = make_agent("ada"), make_agent("bob")
    pair = Network.objects.create(slug="pair", name="Pair", entry="ada", members=["ada", "bob"])
    generation = begin_turn(make_conversation(ada, network=pair))
    append(generation.branch, [assistant_message("", [CALL, LATER], "ada")], generation)
    hand_over(generation, 1, CALL, "Ada handed over to Bob: <why>", "bob")
    append(generation.branch, [result_message(LATER, "42")], generation)
    end_turn(generation, "Here I am")
    (found,) = bubbles(generation.messages.order_by("position"))
    assert isinstance(found, Answer)
    return found


def test_a_hand_over_is_a_line_and_the_name_of_the_next_agent(answer):
    _, line, _ = answer.parts

    assert line == HandOverLine("c1", "Ada handed over to Bob: <why>", "Bob")
    assert answer.speaker == "Ada"


def test_a_hand_over_comes_after_the_last_call_of_its_round(answer):
    card, line, text = answer.parts

    assert (card.id, line.call, text) == ("c2", "c1", "<p>Here I am</p>\n")


@pytest.mark.parametrize("template", ["chat/answer.html", "overview/answer.html"])
def test_every_page_shows_the_line_as_text(answer, template):
    shown = render_to_string(template, {"answer": answer})

    assert "Ada handed over to Bob: &lt;why&gt;" in text_of(shown)
    assert "HandOverLine(" not in shown


@pytest.mark.parametrize("template", ["chat/answer.html", "overview/answer.html"])
def test_every_page_names_who_speaks_before_and_after_it(answer, template):
    shown = render_to_string(template, {"answer": answer})

    assert re.findall(r'<h3 class="speaker">(\w+)</h3>', shown) == ["Ada", "Bob"]


@pytest.mark.parametrize(
    ("line", "short", "folded"),
    [
        pytest.param("x" * 160, "x" * 160, False, id="it has room"),
        pytest.param("x" * 161, "x" * 160 + "\N{HORIZONTAL ELLIPSIS}", True, id="it has none"),
    ],
)
def test_a_long_reason_is_cut_and_folded_in_full(line, short, folded):
    page = render_to_string("chat/hand_over.html", {"hand_over": HandOverLine("c1", line, "Bob")})

    assert f">{short}</p>" in page
    assert ("<details>" in page, page.count(line)) == (folded, 1)
