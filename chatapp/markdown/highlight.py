"""Code blocks: a frame with the language's name, and Pygments' classes on the code.

Many of Pygments' lexers need n² time for some inputs (a run of blank lines, of bare words, one long
line). So only tested languages are coloured, and only code that looks like code.
"""

import re
from collections.abc import Sequence
from html import escape

from markdown_it import MarkdownIt
from markdown_it.common.utils import unescapeAll
from markdown_it.renderer import RendererHTML
from markdown_it.token import Token
from markdown_it.utils import EnvType, OptionsDict
from pygments import highlight as pygmentize
from pygments.formatters import HtmlFormatter
from pygments.lexers import get_lexer_by_name

MAX_CODE = 10_000  # The most characters of code that are coloured.
MAX_NAME = 32
NO_CODE = re.compile(
    r"""
      [^\n]{500}               # a line that nobody wrote
    | (?:[^\S\n]*\n){12}       # a gap
    | (?:[\w.\[\]$<>?]++\s++){60}  # prose
    """,
    re.VERBOSE,
)
LANGUAGES = """
    bash c c++ clojure cmake console cpp cs csharp css dart diff django docker dockerfile elixir
    erlang go golang graphql haskell html http ini java javascript jinja js json json5 jsx
    julia kotlin latex lua make makefile markdown md nginx objective-c objectivec perl php pl
    powershell proto protobuf ps1 py pycon python python3 r rb rs ruby rust sass scala scss sh
    shell shell-session sql swift tex toml ts tsx typescript vim xml yaml yml zig zsh
"""
_languages = frozenset(LANGUAGES.split())
_formatter = HtmlFormatter[str](nowrap=True)


def install(md: MarkdownIt) -> None:
    md.add_render_rule("fence", _code)
    md.add_render_rule("code_block", _code)


def code_block(code: str, language: str) -> str:
    """Put a frame around the code. `sanitise.add_copy_buttons` adds its copy button later."""
    name = escape(language[:MAX_NAME]) or "text"
    return (
        f'<figure class="code"><figcaption><span class="code-language">{name}</span></figcaption>'
        f"<pre><code>{highlight(code, language)}</code></pre></figure>\n"
    )


def highlight(code: str, language: str) -> str:
    """Return the code as HTML, coloured if `language` is known. Its text is never changed."""
    name = language.lower()
    if name not in _languages or len(code) > MAX_CODE or NO_CODE.search(code):
        return escape(code)
    lexer = get_lexer_by_name(name, stripnl=False, ensurenl=False)
    return pygmentize(code, lexer, _formatter)


def _code(
    _renderer: RendererHTML, tokens: Sequence[Token], index: int, *_: OptionsDict | EnvType
) -> str:
    language, *_rest = unescapeAll(tokens[index].info).split() or [""]
    return code_block(tokens[index].content, language)
