"""Remove Markdown's own signs, because an excerpt shows only words. Pure functions."""

import html
import re

_MARKDOWN = re.compile(
    r"""
      ^[ ]{0,3}(?P<fence>`{3,}|~{3,})[ \t]*[^\s`][^\n]*\n?(?P<block>.*?)
      (?:^[ ]{0,3}(?P=fence)[ \t]*$|\Z)
    | ^[ ]{0,3}(?P<bare>`{3,}|~{3,})[ \t]*\n
      (?P<lines>(?:(?![ ]{0,3}(?P=bare))(?:[^\n]*\n|[^\n]+\Z))*)(?:[ ]{0,3}(?P=bare)[ \t]*$|\Z)
    | (?P<ticks>`+)(?!`)(?P<code>[^\n]{1,300}?)(?<!`)(?P=ticks)(?!`)
    | \\(?P<escaped>[!-/:-@\[-`{-~])
    | !?\[(?P<label>[^]\n]{0,300})\]\((?:[^()\s]|\([^()\s]*\)){0,2000}(?:\s+"[^"\n]*")?\)
    | <(?P<address>(?:https?://|mailto:)[^>\s]{1,2000})>
    | ^[ \t]*[|:*_=-](?:[ \t]*[|:*_=-]){2,}[ \t]*$  # A rule, or the line below a table's head.
    | (?P<row>^[ \t]*\|[^\n]*\|[ \t]*$)
    | ^[ \t]*(?:(?:>|[-*+](?:[ ]\[[ xX]\])?|\#{1,6})(?:[ \t]+|$))+
    | (?P<star>\*{1,3}|~~)(?=\S)(?P<starred>.{1,300}?)(?<=\S)(?P=star)
    | (?<!\w)(?P<line>_{1,3})(?=\S)(?P<lined>.{1,300}?)(?<=\S)(?P=line)(?!\w)
    | (?P<entity>&(?:\w{2,31}|\#\d{1,7}|\#[xX][0-9a-fA-F]{1,6});)
    """,
    re.VERBOSE | re.MULTILINE | re.DOTALL,
)
_FENCE = re.compile(r"^[ ]{0,3}(`{3,}|~{3,})([^`\n]*)$", re.MULTILINE)
_VERBATIM = ("block", "lines", "code", "escaped", "address")


def fence_at(text: str, place: int) -> str:
    """Return the line that opens the code block around a place; empty outside code blocks."""
    fence = ""
    for match in _FENCE.finditer(text, 0, place):
        if not fence:
            fence = match[1]
        elif match[1].startswith(fence) and not match[2].strip():
            fence = ""
    return f"{fence}\n" if fence else ""


def without_markdown(text: str) -> str:
    """Return the text as a reader sees it: texts of links, cells of tables, code unchanged."""
    return _MARKDOWN.sub(_read, text)


def _read(match: re.Match[str]) -> str:
    name = match.lastgroup
    if name is None:
        return ""
    if name in _VERBATIM:
        return match[name]
    if name == "entity":
        return html.unescape(match[name])
    return without_markdown(match[name].replace("|", " ") if name == "row" else match[name])
