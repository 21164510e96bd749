import pytest
from pygments.lexers import get_lexer_by_name

from chatapp.markdown import to_html
from chatapp.markdown.highlight import LANGUAGES, MAX_CODE, highlight
from chatapp.markdown.sanitise import copy_button
from tests.chatapp.markdown.audit import text_of

CODE = """
def f(x): # <b> & 'c'
\tif (x < 1 && "a") { return `${x}`; }   \n
<p class="a">&amp;</p> $HOME "open
@a /* b */ -- c // d

"""


def frame(language, code):
    return (
        f'<figure class="code"><figcaption><span class="code-language">{language}</span>'
        f'{copy_button()}</figcaption><pre tabindex="0"><code>{code}</code></pre></figure>\n'
    )


@pytest.mark.parametrize(
    ("text", "html"),
    [
        pytest.param("```\na\n```", frame("text", "a\n"), id="no language"),
        pytest.param("    a", frame("text", "a"), id="indented"),
        pytest.param("```\n```", frame("text", ""), id="empty"),
        pytest.param("```klingon x\na\n```", frame("klingon", "a\n"), id="unknown language"),
        pytest.param("```" + "x" * 99 + "\na\n```", frame("x" * 32, "a\n"), id="endless name"),
        pytest.param("```<b>\na\n```", frame("&lt;b&gt;", "a\n"), id="a name is text"),
        pytest.param(
            "```Python\nNone\n```",
            frame("Python", '<span class="kc">None</span>\n'),
            id="known language",
        ),
        pytest.param("```py\na", frame("py", '<span class="n">a</span>\n'), id="not closed yet"),
    ],
)  # fmt: skip
def test_code_block(text, html):
    assert to_html(text).replace("\n</code>", "</code>") == html.replace("\n</code>", "</code>")


@pytest.mark.parametrize("language", sorted(LANGUAGES.split()))
def test_colours_never_change_the_code(language):
    assert get_lexer_by_name(language)
    assert text_of(highlight(CODE, language)) == CODE
    assert "<span" in highlight(CODE, language)


@pytest.mark.parametrize(
    "code",
    [
        pytest.param("x=1\n" * (MAX_CODE // 4 + 1), id="long"),
        pytest.param("x" * 500, id="one long line"),
        pytest.param("x = 1" + " \n" * 13, id="a gap"),
        pytest.param("a b\n" * 40, id="prose"),
    ],
)
def test_code_that_is_no_code_is_not_coloured(code):
    assert highlight(code, "java") == code
