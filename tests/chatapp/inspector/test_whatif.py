"""The zone "What-if" by its addresses: tries, replays, and applying settings."""

import re
from decimal import Decimal
from html import escape

import pytest

from chatapp.inspector.whatif.result import WhatIfResult
from history.core.money.cost import FREE, UNKNOWN, UNPRICED, Prices
from history.models import ContextPlan
from history.services.whatif.trying import Variant, recorded, try_variants
from tests.chatapp.inspector.pages import text_of
from tests.factories import add_plan, add_turn, begin_turn
from tests.history.services.wire.test_figures import UNSENT
from tests.told import beside, no_number

DASH, MINUS = "\N{EN DASH}", "\N{MINUS SIGN}"


def tries(conversation, query=""):
    plan = ContextPlan.objects.filter(generation__conversation=conversation).latest("pk")
    named = f"generation={plan.generation_id}&step={plan.step}"
    return f"/chat/{conversation.pk}/panel/what-if?{named}&{query}"


def test_the_fields_hold_what_the_request_had(owner, conversation):
    page = owner.get(f"/chat/{conversation.pk}/panel").content.decode()

    assert '<option value="lastN" selected>' in page
    assert 'name="set.length" value="2"' in page
    assert 'name="set.model" value="demo/mirror"' in page
    assert '<span class="reason">(0 means none)</span>' in page


def test_nothing_changed_is_nothing_tried(owner, conversation):
    text = text_of(owner.get(tries(conversation, "set.length=2&set.policy=lastN")))

    assert text == "Change a setting to see what would have been sent."


def test_a_try_stands_beside_what_was_sent(owner, conversation):
    text = text_of(owner.get(tries(conversation, "set.policy=all")))

    assert "History policy all As sent What-if Difference" in text
    assert "Messages sent 3 7 +4" in text
    assert "T trimmed \N{RIGHTWARDS ARROW} K kept Messages 1\N{EN DASH}4" in text


def test_beside_what_was_never_sent_nothing_is_called_sent(owner, conversation):
    add_plan(begin_turn(conversation), error=UNSENT)

    text = text_of(owner.get(tries(conversation, "set.policy=all")))

    assert text.startswith(
        "Nothing was sent. The first column is what would have been. History policy all"
    )
    assert "As planned What-if Difference" in text
    assert "As sent" not in text


def test_a_choice_is_named_once_and_with_its_meaning(owner, conversation):
    html = owner.get(f"/chat/{conversation.pk}/panel").text

    assert re.findall(r"<option[^>]*>((?:free|fifo|lastN|stable).*?)</option>", html) == [
        "lastN: the last turns",
        "free to change with every request",
        "stable while tools run, with windows that move in steps",
    ]


def test_a_refusal_is_said(owner, conversation):
    text = text_of(owner.get(tries(conversation, "set.context_window=512")))

    assert "tokens too large for the model, so it could not be sent. " in text
    assert "was not sent" not in text


def test_a_bad_value_stands_beside_its_name(owner, conversation):
    answer = owner.get(tries(conversation, "set.length=5abc"))

    assert 'data-fault-of="set.length"' in answer.text
    assert text_of(answer).startswith(beside(no_number("length", "5abc")))


def test_a_token_budget_without_room_for_messages_is_refused(owner, conversation):
    answer = owner.get(tries(conversation, "set.token_budget=300"))

    assert 'data-fault-of="set.token_budget"' in answer.text
    assert "“Output reserve” 4,096 (built-in) uses up all of “Token budget” 300" in text_of(answer)
    assert "data-take" not in answer.text


def test_what_a_token_budget_forbids_is_not_free(owner, conversation):
    text = text_of(owner.get(tries(conversation, "set.token_budget=4200")))

    (free,) = re.findall(r"Tokens free [\d,]+ ([\d,]+)", text)
    assert int(free.replace(",", "")) <= 4_200


@pytest.mark.parametrize(
    ("fault", "sentence"),
    [
        ("nobody knows it", "Nobody knows it."),
        ("nobody knows it; did you mean another?", "Nobody knows it; did you mean another?"),
    ],
)
def test_for_a_model_that_cannot_be_called_others_are_named(
    owner, conversation, catalogue, fault, sentence
):
    catalogue.fault = {"no/model": fault}.get

    text = text_of(owner.get(tries(conversation, "set.model=no/model")))

    model = conversation.agent.model
    assert text.startswith(f"{sentence} The agents here use {model}.")


@pytest.mark.parametrize(
    ("query", "name"),
    [
        pytest.param("set.length=", "History length default (20)", id="built in"),
        pytest.param(
            "set.token_budget=&set.policy=all", "History policy all", id="it was empty before"
        ),
    ],
)
def test_an_emptied_field_is_named_with_what_holds_then(owner, conversation, query, name):
    assert f"{name} As sent What-if" in text_of(owner.get(tries(conversation, query)))


def test_a_model_that_no_provider_has_is_refused(owner, conversation):
    text = text_of(owner.get(tries(conversation, "set.model=nonsense")))

    assert text.startswith("No such provider is known")


def test_a_bad_value_in_an_address_is_marked_once(owner, conversation):
    page = owner.get(f"/chat/{conversation.pk}/debug/turn/4?set.results_stride=-4").text

    assert page.count('id="id_set.results_stride_error"') == 1
    assert page.count('aria-invalid="true"') == 1
    assert re.search(r'data-keep="whatif-more"\s+open', page)


def test_a_try_has_an_address(owner, conversation):
    plan = ContextPlan.objects.latest("pk")
    answer = owner.get(
        f"/chat/{conversation.pk}/debug/turn/4"
        f"?generation={plan.generation_id}&step=1&set.policy=all"
    )

    assert "Messages sent 3 7 +4" in text_of(answer)
    assert '<option value="all" selected>' in answer.content.decode()


def test_a_replay_sets_settings_side_by_side(owner, conversation):
    address = f"/chat/{conversation.pk}/panel/replay?turns=50&v=set.policy%3Dall"

    text = text_of(owner.get(address))

    assert "A current settings 4 0 " in text
    assert "B History policy all 4 0 " in text
    assert "Tokens per turn (last request)" in text


@pytest.mark.parametrize(
    ("tried", "kept"),
    [
        ("set.length=1", "set.policy=lastN&set.length=1"),
        ("set.policy=all", "set.policy=all"),
        ("set.length_stride=2", "set.policy=lastN&set.length_stride=2"),
    ],
)
def test_a_comparison_has_what_the_form_shows_whatever_the_chat_has_now(
    owner, conversation, tried, kept
):
    conversation.history_settings = {"policy": "all"}
    conversation.save()

    page = owner.get(tries(conversation, tried)).text

    assert f'data-keep-try="{escape(kept)}"' in page


def test_a_replay_of_what_the_chat_has_now_is_called_so(owner, conversation):
    address = f"/chat/{conversation.pk}/panel/replay?turns=50&v=set.policy%3DlastN"

    assert "B current settings 4 0 " in text_of(owner.get(address))


def test_a_replay_counts_what_would_be_refused(owner, conversation):
    address = f"/chat/{conversation.pk}/panel/replay?turns=50&v=set.context_window%3D512"

    text = text_of(owner.get(address))

    assert "B Context window 512 4 of 4 requests would be refused as too large." in text
    assert f" 4 4 0 0 {UNKNOWN}" in text
    assert re.search(r"Turn A B 4 \d+ refused 3 \d+ refused 2", text)


EXAMPLE = "openai/gpt-4o"


@pytest.fixture
def at_example_prices(catalogue):
    """Make the demo model free, so that its costs are shown at the prices of an example model."""
    dollar = Decimal(1)
    prices = {"demo/mirror": FREE, EXAMPLE: Prices(dollar, 2 * dollar, dollar / 2)}
    catalogue.prices = lambda model: prices.get(model, UNPRICED)


def test_a_try_with_the_free_demo_model_costs_what_gpt_4o_would(
    owner, conversation, at_example_prices
):
    text = text_of(owner.get(tries(conversation, "set.policy=all")))

    sent = [int(figure) for figure in re.search(r"Tokens sent (\d+) (\d+)", text).groups()]
    assert "assume that the previous request was sent with the same settings as the column" in text
    cost = re.search(r"Expected cost, as gpt-4o \$([\d.]+) \$([\d.]+) \+\$([\d.]+)", text)
    was, now, more = map(Decimal, cost.groups())
    assert was >= sent[0]
    assert now >= sent[1]
    assert now - was == more


def test_a_replay_with_the_free_demo_model_is_marked_as_an_example(
    owner, conversation, at_example_prices
):
    address = f"/chat/{conversation.pk}/panel/replay?turns=50&v=set.policy%3Dall"

    text = text_of(owner.get(address))

    assert "The demo model is free. Its cost is an example, at the prices of gpt-4o." in text
    own, all_sent = re.findall(r"(?:settings|History policy all) 4 0 ([\d,]+) \d+ \$([\d.]+)", text)
    for sent, cost in (own, all_sent):
        assert Decimal(cost) >= int(sent.replace(",", ""))


REAL = "openai/gpt-4o-mini"


@pytest.fixture
def beside_a_real_price(at_example_prices, catalogue):
    cheap, priced = Prices(Decimal("0.01"), Decimal("0.02")), catalogue.prices
    catalogue.prices = lambda model: cheap if model == REAL else priced(model)


@pytest.mark.usefixtures("beside_a_real_price")
def test_an_example_is_never_compared_with_a_real_price(owner, conversation):
    text = text_of(owner.get(tries(conversation, f"set.model={REAL}")))

    assert re.search(r"Expected cost \$[\d.]+ as gpt-4o \$[\d.]+ —", text)
    assert "its side has what gpt-4o would have cost, only to give an idea." in text
    assert "Expected cost, as" not in text


@pytest.mark.usefixtures("beside_a_real_price")
def test_a_replay_draws_no_example_beside_a_real_price(owner, conversation):
    address = f"/chat/{conversation.pk}/panel/replay?turns=50&v=set.model%3D{REAL}"

    text = text_of(owner.get(address))

    assert len(re.findall(r"\$[\d.]+ as gpt-4o", text)) == 1
    assert "Tokens per turn" in text
    assert "Cost per turn" not in text


def test_the_api_counts_no_example(owner, conversation, at_example_prices):
    address = f"/api/conversations/{conversation.pk}/what-if"
    asked = {"variants": [{"settings": {"policy": "all"}}]}

    found = owner.post(address, asked, content_type="application/json").json()

    assert {each["prediction"]["money"] for each in found["tried"]} == {"0"}


@pytest.mark.parametrize(
    "query",
    [
        pytest.param("turns=7", id="turns"),
        pytest.param("v=set.length%3D-1", id="a bad value"),
        pytest.param("v=&v=&v=&v=&v=", id="five"),
    ],
)
def test_what_cannot_be_replayed_is_not_found(owner, conversation, query):
    assert owner.get(f"/chat/{conversation.pk}/panel/replay?{query}").status_code == 404


@pytest.mark.parametrize("path", ["what-if", "replay"])
def test_a_stranger_finds_nothing(client, conversation, path):
    assert client.get(f"/chat/{conversation.pk}/panel/{path}").status_code == 404


def test_what_was_ignored_is_said_once_also_beside_a_try(owner, conversation):
    add_turn(conversation, query="historyLength=lots")

    page = owner.get(f"/chat/{conversation.pk}/debug/turn/5?set.policy=all").text

    assert re.search(r"\d messages would change", page)
    assert page.count("Ignored:") == 1


@pytest.mark.parametrize(
    ("output", "said"),
    [
        (44, "The expected cost assumes an answer of 44 tokens, as it was."),
        (0, "The expected cost is of the request alone, without an answer."),
    ],
)
def test_the_expected_cost_says_for_which_answer_it_is(owner, conversation, output, said):
    record = ContextPlan.objects.filter(generation__conversation=conversation).latest("pk")
    as_it_is, other = try_variants(recorded(record), [Variant(settings={"policy": "all"})])

    assert WhatIfResult(as_it_is, other, with_money=True, output=output).answer_assumed == said
    assert "The expected cost assumes an answer of" in text_of(
        owner.get(tries(conversation, "set.policy=all"))
    )
