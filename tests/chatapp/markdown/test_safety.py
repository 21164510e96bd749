import pytest

from chatapp.markdown import BlockStream, to_html
from chatapp.markdown.sanitise import clean, copy_button
from tests.chatapp.markdown.audit import faults
from tests.chatapp.markdown.vectors import VECTORS

every_vector = pytest.mark.parametrize("vector", VECTORS, ids=range(len(VECTORS)))


@every_vector
@pytest.mark.parametrize(
    "around",
    ["{}", "- a\n\n  {}", "> {}", "*a {} b*", "| a |\n|---|\n| {} |"],
    ids=["alone", "in a list", "in a quote", "in emphasis", "in a table"],
)
def test_an_attack_becomes_harmless_html(vector, around):
    assert faults(to_html(around.format(vector))) == []


@every_vector
def test_typed_text_is_no_other_way_in(vector):
    assert faults(to_html(vector, breaks=True)) == []


@every_vector
def test_an_attack_is_harmless_at_every_moment_of_a_stream(vector):
    stream = BlockStream()
    closed = ""
    for character in vector + "\n\nend\n":
        closed += stream.feed(character)
        assert faults(closed + to_html(stream.tail)) == []


@every_vector
def test_clean_html_stays_as_it_is_when_it_is_parsed_again(vector):
    html = to_html(vector).replace(copy_button(), "")

    assert clean(html) == html


@pytest.mark.parametrize(
    "html",
    ["<script>1</script>", "<a href='/x'>x</a>", "<p style='x'>", "<img src=x>", "<!-- x -->"],
)
def test_the_audit_sees_what_is_wrong(html):
    assert faults(html) != []


def test_a_button_is_only_ever_ours():
    forged = '<button type="button" class="copy" data-copy>Copy</button>'

    assert faults(forged) == ["1 buttons for 0 code blocks"]
    assert "<button" not in to_html(forged)


def test_no_attribute_can_hold_a_tag():
    """`add_copy_buttons` relies on this when it replaces text in clean HTML."""
    html = to_html('[x](https://a.example/</figcaption> "</figcaption>") `</figcaption>`')

    assert "</figcaption>" not in html
