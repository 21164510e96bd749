"""What a plan keeps of a request besides messages: what the model is called and asked."""

from collections.abc import Mapping
from typing import Any

SENT = ("temperature", "max_tokens", "reasoning_effort")


def parameters_of(parts: Mapping[str, Any], body: Mapping[str, Any]) -> dict[str, Any]:
    """Return what a request's body says besides messages and tools.

    `model` is our name of the model, `called` the library's if that is another.
    """
    ours, theirs = parts["model"], body["model"]
    names = {"model": ours} if ours == theirs else {"model": ours, "called": theirs}
    return {**names, **{name: body.get(name) for name in SENT}}
