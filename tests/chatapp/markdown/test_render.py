import pytest
from django.utils.safestring import SafeString
from hypothesis import given
from hypothesis import strategies as st

from chatapp.markdown import render, rendering, to_html
from chatapp.markdown.rendering import MAX_TYPED, content_key
from tests.chatapp.markdown.audit import text_of

LINK = 'target="_blank" rel="noopener noreferrer nofollow"'


@pytest.mark.parametrize(
    ("text", "html"),
    [
        pytest.param("*a* __b__", "<p><em>a</em> <strong>b</strong></p>\n", id="emphasis"),
        pytest.param("~~a~~", "<p><s>a</s></p>\n", id="strikethrough"),
        pytest.param("# a\nb", "<h3>a</h3>\n<p>b</p>\n", id="heading"),
        pytest.param("3. a\n4. b", '<ol start="3">\n<li>a</li>\n<li>b</li>\n</ol>\n', id="list"),
        pytest.param("a\nb", "<p>a\nb</p>\n", id="soft line break"),
        pytest.param("a  \nb", "<p>a<br>\nb</p>\n", id="hard line break"),
        pytest.param("<b>a</b> &amp;", "<p>&lt;b&gt;a&lt;/b&gt; &amp;</p>\n", id="HTML is text"),
        pytest.param(
            "[a](https://b.example 'c')",
            f'<p><a href="https://b.example" title="c" {LINK}>a</a></p>\n',
            id="link",
        ),
        pytest.param(
            "<a@b.example>",
            f'<p><a href="mailto:a@b.example" {LINK}>a@b.example</a></p>\n',
            id="mail",
        ),
        pytest.param("[a](/logout)", "<p>[a](/logout)</p>\n", id="no link to this site"),
        pytest.param("[a]\n\n[a]: /b", "<p>[a]</p>\n<p>[a]: /b</p>\n", id="no reference links"),
        pytest.param(
            "![a](https://b.example/c.png)",
            f'<p><a href="https://b.example/c.png" class="image" {LINK}>a</a></p>\n',
            id="an image is a link",
        ),
        pytest.param(
            "![](https://b.example)",
            f'<p><a href="https://b.example" class="image" {LINK}>https://b.example</a></p>\n',
            id="an image without a text is its address",
        ),
        pytest.param(
            "[![a](https://b.example)](https://c.example)",
            f'<p><a href="https://c.example" {LINK}>a</a></p>\n',
            id="an image in a link is its text",
        ),
        pytest.param("a\r\nb\rc", "<p>a\nb\nc</p>\n", id="line ends"),
        pytest.param("\0\ud800", "<p>\ufffd\ufffd</p>\n", id="what is no text"),
        pytest.param("", "", id="nothing"),
        pytest.param(" \n\n", "", id="blanks"),
    ],
)  # fmt: skip
def test_render(text, html):
    assert render(text) == html


@pytest.mark.parametrize(
    ("text", "address"),
    [
        ("See https://b.example/a_b?c=d#e now", "https://b.example/a_b?c=d#e"),
        ("**https://b.example**", "https://b.example"),
        ("(https://b.example/c_(d))", "https://b.example/c_(d)"),
        ("Is it HTTP://b.example?!", "HTTP://b.example"),
        ("„https://b.example“", "https://b.example"),
        ("見https://b.example/c。好", "https://b.example/c"),
        ('{"a":"https://b.example","c":1}', "https://b.example"),
        ("https://c.example@b.example", "https://c.example@b.example"),
        ("- https://b.example", "https://b.example"),
    ],
)
def test_a_bare_address_is_a_link_that_shows_where_it_leads(text, address):
    html = str(render(text))

    assert f'<a href="{address}" {LINK}>{address}</a>' in html
    assert html.count("<a ") == 1
    assert text_of(html).strip() == text.strip("*- ")


@pytest.mark.parametrize(
    "text",
    [
        "`https://b.example`",
        "xhttps://b.example",
        "https://",
        "https:// b",
        "ftp://b.example",
        "http\\://b.example",
        "&#104;ttps://b.example",
        "b.example",
        f"https://{'b' * 3_000}",
        "https://b.example:port",
    ],
)
def test_other_texts_are_no_links(text):
    assert "<a " not in render(text)


def test_an_address_within_a_link_is_only_its_text():
    link = f'<a href="https://c.example" {LINK}>a https://b.example</a>'
    assert render("[a https://b.example](https://c.example)") == f"<p>{link}</p>\n"


def test_items_of_a_task_list_begin_with_boxes():
    html = render("- [ ] a\n- [x] *b*\n- [X] c\n- [y] d\n\n[ ] e")

    assert list(filter(None, text_of(html).split("\n"))) == ["☐ a", "☑ b", "☑ c", "[y] d", "[ ] e"]


def test_a_table_is_aligned_without_style_attributes():
    assert to_html("|a|b|c|\n|:-|:-:|-:|\n|1|2|3|") == (
        '<table tabindex="0">\n<thead>\n<tr>\n'
        '<th align="left">a</th>\n<th align="center">b</th>\n<th align="right">c</th>\n'
        "</tr>\n</thead>\n<tbody>\n<tr>\n"
        '<td align="left">1</td>\n<td align="center">2</td>\n<td align="right">3</td>\n'
        "</tr>\n</tbody>\n</table>\n"
    )


def test_breaks_keeps_the_lines_that_a_person_typed():
    assert render("a\nb", breaks=True) == "<p>a<br>\nb</p>\n"


def test_typed_text_that_is_huge_is_shown_as_it_is():
    text = "*a*\n\n" * (MAX_TYPED // 5 + 1)

    assert to_html(text, breaks=True) == f'<pre class="plain">{text.strip()}</pre>\n'
    assert to_html(text).startswith("<p><em>a</em></p>")


def test_the_result_is_safe_for_templates():
    assert isinstance(render("cached once"), SafeString)
    assert isinstance(render("cached once"), SafeString)


def test_the_key_tells_typed_text_from_other():
    assert content_key("a", breaks=True) != content_key("a", breaks=False)
    assert content_key("a", breaks=True) == content_key("a", breaks=True)


@given(st.text())
def test_any_text_can_be_rendered(text):
    assert render(text) == to_html(text)


@given(st.text("ab cd\n.,", max_size=80))
def test_plain_words_come_through(text):
    assert text_of(to_html(text)).split() == text.split()


def test_a_text_that_the_renderer_fails_at_is_shown_as_it_was_written(monkeypatch):
    def broken(text, *, breaks):
        raise RuntimeError("no such rule")

    monkeypatch.setattr(rendering, "to_html", broken)

    assert render("<b> never rendered before") == (
        '<pre class="plain">&lt;b&gt; never rendered before</pre>\n'
    )
