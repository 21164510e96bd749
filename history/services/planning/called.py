"""What a request is made of, and what a plan keeps of it to rebuild it."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

SENT = ("temperature", "max_tokens", "reasoning_effort")


@dataclass(frozen=True)
class RequestParts:
    """The parts of a request's body. `messages` and `tools` are in OpenAI's format.

    `slides`: the window moves with every turn, so that the end of the request is not worth caching.
    `lasting`: the number of messages before those that are rebuilt for each turn, None if there are
    none of these. `called`: litellm's name of the model at the time of the request; empty means its
    present name. `background`: the provider goes on with the answer if the connection ends.
    """

    model: str
    messages: list[dict[str, Any]]
    tools: list[dict[str, Any]] = field(default_factory=list)
    temperature: float | None = None
    max_tokens: int | None = None
    reasoning_effort: str | None = None
    slides: bool = False
    lasting: int | None = None
    called: str = ""
    background: bool = False


def parameters_of(model: str, body: Mapping[str, Any]) -> dict[str, Any]:
    """Return what a request's body says besides messages and tools.

    `model` is our name of the model; `called` is the library's if that is another.
    """
    names = (
        {"model": model} if model == body["model"] else {"model": model, "called": body["model"]}
    )
    background = {"background": True} if body.get("background") else {}
    return {**names, **{name: body.get(name) for name in SENT}, **background}
