"""The hash of a message, chained along its path. It finds messages that a client sends again.

The hash covers only what a client can send again: role, text, the digests of the files as they were
supplied, and the calls. So two paths with the same hash have the same content up to that message.
"""

import hashlib
import json
from collections.abc import Iterable, Sequence

from history.core.transcript.messages import Message, ToolCall
from history.core.transcript.parts import attached
from history.core.words.json_text import as_object

START = ""  # The hash before the first message of a path.


def path_hash(
    before: str, role: str, text: str, calls: Iterable[ToolCall] = (), digests: Sequence[str] = ()
) -> str:
    """Return a message's SHA-256 in hexadecimal. `before` is the previous message's hash."""
    values = [before, role, text.strip(), list(digests), [_call(call) for call in calls]]
    body = json.dumps(values, separators=(",", ":"), sort_keys=True)
    return hashlib.sha256(body.encode()).hexdigest()


def path_hashes(messages: Iterable[Message]) -> list[str]:
    """Return the hash of each message of a path; the messages must begin at the path's start."""
    hashes = [START]
    for message in messages:
        digests = [part.supplied for part in attached(message.parts)]
        calls = message.tool_calls
        hashes.append(path_hash(hashes[-1], message.role, message.text, calls, digests))
    return hashes[1:]


def _call(call: ToolCall) -> list[object]:
    """Return a call's name and parsed arguments, as clients may format equal JSON differently."""
    return [call.name, json.loads(as_object(call.arguments))]
