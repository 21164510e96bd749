"""Older images and files become placeholders; the newest, the pinned and the current ones stay."""

from dataclasses import replace

import pytest

from history.core.plan.neutral_request import openai_messages
from history.core.plan.verdict import Verdict
from history.core.projection.invariants import check
from history.core.transcript.parts import Image, Omitted, Reasoning
from history.core.words.facts import Rule, fact
from tests.history.core.making import ROOMY, requested, verdicts
from tests.history.core.parted import agent, file, image, path, rounds, thought, user

ONE_EACH = path(
    *(message for n in range(5) for message in (user(image(f"{n}.png")), agent())), user()
)


def asked(messages, request=None, **values):
    projection = requested(messages, {**ROOMY, **values}, **(request or {}))
    check(messages, projection)
    return projection


def images(projection):
    """Return the names of the images that are sent; names of omitted ones are in brackets."""
    every = (part for message in projection.messages for part in message.parts)
    parts = (part for part in every if not isinstance(part, Reasoning))
    return [f"({p.name})" if isinstance(p, Omitted) else p.name for p in parts]


@pytest.mark.parametrize(
    ("values", "whole"),
    [
        pytest.param({}, "01234", id="off: all are sent"),
        pytest.param({"images_keep": 2}, "34", id="the newest stay"),
        pytest.param({"images_keep": 2, "images_stride": 2}, "234", id="two leave at a time"),
        pytest.param({"images_keep": 1, "images_stride": 3}, "34", id="a step of three"),
        pytest.param({"images_keep": 9}, "01234", id="there are fewer"),
        pytest.param({"files_keep": 1}, "01234", id="files do not count"),
    ],
)
def test_the_newest_images_are_sent(values, whole):
    sent = images(asked(ONE_EACH, **values))

    assert sent == [f"{n}.png" if str(n) in whole else f"({n}.png)" for n in range(5)]


def test_an_older_image_is_named_ahead_of_the_text():
    projection = asked(ONE_EACH, images_keep=4)

    first = openai_messages(projection.messages)[0]
    assert first == {"role": "user", "content": "[Image omitted: 0.png]\n\nquestion"}


def test_an_older_page_of_a_pdf_is_named_by_its_number():
    pages = (replace(image("scan.pdf"), page=n) for n in (2, 3))
    projection = asked(path(user(*pages), agent(), user()), images_keep=1)

    first = openai_messages(projection.messages)[0]["content"]
    assert first[0]["text"].strip() == "[Image omitted: scan.pdf, page 2]"


def test_the_plan_says_how_many_and_why():
    entry = asked(path(user(image(), image()), agent(), user()), images_keep=1).plan.entries[0]

    why = fact(Rule.OMITTED, kind="image", count=1, held=2, keep=1, stride=1)
    assert (entry.verdict, entry.setting, entry.reasons) == (
        Verdict.ALTERED,
        "images_keep",
        (why,),
    )
    assert [(part.kind, part.place, part.omitted) for part in entry.parts] == [
        ("image", 0, True),
        ("image", 1, False),
    ]


@pytest.mark.parametrize(
    ("after", "pins", "besides"),
    [
        pytest.param([user(image(), image())], (), ["current"], id="the current message"),
        pytest.param([user(image())], (), [], id="as many as are kept"),
        pytest.param([user(image(), image()), *rounds(1)], (), ["current"], id="in a loop"),
        pytest.param(
            [user(image(), image()), *rounds(2, image(), image())],
            (),
            ["current", "newest_round"],
            id="and the newest results",
        ),
        pytest.param(
            [user(image()), agent(), user(image())], {2}, ["pinned"], id="a pinned message"
        ),
        pytest.param([user(*[file()] * 3)], (), [], id="files are no images"),
    ],
)
def test_the_plan_names_what_stays_besides_the_newest(after, pins, besides):
    messages = path(user(image("old.png"), image("old.png")), agent(), *after)
    (why,) = asked(messages, {"pins": frozenset(pins)}, images_keep=1).plan.entries[0].reasons

    assert why.rule is Rule.OMITTED
    assert why.figures.get("besides", []) == besides


def test_a_message_of_which_nothing_is_left_is_a_placeholder():
    bare = path(user(image("a.png"), text=""), agent(), user(image("b.png")))

    assert verdicts(asked(bare, images_keep=1).plan) == "PKK"


def test_pins_and_the_current_message_keep_theirs():
    messages = path(user(image("a")), agent(), user(image("b")), agent(), user(*[image("c")] * 3))

    assert images(asked(messages, {"pins": {0}}, images_keep=1)) == ["a", "(b)", "c", "c", "c"]


@pytest.mark.parametrize(("pin", "whole"), [(0, "04"), (6, "34"), (8, "34")])
def test_what_is_pinned_stays_and_is_not_counted(pin, whole):
    sent = images(asked(ONE_EACH, {"pins": {pin}}, images_keep=1))

    assert sent == [f"{n}.png" if str(n) in whole else f"({n}.png)" for n in range(5)]


@pytest.mark.parametrize(("pin", "whole"), [(0, "ac"), (4, "bc")])
def test_a_pinned_file_is_not_counted_either(pin, whole):
    written = (message for name in "abc" for message in (user(file(name)), agent()))
    sent = images(asked(path(*written, user()), {"pins": {pin}}, files_keep=1))

    assert sent == [name if name in whole else f"({name})" for name in "abc"]


def test_results_in_a_long_loop_leave_but_those_the_model_has_not_seen():
    messages = path(user(image("q")), *rounds(3, image("shot")))

    parts = [part for m in asked(messages, images_keep=1).messages for part in m.parts]
    attached = [part for part in parts if not isinstance(part, Reasoning)]
    assert [(part.name, type(part)) for part in attached] == [
        ("q", Image),
        ("shot", Omitted),
        ("shot", Omitted),
        ("shot", Image),
    ]


def test_with_a_stable_prefix_none_leaves_that_the_answer_has_sent():
    messages = path(user(image("old")), agent(), user(image("q")), *rounds(3, image("shot")))

    sent = images(asked(messages, {"settled": 3}, images_keep=1, prefix="stable"))

    assert [name for name in sent if "shot" in name] == ["shot"] * 3
    assert sent[:2] == ["(old)", "q"]


def test_files_leave_with_their_text():
    messages = path(user(file("a.txt"), image()), agent(), user(file("b.txt")))

    sent = openai_messages(asked(messages, files_keep=1).messages)
    first = sent[0]["content"]
    assert [part.get("text") for part in first] == ["[File omitted: a.txt]", None, "question"]
    assert "some lines" in sent[2]["content"]


def test_a_placeholder_for_a_result_takes_its_images_along():
    messages = path(user(), *rounds(2, image("shot")), agent(), user())

    sent = asked(messages, tool_results_keep=1)
    assert [m.images for m in sent.messages] == [0, 0, 0, 0, 1, 0, 0]


def test_a_model_that_takes_no_images_gets_none():
    messages = path(user(image("a")), agent(), user(image("b"), file()))

    projection = asked(messages, {"takes_images": False, "pins": {0}})
    assert images(projection) == ["(a)", "(b)", "notes.txt"]
    assert projection.plan.window.images == 0
    assert projection.plan.entries[2].reasons[0].rule is Rule.NO_IMAGES


@pytest.mark.parametrize("images_keep", [None, 1])
def test_an_image_that_no_model_reads_is_not_left_out_by_a_setting_too(images_keep):
    messages = path(user(image("a"), file("old.txt")), agent(), user(image("b"), file()))

    projection = asked(messages, {"takes_images": False}, files_keep=1, images_keep=images_keep)
    entries = (entry for entry in projection.plan.entries if entry.first == 0)
    told = [(why.rule, why.figures.get("kind")) for entry in entries for why in entry.reasons]
    assert images(projection) == ["(a)", "(old.txt)", "(b)", "notes.txt"]
    assert sorted(told, key=repr) == [(Rule.NO_IMAGES, None), (Rule.OMITTED, "file")]


def test_images_are_counted_as_the_model_counts_them():
    messages = path(user(image(), image()), agent(), user())

    plan = asked(messages, {"image_price": lambda part: 300, "image_rule": "r"}).plan
    assert (plan.window.images, plan.window.history, plan.image_rule) == (600, 900, "r")
    assert [part.tokens for part in plan.entries[0].parts] == [300, 300]
    assert (plan.entries[0].tokens, plan.entries[0].sent_tokens) == (270, 700)


@pytest.mark.parametrize(
    ("parts", "kept"),
    [
        pytest.param([image(tokens=85)], [Image], id="the text is cut, the image stays"),
        pytest.param([image(tokens=900)], [Omitted], id="an image is never cut in two"),
        pytest.param([image(tokens=110)] * 2, [Omitted, Image], id="the older one goes"),
    ],
)
def test_a_message_that_is_too_large_is_clamped_around_its_images(parts, kept):
    messages = path(user(*parts, text="word " * 900, tokens=1_500), agent(), user())

    sent = asked(messages, max_message_tokens=200).messages[0]
    assert [type(part) for part in sent.parts] == kept
    assert sent.tokens <= 200
    assert "characters left out" in sent.text


def test_a_file_is_clamped_like_a_text():
    long = file(text="line " * 900, tokens=1_500)
    messages = path(user(long, picture := image()), agent(thought()), user())

    sent = asked(messages, max_message_tokens=300).messages[0]
    assert sent.tokens <= 300
    assert "characters left out" in sent.parts[0].text
    assert sent.parts[1] == picture
