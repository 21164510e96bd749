"""Resolved settings as rows, for the panel, the terminal and the administration."""

import pytest

from history.core.settings.caps import Caps
from history.core.settings.layers import Layer, environment_layer, url_layer
from history.core.settings.resolution import overridden, resolve
from history.core.settings.spec import LayerName
from history.core.words.errors import SettingErrors
from history.core.words.facts import Rule, fact
from history.records import setting_record
from history.wording.deciding.sources import sources_of
from history.wording.faults import word_error, word_fault
from history.wording.settings import changes, setting_rows, unknown_rows
from tests.history.core.making import template


def rows(*layers, caps=None):
    return {row.name: row for row in setting_rows(resolve(layers, caps or Caps()))}


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("max_items", "off"),
        ("token_budget", "the context window"),
        ("max_message_tokens", "half of the history budget"),
        ("summarize_every", "same as recent messages not summarised"),
        ("summary_model", "the agent's own"),
        ("preserve_system_messages", "on"),
        ("context_window", "8,192"),
    ],
)
def test_a_value_is_written_in_words(name, words):
    assert rows()[name].value == words


def test_a_capped_value_stands_above_what_was_asked():
    row = rows(url_layer("historyLength=9000"), caps=Caps(length=50))["length"]

    assert (row.value, row.source) == ("50", "the server's HISTORY_LENGTH_MAX")
    assert [(x.value, x.source, x.rule) for x in row.losers] == [
        (
            "9000",
            "historyLength in the address",
            "9,000 requested; the server allows 50 (HISTORY_LENGTH_MAX)",
        ),
        ("20", "built-in", "overridden"),
    ]


def test_the_cap_is_the_source_of_what_it_decided_and_says_what_was_wanted():
    capped = resolve([template(policy="lastN", length=30)], Caps(length=10))
    short = resolve([template(policy="lastN", length=2)])

    assert sources_of(capped) == (
        "agent demo v1 (History policy)",
        "the server's HISTORY_LENGTH_MAX (History length), instead of 30 from agent demo v1",
    )
    assert changes(short, capped) == (
        "History length 10, from the server's HISTORY_LENGTH_MAX, instead of 30 from agent demo "
        "v1 (was 2)",
    )
    assert setting_record("length", capped)["source"] == "env HISTORY_LENGTH_MAX"
    assert setting_record("length", short)["source"] == "agent demo v1"


def test_the_cap_is_the_one_source_of_an_all_that_it_limits():
    capped = resolve([template(policy="all")], Caps(length=10))

    assert sources_of(capped) == (
        "the server's HISTORY_LENGTH_MAX, instead of all from agent demo v1",
    )


def test_an_all_that_acts_as_last_n_says_so():
    row = rows(template(policy="all"), caps=Caps(length=50))["policy"]

    assert (row.value, [(x.value, x.rule) for x in row.losers]) == (
        "lastN",
        [
            ("all", "all requested; the server allows a length of 50 (HISTORY_LENGTH_MAX)"),
            ("lastN", "overridden"),
        ],
    )


def test_a_stride_that_does_not_apply_is_a_loser():
    layers = environment_layer({"DEFAULT_HISTORY_LENGTH": "20"}), template(length_stride=10)
    row = rows(*layers)["length_stride"]

    assert (row.value, row.source) == ("1", "built-in")
    assert [(x.value, x.rule) for x in row.losers] == [
        ("10", "ignored: the server sets the length, so only its own steps apply")
    ]


MODEL = Layer(LayerName.BUILT_IN, "model catalogue", {"prefix": "stable"})


@pytest.mark.parametrize(
    ("layers", "source"),
    [
        ([MODEL], "the stable prefix (model catalogue)"),
        ([template(prefix="stable")], "the stable prefix (agent demo v1)"),
        (
            [environment_layer({"HISTORY_PREFIX": "stable"})],
            "the stable prefix (the server's HISTORY_PREFIX)",
        ),
    ],
)
def test_a_step_that_nobody_set_names_the_prefix_and_its_source(layers, source):
    row = rows(*layers)["length_stride"]

    assert (row.value, row.source, row.is_default) == ("10", source, False)


def test_a_step_of_the_prefix_is_a_loser_of_a_what_if():
    before = resolve([template(prefix="stable")])
    now = overridden(before, {"length_stride": 1}, "what if")

    (loser,) = next(r for r in setting_rows(now) if r.name == "length_stride").losers
    assert (loser.value, loser.source, loser.rule) == ("10", "stable prefix", "overridden")
    assert changes(before, now) == ("Length step 1 (what-if) instead of 10",)


def test_every_setting_says_where_it_is_changed():
    assert rows()["summary_model"].where == (
        "HISTORY_SUMMARY_MODEL in the server's environment, the agent, the site defaults"
    )
    assert rows()["context_window"].where == (
        "HISTORY_CONTEXT_WINDOW in the server's environment, the agent, the model catalogue "
        "(“Known models”)"
    )


def test_a_name_that_no_setting_has_is_a_row_that_says_why():
    (row,) = unknown_rows({"length": 5, "lenght": 5}, "site", "no such setting")
    (lost,) = row.losers

    assert (row.label, row.group, row.where) == ("lenght", "No longer known", "nowhere")
    assert (lost.value, lost.source, lost.reason) == ("5", "site", "no such setting")


def test_a_rule_leaves_out_what_the_row_says_already():
    invalid = rows(url_layer("historyLength=many"))["length"].losers[0]

    assert invalid.is_invalid
    assert invalid.reason == "historyLength=many: must be a whole number from 0 to 10,000"
    assert invalid.rule == "ignored: must be a whole number from 0 to 10,000"


def test_a_value_that_looks_like_a_sentence_is_not_read():
    invalid = rows(url_layer("historyLength=x%3D: y"))["length"].losers[0]

    assert invalid.reason == "historyLength=x=: y: must be a whole number from 0 to 10,000"
    assert invalid.rule == "ignored: must be a whole number from 0 to 10,000"


def test_an_unset_budget_that_is_capped_says_so():
    row = rows(caps=Caps(token_budget=8_000))["token_budget"]

    assert row.losers[0].rule == "not set; the server allows 8,000 (HISTORY_TOKEN_BUDGET_MAX)"


@pytest.mark.parametrize(
    ("wrong", "sentence"),
    [
        (fact(Rule.NO_NUMBER, least=0, most=10_000), "must be a whole number from 0 to 10,000"),
        (
            fact(Rule.NO_CHOICE, name="policy", value="ALL", choices=["none", "lastN", "all"]),
            "policy=ALL: must be none, lastN or all (did you mean all?)",
        ),
        (
            fact(Rule.NO_CHOICE, name="policy", value="x" * 9_000, choices=["none", "all"]),
            f"policy={'x' * 9_000}: must be none or all",
        ),
        (
            fact(Rule.MAY_NOT_SET, name="max_items", layer="url", allowed=["template", "site"]),
            "max_items: can't be set by an address, only by an agent or the site defaults",
        ),
        (
            fact(Rule.NO_SETTING, name="lenght", layer="site", known=["policy", "length"]),
            "lenght: no such setting for the site defaults; available: policy, length",
        ),
        (
            fact(Rule.VARIABLES_DIFFER, given={"A": "1", "B": "2"}),
            "A=1, B=2: set only one of them",
        ),
        (fact(Rule.TOLD, sentence="{as} it is"), "{as} it is"),
    ],
)
def test_a_fault_is_worded_of_its_figures(wrong, sentence):
    assert word_fault(wrong) == sentence


def test_everything_wrong_with_a_layer_is_one_text():
    wrong = {"a": fact(Rule.NO_BOOLEAN, name="a", value="x"), "b": "b: is taken"}

    assert word_error(SettingErrors(wrong)) == "a=x: must be true or false; b: is taken"


@pytest.mark.words
def test_a_change_from_unset_is_said_in_words():
    before, now = resolve([]), resolve([template(max_items=40)])

    assert changes(before, now) == ("History window (items) 40, from agent demo v1 (was off)",)


CHAT = Layer(LayerName.CONVERSATION, "conversation", {"length": 7})
ITEMS = Layer(LayerName.CONVERSATION, "conversation", {"max_items": 40})
STEPS = "Length step 1, the default (was 10)"


@pytest.mark.words
@pytest.mark.parametrize(
    ("own", "sentences"),
    [
        (CHAT, ("History length 7, from this chat (was 20)", STEPS)),
        (
            ITEMS,
            ("History window (items) 40, from this chat (was off)", STEPS),
        ),
    ],
    ids=["turns", "messages"],
)
def test_a_window_that_no_longer_moves_in_steps_is_said_plainly(own, sentences):
    before = resolve([template(length_stride=10)])

    assert changes(before, resolve([template(length_stride=10), own])) == sentences


@pytest.mark.words
def test_a_length_that_the_policy_ignores_is_no_change():
    before, now = resolve([CHAT]), resolve([template(policy="all", length=3)])

    assert changes(before, now) == ("History policy all, from agent demo v1 (was lastN)",)


@pytest.mark.words
def test_steps_are_no_change_without_a_window_that_they_move():
    before = resolve([template(length_stride=10), CHAT])
    sliding = {"pruner": "sliding_window"}

    assert before.value("length_stride") == 1
    assert changes(before, resolve([template(length_stride=10, policy="all")])) == (
        "History policy all, from agent demo v1 (was lastN)",
    )
    now = resolve([template(length_stride=10, policy="all", **sliding)])
    assert "Length step 10, from agent demo v1 (was 1)" in changes(before, now)


@pytest.mark.words
def test_a_change_to_what_nobody_set_names_the_default():
    assert changes(resolve([CHAT]), resolve([])) == ("History length 20, the default (was 7)",)
