"""The inspector's pages, requested by their addresses."""

import re

import pytest
from django.template.loader import render_to_string
from django.test import Client

from chatapp.inspector.forms import RecordQuery
from chatapp.inspector.panel import panel_of
from history.core.plan.verdict import Verdict
from history.core.settings.layers import environment_layer
from history.wording.names import verdict_meaning, verdict_word
from tests.chatapp.inspector.addresses import panel
from tests.chatapp.inspector.pages import map_of, text_of, verdicts_of
from tests.factories import (
    actor_for,
    add_plan,
    add_turn,
    add_turns,
    begin_turn,
    make_agent,
    make_conversation,
    make_summary,
)
from tests.told import length_acts_as_one, no_number

DASH = "\N{EN DASH}"


def test_the_four_fields_stand_first(owner, conversation):
    text = text_of(owner.get(panel(conversation)))

    fields = (
        "Policy lastN Length 2 turns Source agent demo v1 Messages 3 sent of 7 in the transcript"
    )
    assert fields in text


def test_the_short_answers_stand_before_the_zones(owner, conversation):
    before = text_of(owner.get(panel(conversation))).partition(" built-in ")[0]

    assert "The model saw the last 2 turns; 4 earlier messages were left out." in before


def test_where_all_is_sent_the_short_answer_says_so(owner, conversation):
    text = text_of(owner.get(panel(conversation, "turn=1")))

    assert "The model saw the whole chat: 1 message." in text


def test_the_header_says_which_record_it_is(owner, conversation):
    text = text_of(owner.get(panel(conversation)))

    assert "Turn 4 of 4 Demo \N{MIDDLE DOT} demo/mirror Turn 4 of 4, step 1" in text
    assert "Demo demo/mirror agent demo v1 Policy" in text


def test_each_message_has_its_verdict_and_its_reason(owner, conversation):
    response = owner.get(panel(conversation))

    assert verdicts_of(response) == [
        ("+", ""),
        ("+", ""),
        ("T", "0"),
        ("K", "4"),
        ("K", "5"),
        ("K", "6"),
    ]
    trimmed, kept = map_of(response)[2], map_of(response)[3]
    assert trimmed["text"].startswith(f"T trimmed 4 messages, turns 1{DASH}2 Show")
    assert f"Turns 1{DASH}2 of 4; “History length” 2 keeps turns 3{DASH}4" in trimmed["text"]
    assert kept["text"].startswith("K kept user turn 3 Question 3")


def test_the_window_start_is_marked(owner, conversation):
    assert "The model's view starts here (turn 3)" in text_of(owner.get(panel(conversation)))


def test_a_folded_run_opens_into_its_messages(owner, conversation):
    record = conversation.generations.get(turn=4).plans.get()
    query = f"generation={record.generation_id}&step=1&first=0&last=3&most=100&end=oldest"

    response = owner.get(f"/chat/{conversation.pk}/panel/rows?{query}")

    assert verdicts_of(response) == [("T", "0"), ("T", "1"), ("T", "2"), ("T", "3")]
    assert map_of(response)[0]["text"].startswith("T trimmed user turn 1 Question 1")
    assert [row["text"].partition(" of ")[0][-6:] for row in map_of(response)] == [
        *("Turn 1", "Turn 1", "Turn 2", "Turn 2")
    ]
    assert f"Turn 2 of 4; “History length” 2 keeps turns 3{DASH}4" in map_of(response)[3]["text"]


@pytest.mark.parametrize(
    "change",
    [
        pytest.param({"first": "-1"}, id="before the transcript"),
        pytest.param({"last": "7"}, id="after the transcript"),
        pytest.param({"first": "3", "last": "2"}, id="backwards"),
        pytest.param({"step": "2"}, id="no such step"),
        pytest.param({"end": "middle"}, id="no such end"),
        pytest.param({"most": "0"}, id="no scale"),
        pytest.param({"last": str(2**64)}, id="past every number"),
        pytest.param({"generation": "x"}, id="no such generation"),
    ],
)
def test_rows_that_no_plan_has_are_not_there(owner, conversation, change):
    generation = conversation.generations.get(turn=4).pk
    given = {"generation": generation, "step": 1, "first": 0, "last": 3, "most": 9, "end": "oldest"}

    response = owner.get(f"/chat/{conversation.pk}/panel/rows", {**given, **change})

    assert response.status_code == 404


def test_the_cascade_shows_winner_losers_and_lock(owner, conversation, settings):
    variables = {"DEFAULT_HISTORY_POLICY": "lastN", "DEFAULT_HISTORY_LENGTH": "0"}
    settings.HISTORY_ENVIRONMENT = environment_layer(variables)
    add_turn(conversation, query="historyPolicy=all&historyLength=5abc")

    text = text_of(owner.get(panel(conversation)))

    invalid = no_number("historyLength", "5abc")
    assert (
        "lastN the last turns ◀ the server's DEFAULT_HISTORY_POLICY can't be changed here" in text
    )
    assert "all historyPolicy in the address ignored: set by the server" in text
    assert "lastN agent demo v1 same value, overridden" in text
    assert f"Ignored: {invalid}" in text
    assert f"5abc historyLength in the address ignored: {invalid.partition(': ')[2]}" in text
    assert text.count("historyLength=5abc") == 1
    assert length_acts_as_one() in text
    assert "Length 0 turns Source" in text


def test_every_letter_is_named_and_explained(owner, conversation):
    response = owner.get(panel(conversation))

    text = text_of(response)
    for verdict in Verdict:
        assert f"{verdict} {verdict_word(verdict)} {verdict_meaning(verdict)}" in text
    found = {letter for letter, _position in verdicts_of(response)}
    assert response.content.decode().count("data-filter=") == len(found)


def test_only_staff_are_led_to_the_admin(client, admin_user, agent):
    conversation = make_conversation(agent, owner=admin_user)
    add_turn(conversation)
    client.force_login(admin_user)

    html = client.get(panel(conversation)).content.decode()

    assert f'href="/admin/agents/agenttemplate/{agent.pk}/change/"' in html


def test_owners_are_not_led_to_the_admin(owner, conversation):
    assert "/admin/" not in owner.get(panel(conversation)).content.decode()


def test_the_sums_close_and_the_report_stands_beside_the_estimate(owner, conversation):
    record = conversation.generations.get(turn=4).plans.get()
    window = record.plan["window"]
    fixed = window["system_prompt"] + window["tool_schemas"]
    free = window["context_window"] - fixed - window["history"] - window["output_reserve"]
    sent = fixed + window["history"]
    percent = f"{100 * (50 - sent) / sent:+.1f}%".replace("-", "\N{MINUS SIGN}")

    text = text_of(owner.get(panel(conversation)))

    assert (
        f"{fixed} fixed + {window['history']} history + {window['output_reserve']:,} output reserve"
        f" + {free:,} free = {window['context_window']:,} window" in text
    )
    assert f"Estimated {sent} tokens (o200k_base) · provider reported 50 ({percent})" in text


def test_what_was_not_reported_is_a_dash(owner, conversation):
    add_plan(begin_turn(conversation))

    text = text_of(owner.get(panel(conversation)))

    assert "provider reported \N{EM DASH}" in text
    dash = "\N{EM DASH}"
    assert f"Output written by the model {dash} {dash} Total {dash}" in text


def test_a_reply_shows_its_tokens_by_kind_and_its_money(owner, conversation):
    usage = {"prompt": 1_205, "completion": 40, "cache_read": 1_000, "cache_write": 200}
    add_plan(begin_turn(conversation), usage=usage, cost={"total": "0.0042149"})

    text = text_of(owner.get(panel(conversation)))

    dash = "\N{EM DASH}"  # Shown if only the cost's total is stored.
    read = f"New not cached 5 {dash} Read from cache sent before 1,000 {dash}"
    written = (
        f"Written to cache for later requests 200 {dash} Output written by the model 40 {dash}"
    )
    assert f"{read} {written} Total $0.00421" in text


def test_settings_that_somebody_set_come_first_and_the_others_are_folded(owner, conversation):
    html = owner.get(panel(conversation)).content.decode()

    chosen, _, rest = html.partition("Settings left at their defaults")
    assert re.findall(r'scope="row"[^>]*>([^<]+)', chosen)[:2] == [
        *("History policy", "History length")
    ]
    assert re.findall(r'scope="rowgroup"[^>]*>([^<]+)', chosen) == ["Window", "Budget"]
    assert re.findall(r'scope="rowgroup"[^>]*>([^<]+)', rest) == [
        *("Window", "Budget", "Tools", "Images and files", "Reasoning"),
        *("Cache", "Summaries"),
    ]


def test_a_summary_can_be_read_in_the_map(owner, conversation):
    make_summary(make_conversation(make_agent("other")))
    make_summary(conversation)
    add_turn(conversation)

    response = owner.get(panel(conversation))

    assert verdicts_of(response)[2:4] == [("+", ""), ("S", "0")]
    assert "They met." in map_of(response)[2]["text"]
    assert map_of(response)[2]["text"].startswith("+ injected summary 1")


class TestTheSystemPrompt:
    SECRET = "Never say aubergine."

    @pytest.fixture
    def agent(self, agent):
        agent.system_prompt = self.SECRET
        agent.save()
        return agent

    def shown(self, browser, conversation):
        return self.SECRET in text_of(browser.get(panel(conversation)))

    def test_is_not_shown_to_an_owner(self, owner, conversation):
        assert not self.shown(owner, conversation)

    def test_is_shown_where_the_template_allows_it(self, owner, conversation, agent):
        agent.prompt_is_public = True
        agent.save()
        conversation.refresh_from_db()
        add_turn(conversation)

        assert self.shown(owner, conversation)

    def test_stays_hidden_if_it_was_written_under_the_old_rule(self, owner, conversation, agent):
        agent.prompt_is_public = True
        agent.save()

        assert not self.shown(owner, conversation)

    def test_is_shown_to_staff(self, client, admin_user, agent):
        conversation = make_conversation(agent, owner=admin_user)
        add_turn(conversation)
        client.force_login(admin_user)

        assert self.shown(client, conversation)


def test_what_was_said_is_text(owner, conversation):
    add_turn(conversation, "<script>alert(1)</script>")

    html = owner.get(panel(conversation)).content.decode()

    assert "<script>alert" not in html
    assert "&lt;script&gt;alert(1)&lt;/script&gt;" in html


def test_there_is_no_inline_style(owner, conversation):
    assert "style=" not in owner.get(panel(conversation)).content.decode()


def test_drawing_it_reads_only_the_list_of_models(conversation, django_assert_num_queries):
    add_turn(conversation)
    shown = panel_of(actor_for(conversation), conversation, RecordQuery())

    with django_assert_num_queries(1) as queries:
        render_to_string("panel/zones.html", {"panel": shown})

    assert "agents_agenttemplate" in queries[0]["sql"]


@pytest.mark.parametrize("turns", [5, 100])
def test_the_queries_do_not_grow(owner, conversation, agent, turns, django_assert_num_queries):
    agent.history_settings = {"policy": "all"}
    agent.save()
    add_turns(conversation, 10 * turns)
    conversation.refresh_from_db()
    add_turn(conversation)
    owner.get(panel(conversation))  # Fill the prompt's cache.

    with django_assert_num_queries(23):
        response = owner.get(panel(conversation))

    assert len(map_of(response)) <= 104


def test_a_turn_that_does_not_exist_says_how_many_there_are(owner, conversation):
    address = f"/chat/{conversation.pk}/debug/turn/{{}}"
    page = owner.get(address.format(9_999))

    assert page.status_code == 404
    assert "No request is stored for turn 9999. The chat has 4 turns." in text_of(page)
    assert address.format(4) in page.content.decode()
    assert "4 turns" not in Client().get(address.format(9_999)).content.decode()
