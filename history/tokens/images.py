"""The tokens of an image by the published rule of each provider, as the model itself counts them.

No tokenizer sees an image: its price follows from its width and height, after the provider has
scaled it. An image for an unknown model counts as Claude would count it, which is much for images
of an ordinary size. docs/attachments.md says where each figure was read, and when.
"""

import re
from bisect import bisect_left
from collections.abc import Callable
from dataclasses import dataclass
from math import ceil, sqrt
from typing import Protocol

from history.core.transcript.parts import LOW, Image


class ImageRule(Protocol):
    """A provider's rule for an image's tokens. `name` is the rule's name for people."""

    @property
    def name(self) -> str: ...

    def tokens(self, width: int, height: int, /) -> int: ...

    def low(self, width: int, height: int, /) -> int:
        """Count the tokens of an image that is sent with low detail."""


@dataclass(frozen=True, slots=True)
class OpenAiTiles:
    """A basic price, plus a price for each tile of 512 by 512 pixels.

    The image is first scaled to fit into 2,048 by 2,048 pixels, and then until its shorter side has
    at most 768. See developers.openai.com/api/docs/guides/images-vision#calculating-costs.
    """

    base: int
    tile: int
    name: str = "OpenAI's tiles"

    def tokens(self, width: int, height: int, /) -> int:
        width, height = _within(width, height, 2_048)
        scale = min(1.0, 768 / min(width, height))
        return self.base + self.tile * ceil(width * scale / 512) * ceil(height * scale / 512)

    def low(self, width: int, height: int, /) -> int:
        return self.base


@dataclass(frozen=True, slots=True)
class OpenAiPatches:
    """The number of patches of 32 by 32 pixels, times the model's multiplier.

    The image is first scaled until neither side exceeds `edge` pixels and at most `most` patches
    are left. See the same page as for tiles.
    """

    multiplier: float
    most: int = 1_536
    edge: int = 2_048
    name: str = "OpenAI's patches"

    def tokens(self, width: int, height: int, /) -> int:
        width, height = _within(width, height, self.edge)
        patches = _patches(width, height, 32)
        if patches > self.most:
            patches = self._fitting(width, height)
        return ceil(round(self.multiplier * patches, 6))

    def low(self, width: int, height: int, /) -> int:
        """Count the patches of the image after scaling it to at most 512 pixels a side."""
        return self.tokens(*_within(width, height, 512))

    def _fitting(self, width: int, height: int) -> int:
        """Count the patches after scaling the image until at most `most` whole ones cover it."""
        scale = sqrt(self.most / (width * height))
        across, down = width * scale, height * scale
        scale = min(int(across) / across, int(down) / down)
        return max(1, round(across * scale)) * max(1, ceil(down * scale - 1e-9))


@dataclass(frozen=True, slots=True)
class Claude:
    """The number of patches of 28 by 28 pixels.

    The image is first scaled to the largest size at which its sides have at most `edge` pixels and
    it has at most `most` patches: platform.claude.com/docs/en/build-with-claude/vision-coordinates.
    """

    edge: int = 1_568
    most: int = 1_568
    name: str = "Claude's patches"

    def tokens(self, width: int, height: int, /) -> int:
        long, short = max(width, height), min(width, height)

        def patches(side: int) -> int:
            return _patches(side, max(1, round(side * short / long)), 28)

        most = min(long, self.edge)
        fits = bisect_left(range(1, most + 1), self.most + 1, key=patches)
        return patches(max(1, fits))

    low = tokens  # Claude's API has no setting for low detail.


@dataclass(frozen=True, slots=True)
class GeminiTiles:
    """258 tokens for an image up to 384 by 384, else for each square tile. A tile's side is two
    thirds of the image's shorter side, at least 256 and at most 768. See
    ai.google.dev/gemini-api/docs/image-understanding.
    """

    name: str = "Gemini's tiles"

    def tokens(self, width: int, height: int, /) -> int:
        if max(width, height) <= 384:
            return 258
        side = min(768, max(256, int(min(width, height) / 1.5)))
        return 258 * ceil(width / side) * ceil(height / side)

    low = tokens  # Before Gemini 3, detail cannot be set for a single image.


@dataclass(frozen=True, slots=True)
class FixedTokens:
    """The same number of tokens for every image, whatever its size.

    For Gemini from 3 on see ai.google.dev/gemini-api/docs/media-resolution, for Gemma
    ai.google.dev/gemma/docs/capabilities/vision.
    """

    each: int
    name: str
    least: int = 0

    def tokens(self, width: int, height: int, /) -> int:
        return self.each

    def low(self, width: int, height: int, /) -> int:
        return self.least or self.each


# Each message is counted once, with the rule for models that use o200k.
STORED = OpenAiTiles(85, 170)
UNKNOWN = Claude(name="Claude's patches, assumed")
RULES: tuple[tuple[str, ImageRule], ...] = (
    (r"gpt-(5(\.\d+)?|4\.1)(-codex)?-mini", OpenAiPatches(1.62)),
    (r"gpt-(5(\.\d+)?|4\.1)-nano", OpenAiPatches(2.46)),
    ("o4-mini", OpenAiPatches(1.72)),
    ("gpt-4o-mini", OpenAiTiles(2_833, 5_667)),
    (r"gpt-(5\.[6-9]|[6-9]|\d\d)", OpenAiPatches(1.2, 30_000, 65_535)),
    (r"gpt-5\.5", OpenAiPatches(1.2, 10_000, 6_000)),
    (r"gpt-5\.4", OpenAiPatches(1.2, 2_500)),
    (r"gpt-5\.[23]", OpenAiPatches(1.2)),
    ("gpt-5", OpenAiTiles(70, 140)),
    (r"\bo[13]\b", OpenAiTiles(75, 150)),
    ("gpt-4|chatgpt", STORED),
    ("demo/mirror", STORED),
    (r"claude-(mythos|fable|[a-z]+-(4[-.][7-9]|[5-9]))", Claude(2_576, 4_784)),
    ("claude", Claude()),
    ("gemma-?[4-9]", FixedTokens(1_120, "Gemma's fixed figure")),
    ("gemma", FixedTokens(256, "Gemma's fixed figure")),
    (r"gemini-([3-9]|\d\d|[a-z-]+-latest)", FixedTokens(1_120, "Gemini's fixed figure", least=280)),
    ("gemini", GeminiTiles()),
)


def image_rule(model: str) -> ImageRule:
    """Return the rule for a model by litellm's name, such as `openai/gpt-4o`."""
    name = model.lower()
    return next((rule for pattern, rule in RULES if re.search(pattern, name)), UNKNOWN)


def image_tokens(width: int, height: int, rule: ImageRule = STORED) -> int:
    """Count an image's tokens; an image of unknown size counts as 1,024 by 1,024 pixels."""
    return _counted(rule.tokens, width, height)


def own_tokens(image: Image, rule: ImageRule) -> int:
    """Count an image at the detail with which it is sent, in the model's own tokens."""
    count = rule.low if image.detail == LOW else rule.tokens
    return _counted(count, image.width, image.height)


def image_price(rule: ImageRule, factor: float, image: Image) -> int:
    """Count an image in our tokens, which are the model's own divided by the model's factor."""
    return round(own_tokens(image, rule) / factor)


def _counted(count: Callable[[int, int], int], width: int, height: int) -> int:
    return count(width, height) if width > 0 and height > 0 else count(1_024, 1_024)


def _within(width: float, height: float, edge: int) -> tuple[int, int]:
    """Scale a size to at most `edge` pixels a side, keeping the proportions."""
    scale = min(1.0, edge / max(width, height))
    return max(1, round(width * scale)), max(1, round(height * scale))


def _patches(width: float, height: float, side: int) -> int:
    return ceil(width / side) * ceil(height / side)
