"""Fake summarisers for tests. The first one records each request."""

from history.services.summaries.writing import CannotSummarise, WrittenSummary

USAGE = {"prompt": 900, "completion": 40}
asked: list[tuple[str, list[dict[str, str]], int]] = []


async def prose(model, messages, max_tokens, outgoing=None):
    asked.append((model, messages, max_tokens))
    return WrittenSummary(f"Summary {len(asked)}.", USAGE)


async def wrapped(model, messages, max_tokens, outgoing=None):
    return WrittenSummary('```json\n{"summary": "They spoke."}\n```', USAGE)


async def nothing(model, messages, max_tokens, outgoing=None):
    return WrittenSummary(" \n", USAGE)


async def refusing(model, messages, max_tokens, outgoing=None):
    raise CannotSummarise("told", sentence="the model is away")


async def broken(model, messages, max_tokens, outgoing=None):
    raise KeyError("sk-secret")
