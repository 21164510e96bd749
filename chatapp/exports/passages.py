"""Write the parts of a message as Markdown, so that no content can break out of its part."""

import re
from collections.abc import Collection, Iterator

from django.utils.translation import gettext as _

from chatapp.limits.limits import spoken_size
from chatapp.transcript.thoughts import thought_of
from chatapp.uploads.sentences import kind_of
from history.core.transcript.parts import File, Image, attached
from history.core.words.wording import number
from history.models import Message
from history.models.media import ENDINGS
from history.services.explain.timeline import duration
from history.wording.parts import part_name

LONGEST = 4_000  # The most characters shown of a tool's result or of its arguments.
FENCE = re.compile(r" {0,3}(`{3,}|~{3,})(.*)")
TICKS = re.compile("`{3,}")


def closed(text: str) -> str:
    """Return the text; if it leaves a code block open, close the block at the end of the text."""
    fence = ""
    for line in text.splitlines():
        match = FENCE.match(line)
        if not match:
            continue
        mark, rest = match[1], match[2].strip()
        if not fence:
            fence = mark
        elif mark.startswith(fence) and not rest:
            fence = ""
    return f"{text}\n{fence}" if fence else text


def fenced(text: str, language: str = "") -> str:
    """Return the text as a code block that nothing in the text can end."""
    ticks = max([len(run) for run in TICKS.findall(text)], default=2) + 1
    return f"{'`' * ticks}{language}\n{text}\n{'`' * ticks}"


def folded(label: str, text: str) -> str:
    quoted = "\n".join(f"> {line}".rstrip() for line in closed(text).splitlines())
    inner = quoted.replace("</details", "&lt;/details")
    return f"<details><summary>{label}</summary>\n\n{inner}\n\n</details>"


def thought(message: Message) -> Iterator[str]:
    line = thought_of(message)
    if line and line.text:
        size = f" ({line.size})" if line.size else ""
        yield folded(f"{line.label}{size}", line.text)


def calls(message: Message) -> Iterator[str]:
    for call in message.tool_calls:
        yield _("**Tool call: {name}**").format(name=_code(call["name"]))
        yield fenced(_shortened(call["arguments"]), "json")


def result(message: Message) -> Iterator[str]:
    failed = _("**Result of {name}: failed**")
    label = failed if message.failed else _("**Result of {name}**")
    time = "" if message.took_ms is None else f" ({duration(message.took_ms)})"
    yield label.format(name=_code(message.tool_name)) + time
    yield fenced(_shortened(message.text))


def files(message: Message, digests: Collection[str]) -> Iterator[str]:
    """Yield links to the message's files, which are in a folder beside the chats, and the names of
    files that an import lacked.
    """
    for part in attached(message.as_core().parts):
        yield _file(part, is_kept=part.digest in digests)
    for name in message.missing or ():
        text = _("{name} didn't come with the import").format(name=_code(" ".join(name.split())))
        yield f"*{text}*"


def _file(part: Image | File, *, is_kept: bool) -> str:
    name = _linked(part_name(part))
    address = f"../files/{part.digest}.{ENDINGS.get(part.type, 'bin')}"
    if isinstance(part, Image):
        return f"![{name}]({address})" if is_kept else f"[{name}]"
    details = f"({kind_of(part.type)}, {spoken_size(part.size)})"
    if is_kept:
        return f"[{name}]({address}) {details}"
    return folded(f"{name} {details}", fenced(part.text))


def _shortened(text: str) -> str:
    if len(text) <= LONGEST:
        return text
    more = _("… {n} more characters; the JSON export has them.")
    return f"{text[:LONGEST]}\n{more.format(n=number(len(text) - LONGEST))}"


def _code(name: str) -> str:
    return f"`{name.replace('`', '')}`"


def _linked(name: str) -> str:
    """Escape a name so that it can stand between brackets."""
    return re.sub(r"([\\\[\]<>])", r"\\\1", name)
