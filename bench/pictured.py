"""Compare the costs of fifty turns with one picture each, for every strategy and price rule."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import replace
from decimal import Decimal
from typing import Any, Protocol, TypeAlias

from bench.strategies import PRICES, Strategy
from bench.workloads import Workload, talk
from history.core.transcript.messages import Message
from history.core.transcript.parts import Image
from history.tokens.images import image_rule
from history.tokens.parts import counted_image


class Spent(Protocol):
    """What a conversation cost under a strategy."""

    @property
    def tokens(self) -> int: ...

    @property
    def read(self) -> int: ...

    @property
    def money(self) -> Mapping[str, Decimal | None]: ...


Run: TypeAlias = Callable[[Strategy, Workload, Any], Spent]

TURNS = 50
PICTURE = counted_image(Image("a" * 64, "b" * 64, "image/jpeg", "quay.jpg", 1_280, 960))
MODELS = (
    *("openai/gpt-4o", "openai/gpt-5", "openai/gpt-5-mini", "openai/gpt-5.4", "openai/gpt-5.6-sol"),
    *("anthropic/claude-sonnet-4-5", "anthropic/claude-opus-4-7"),
    *("gemini/gemini-2.5-pro", "gemini/gemini-3-pro"),
)
SIZES = ((640, 480), (1_280, 960), (2_048, 1_536))
STRATEGIES = (
    Strategy("all images", {"policy": "all"}),
    Strategy("images_keep 10", {"policy": "all", "images_keep": 10}),
    Strategy(
        "images_keep 10, stride 10", {"policy": "all", "images_keep": 10, "images_stride": 10}
    ),
    Strategy("images_keep 3", {"policy": "all", "images_keep": 3}),
    Strategy("images_keep 3, stride 5", {"policy": "all", "images_keep": 3, "images_stride": 5}),
    Strategy("images_keep 1", {"policy": "all", "images_keep": 1}),
    Strategy("images_keep 1, stride 10", {"policy": "all", "images_keep": 1, "images_stride": 10}),
    Strategy("lastN 10, all images", {"policy": "lastN", "length": 10}),
    Strategy(
        "lastN 10, stride 10, images_keep 3, stride 5",
        {
            "policy": "lastN",
            "length": 10,
            "length_stride": 10,
            "images_keep": 3,
            "images_stride": 5,
        },
    ),
)
HEADING = f"""\
## A picture in every turn

{TURNS} turns of 60 and 180 words, each question with a picture of {PICTURE.width:,} x \
{PICTURE.height} pixels: {PICTURE.tokens:,} tokens by
OpenAI's tiles. "Each picture" is what one adds to the bill over all the turns that send it, by the
difference to the same conversation without pictures.
"""
RULES = """\
What one picture costs in one request, in the model's own tokens, by the rules in
`history/tokens/images.py`; [attachments.md](attachments.md#what-an-image-costs) has their sources:
"""


def pictured() -> Workload:
    """Return a conversation with a picture in every turn; no question asks for an earlier fact."""
    found = talk(TURNS, 60, 180)
    messages = tuple(
        replace(m, parts=(PICTURE,), tokens=m.tokens + PICTURE.tokens) if m.role == "user" else m
        for m in found.messages
    )
    return replace(found, messages=messages, questions=())


def rules_table() -> str:
    """Write a table of what each model charges, in tokens, for pictures of a few sizes."""
    sizes = [f"{width:,} x {height:,}" for width, height in SIZES]
    rows = [["model", "rule", *sizes], ["---", "---", *["--:"] * len(sizes)]]
    for model in MODELS:
        rule = image_rule(model)
        rows.append([model, rule.name, *(f"{rule.tokens(*size):,}" for size in SIZES)])
    return "\n".join(f"| {' | '.join(row)} |" for row in rows) + "\n"


def section(run: Run) -> Iterator[str]:
    """Write the section that compares the conversation's costs with and without its pictures."""
    workload = pictured()
    bare = replace(workload, messages=tuple(_without_pictures(workload.messages)))
    head = ["strategy", "tokens sent", "of these read from cache", *PRICES]
    rows = [[*head, *(f"each picture, {name[0]}" for name in PRICES)]]
    rows.append(["---", *["--:"] * (len(rows[0]) - 1)])
    rows += [_row(s, run(s, workload, ()), run(s, bare, ())) for s in STRATEGIES]
    table = "\n".join(f"| {' | '.join(row)} |" for row in rows) + "\n"
    yield from (HEADING, table, RULES, rules_table())


def _row(strategy: Strategy, outcome: Spent, plain: Spent) -> list[str]:
    share = f"{100 * outcome.read / outcome.tokens:.0f}%"
    sums = [f"${outcome.money[name] or 0:.2f}" for name in PRICES]
    each = [(outcome.money[name] or 0) - (plain.money[name] or 0) for name in PRICES]
    shares = [f"${money / TURNS:.4f}" for money in each]
    return [strategy.name, f"{outcome.tokens:,}", share, *sums, *shares]


def _without_pictures(messages: Iterable[Message]) -> Iterator[Message]:
    for message in messages:
        tokens = message.tokens - sum(part.tokens for part in message.parts)
        yield replace(message, parts=(), tokens=tokens)
