"""Write what left as a command line. It has a variable where the key was."""

import shlex

from chatapp.llm.wire import KEY
from history.services.explain.raw.wire import ShownWire
from history.services.wire.storing import digest_of

ADDRESS = "$API_ADDRESS"
END = "REQUEST"
REDACTED = "# It is not the request that left: what you may not see is replaced or left out."


def wire_curl(wire: ShownWire) -> str:
    """Write the command, which sends the body byte for byte: `head` takes off the line's end.

    A reader who may not see the address fills it in.
    """
    unknown = "" if wire.address else f", {ADDRESS} the provider's address for chats"
    is_whole = digest_of(wire.text.encode()) == wire.digest
    headers = {"content-type": "application/json", **wire.headers}
    lines = [
        f"# {KEY} is your key{unknown}.",
        *([] if is_whole else [REDACTED]),
        f"head -c {len(wire.text.encode())} <<'{END}' |",
        wire.text,
        END,
        f"curl {_quoted(wire.address or ADDRESS)} --no-buffer \\",
        *(f"  -H {_quoted(f'{name}: {value}')} \\" for name, value in headers.items()),
        "  --data-binary @-",
    ]
    return "\n".join(lines) + "\n"


def _quoted(text: str) -> str:
    """Quote a text for the shell, which must expand our own variables only."""
    if text == ADDRESS:
        return f'"{text}"'
    return shlex.quote(text).replace(KEY, f"'\"{KEY}\"'")
