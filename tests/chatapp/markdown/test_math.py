import pytest

from chatapp.markdown import to_html
from chatapp.markdown.mathml import MAX_LATEX, to_mathml

X = '<math display="inline"><mrow><mi>x</mi></mrow></math>'
BLOCK_X = '<math display="block"><mrow><mi>x</mi></mrow></math>'


@pytest.mark.parametrize(
    ("text", "html"),
    [
        pytest.param("a $x$ b", f"<p>a {X} b</p>\n", id="dollars"),
        pytest.param(r"a \(x\) b", f"<p>a {X} b</p>\n", id="parentheses"),
        pytest.param("a $$x$$ b", f"<p>a {BLOCK_X} b</p>\n", id="display math in a line"),
        pytest.param(r"a \[x\] b", f"<p>a {BLOCK_X} b</p>\n", id="brackets in a line"),
        pytest.param("$5 and $10", "<p>$5 and $10</p>\n", id="prices"),
        pytest.param("US$5 or 5$, 6$", "<p>US$5 or 5$, 6$</p>\n", id="other prices"),
        pytest.param("$HOME and $PATH", "<p>$HOME and $PATH</p>\n", id="variables"),
        pytest.param(r"\$x\$", "<p>$x$</p>\n", id="escaped dollars"),
        pytest.param("`$x$`", "<p><code>$x$</code></p>\n", id="code is code"),
        pytest.param(r"\(x", "<p>(x</p>\n", id="not closed in a line"),
        pytest.param("**$x$**", f"<p><strong>{X}</strong></p>\n", id="in bold"),
        pytest.param("$$x$$", f"{BLOCK_X}\n", id="block in one line"),
        pytest.param("$$\nx\n$$", f"{BLOCK_X}\n", id="block"),
        pytest.param("\\[\nx\n\\]", f"{BLOCK_X}\n", id="block in brackets"),
        pytest.param("a\n$$\nx\n$$\nb", f"<p>a</p>\n{BLOCK_X}\n<p>b</p>\n", id="between lines"),
        pytest.param("$$\nx\n$$ b", f"<p>{BLOCK_X} b</p>\n", id="text after the closer"),
        pytest.param("$$x$$ *b*", f"<p>{BLOCK_X} <em>b</em></p>\n", id="text after one line"),
        pytest.param(">$$\n>x\n>$$", f"<blockquote>\n{BLOCK_X}\n</blockquote>\n", id="in a quote"),
        pytest.param("- $$\n  x\n  $$", f"<ul>\n<li>\n{BLOCK_X}\n</li>\n</ul>\n", id="in a list"),
        pytest.param("$$\n*x*\n\nb", "<p>$$\n*x*</p>\n<p>b</p>\n", id="not closed: literal text"),
        pytest.param("    $$x$$", None, id="indented code is code"),
        pytest.param(r"$\frac{$", r"<p><code>$\frac{$</code></p>" + "\n", id="bad LaTeX in a line"),
        pytest.param("$$\n\\frac{\n$$", "<p><code>$$\n\\frac{\n$$</code></p>\n", id="bad LaTeX"),
    ],
)  # fmt: skip
def test_math(text, html):
    if html is None:
        assert "<math" not in to_html(text)
    else:
        assert to_html(text) == html


@pytest.mark.parametrize(
    "latex",
    [
        pytest.param("", id="nothing"),
        pytest.param("x" * (MAX_LATEX + 1), id="too long"),
        pytest.param("{" * 70 + "}" * 70, id="too deep"),
        pytest.param("{" * 900 + "}" * 900, id="far too deep"),
        pytest.param(r"x^x^x", id="double superscript"),
        pytest.param(r"\begin{matrix}", id="not ended"),
        pytest.param(r"\newcommand{\a}{\b\b}\a", id="macro"),
        pytest.param(r"\def\a{\b\b}\a", id="old macro"),
    ],
)
def test_latex_that_cannot_be_shown(latex):
    assert to_mathml(latex, display=False) is None


def test_text_in_math_stays_text():
    """The converter by itself would leave the tag unescaped."""
    assert "<mtext>&lt;b&gt;&amp;</mtext>" in to_mathml(r"\text{<b>&amp;}", display=False)
