"""Summarisers for tests, as `SUMMARISER` names them."""

from history.services.summarising import CannotSummarise

asked: list[tuple[str, list[dict[str, str]], int]] = []


async def prose(model, messages, max_tokens):
    asked.append((model, messages, max_tokens))
    return f"Summary {len(asked)}."


async def nothing(model, messages, max_tokens):
    return " \n"


async def refusing(model, messages, max_tokens):
    raise CannotSummarise("the model is away")


async def broken(model, messages, max_tokens):
    raise KeyError("sk-secret")
