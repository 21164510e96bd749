"""Resolved settings as rows, for the panel, the terminal and the administration."""

import pytest

from history.core.settings.caps import Caps
from history.core.settings.layers import Layer, environment_layer, url_layer
from history.core.settings.resolution import resolve
from history.core.settings.rows import setting_rows, unknown_rows
from history.core.settings.spec import LayerName


def rows(*layers, caps=None):
    return {row.name: row for row in setting_rows(resolve(layers, caps or Caps()))}


def template(**values):
    return Layer(LayerName.TEMPLATE, "template demo v1", values)


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("max_items", "off"),
        ("token_budget", "the context window"),
        ("max_message_tokens", "half of the history budget"),
        ("summarize_every", "same as keep_recent"),
        ("summary_model", "the agent's own"),
        ("preserve_system_messages", "true"),
        ("context_window", "8,192"),
    ],
)
def test_a_value_is_written_in_words(name, words):
    assert rows()[name].value == words


def test_a_capped_value_stands_above_what_was_asked():
    row = rows(url_layer("historyLength=9000"), caps=Caps(length=50))["length"]

    assert (row.value, row.source) == ("50", "URL historyLength")
    assert [(x.value, x.source, x.rule) for x in row.losers] == [
        ("9000", "URL historyLength", "9,000 asked; capped at 50 by HISTORY_LENGTH_MAX"),
        ("20", "built-in", "lower rank"),
    ]


def test_an_all_that_acts_as_last_n_says_so():
    row = rows(template(policy="all"), caps=Caps(length=50))["policy"]

    assert (row.value, [(x.value, x.rule) for x in row.losers]) == (
        "lastN",
        [
            ("all", "all asked; acts as lastN 50, capped by HISTORY_LENGTH_MAX"),
            ("lastN", "lower rank"),
        ],
    )


def test_a_stride_that_does_not_apply_is_a_loser():
    layers = environment_layer({"DEFAULT_HISTORY_LENGTH": "20"}), template(length_stride=10)
    row = rows(*layers)["length_stride"]

    assert (row.value, row.source) == ("1", "built-in")
    assert [(x.value, x.rule) for x in row.losers] == [
        ("10", "ignored: the environment sets the length, so only its own stride applies")
    ]


def test_every_setting_says_where_it_is_changed():
    assert rows()["summary_model"].where == (
        "HISTORY_SUMMARY_MODEL in the server's environment, the agent template, the site defaults"
    )


def test_a_name_that_no_setting_has_is_a_row_that_says_why():
    (row,) = unknown_rows({"length": 5, "lenght": 5}, "site", "no such setting")
    (lost,) = row.losers

    assert (row.label, row.group, row.where) == ("lenght", "No longer known", "nowhere any more")
    assert (lost.value, lost.source, lost.reason) == ("5", "site", "no such setting")


def test_a_rule_leaves_out_what_the_row_says_already():
    invalid = rows(url_layer("historyLength=many"))["length"].losers[0]

    assert invalid.is_invalid
    assert invalid.reason.startswith("historyLength=many: ")
    assert invalid.rule == f"ignored: {invalid.reason.removeprefix('historyLength=many: ')}"
