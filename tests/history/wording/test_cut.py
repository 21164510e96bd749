"""Sentences on what was left out and who decided that, in singular and plural."""

import pytest

from history.core.plan.verdict import PIN, PRESERVE, Verdict
from history.core.settings.caps import NO_CAPS, Caps
from history.core.settings.layers import Layer, environment_layer, url_layer
from history.core.settings.resolution import resolve
from history.core.settings.spec import LayerName
from history.wording.omissions import cut
from tests.history.core.making import template

LAST = {"length": 2}


@pytest.mark.parametrize(
    ("sentence", "words"),
    [
        (cut.left_out(1, ["so"]), "1 earlier message is left out (so)."),
        (
            cut.left_out(1_400, ["this", "that"]),
            "1,400 earlier messages are left out (this and that).",
        ),
        (cut.turns(0), "only the current turn"),
        (cut.turns(1), "the last turn"),
        (cut.turns(5), "the last 5 turns"),
        (cut.turns(12, 10, 19), "the last 10 to 19 turns, here 12"),
        (cut.summarised(1), "1 earlier message is left out (summarised)."),
        (cut.summarised(12), "12 earlier messages are left out (summarised)."),
        (cut.sent_anyway(PIN, 1), "1 pinned message is sent anyway"),
        (cut.sent_anyway(PRESERVE, 2), "2 system messages are sent anyway"),
        (cut.other(Verdict.ALTERED, 2), "2 messages are shortened or changed"),
        (cut.other(Verdict.PLACEHOLDER, 1), "1 message is replaced by a placeholder"),
        (cut.other(Verdict.TRIMMED, 2), "2 messages are left out"),
        (cut.other(Verdict.FILTERED, 2), "2 messages are left out by a processor"),
        (cut.other(Verdict.SUMMARISED, 2), "2 messages are left out, but summarised"),
        (cut.other(Verdict.EXCLUDED, 1), "1 message is left out by hand"),
        (cut.other(Verdict.REPAIRED, 2), "2 broken messages are left out"),
        (cut.parts_left_out("image", 1), "1 image is left out"),
        (cut.parts_left_out("file", 3), "3 files are left out"),
        (cut.line(["One."], ["two", "three"]), "One. two; three."),
        (cut.line([], []), ""),
    ],
)
def test_what_is_said(sentence, words):
    assert sentence == words


def test_all_that_is_not_as_it_was_has_its_words():
    assert cut.OTHERS.keys() == set(Verdict) - {Verdict.KEPT, Verdict.INJECTED}


@pytest.mark.parametrize(
    ("layers", "caps", "who"),
    [
        ([environment_layer({"DEFAULT_HISTORY_LENGTH": "2"})], NO_CAPS, "the server sends"),
        ([Layer(LayerName.WHAT_IF, "what if", LAST)], NO_CAPS, "the what-if sends"),
        ([url_layer("historyLength=2"), template(length=9)], NO_CAPS, "the address asks for"),
        ([Layer(LayerName.CONVERSATION, "conversation", LAST)], NO_CAPS, "this chat sends"),
        ([template(length=2)], NO_CAPS, "the agent sends"),
        ([Layer(LayerName.SITE, "site", LAST)], NO_CAPS, "every agent sends"),
        (
            [Layer(LayerName.BUILT_IN, "model catalogue", LAST)],
            NO_CAPS,
            "by default an agent sends",
        ),
        ([template(length=9)], Caps(length=2), "the server allows"),
    ],
    ids=["server", "what-if", "address", "chat", "agent", "site", "built-in", "cap"],
)
def test_it_is_said_who_decided(layers, caps, who):
    settings = resolve(layers, caps)

    assert cut.sent_by(settings, cut.turns(settings.value("length"))) == f"{who} the last 2 turns"
