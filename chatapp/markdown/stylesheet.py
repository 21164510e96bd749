"""The colours of code: writes static/css/highlight.css. `python -m chatapp.markdown.stylesheet`"""

from dataclasses import dataclass
from pathlib import Path

from pygments.token import STANDARD_TYPES, Token, _TokenType

PATH = Path(__file__).resolve().parents[2] / "static" / "css" / "highlight.css"
HEADER = "/* Written by `python -m chatapp.markdown.stylesheet`: change that file, not this one. */"


@dataclass(frozen=True, slots=True)
class Ink:
    """A colour, one for light and one for dark pages, and the Pygments tokens that have it."""

    light: str
    dark: str
    tokens: tuple[_TokenType, ...]


INKS = {
    "comment": Ink("#5f6b76", "#8d99a6", (Token.Comment, Token.Generic.Output)),
    "keyword": Ink("#a3268e", "#e69ad8", (Token.Keyword, Token.Operator.Word)),
    "string": Ink("#22692b", "#9ccf8a", (Token.Literal.String, Token.Generic.Inserted)),
    "number": Ink("#9a4a00", "#efb06c", (Token.Literal, Token.Name.Constant)),
    "function": Ink("#1d58b5", "#82b4f7", (Token.Name.Function, Token.Name.Decorator)),
    "type": Ink("#7a5200", "#e3c878", (Token.Name.Class, Token.Name.Exception, Token.Keyword.Type)),
    "builtin": Ink("#0b6a75", "#6fcbd4", (Token.Name.Builtin, Token.Name.Attribute)),
    "tag": Ink("#b3261e", "#f29a93", (Token.Name.Tag, Token.Generic.Deleted, Token.Error)),
    "heading": Ink("#1d58b5", "#82b4f7", (Token.Generic.Heading, Token.Generic.Subheading)),
}


def stylesheet() -> str:
    colours = "\n".join(
        f"    --code-{n}: light-dark({i.light}, {i.dark});" for n, i in INKS.items()
    )
    rules = "\n\n".join(_rule(name) for name in INKS)
    return f"{HEADER}\n@layer components {{\n  :root {{\n{colours}\n  }}\n\n{rules}\n}}\n"


def _rule(name: str) -> str:
    classes = [css for token, css in STANDARD_TYPES.items() if _ink(token) == name]
    selectors = ",\n".join(f"  .code .{css}" for css in sorted(classes))
    return f"{selectors} {{\n    color: var(--code-{name});\n  }}"


def _ink(token: _TokenType) -> str | None:
    """Return the ink of the token, or of its nearest ancestor that has one."""
    inks = {token: name for name, ink in INKS.items() for token in ink.tokens}
    return next((inks[kind] for kind in reversed(token.split()) if kind in inks), None)


if __name__ == "__main__":
    PATH.write_text(stylesheet(), encoding="utf-8")
