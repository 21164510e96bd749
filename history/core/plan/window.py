"""How the tokens of the context window are used. The parts always add up to the window."""

from dataclasses import dataclass

PARTS = (
    "system_prompt",
    "tool_schemas",
    "summaries",
    "injected",
    "history",
    "reasoning",
    "images",
    "files",
    "calibration",
    "output_reserve",
    "free",
)
# Parts of the history that have segments of their own in the bar.
APART = ("reasoning", "images", "files")


@dataclass(frozen=True, slots=True)
class WindowPart:
    """One segment of the bar that shows the window. `percent` is its share of the window or, if the
    request does not fit the window, of the whole request.
    """

    name: str
    tokens: int
    percent: float


@dataclass(frozen=True, slots=True)
class WindowSums:
    """Sums of tokens: `history` is what is sent of the transcript, `injected` the added texts
    besides the system prompt and summaries.

    context_window + over = sent + output_reserve + free, where sent = system_prompt + tool_schemas
    + summaries + injected + history + calibration. `calibration` is the difference between the
    model's count and ours, negative if the model counts fewer. `reasoning`, `images` and `files`
    are parts of `history`, by our count.
    """

    context_window: int
    system_prompt: int
    tool_schemas: int
    injected: int
    history: int
    output_reserve: int
    summaries: int = 0
    calibration: int = 0
    reasoning: int = 0
    images: int = 0
    files: int = 0

    @property
    def counted(self) -> int:
        """All tokens that are sent, by our counter."""
        texts = self.system_prompt + self.tool_schemas + self.summaries + self.injected
        return texts + self.history

    @property
    def sent(self) -> int:
        """All tokens that are sent, in the model's own count as far as it is known."""
        return self.counted + self.calibration

    @property
    def texts(self) -> int:
        """The tokens of the history's texts and calls, without parts that are counted apart."""
        return self.history - self.reasoning - self.images - self.files

    @property
    def free(self) -> int:
        return max(0, self.context_window - self.sent - self.output_reserve)

    @property
    def over(self) -> int:
        """The tokens that do not fit into the window; if there are any, no tokens are free."""
        return max(0, self.sent + self.output_reserve - self.context_window)

    @property
    def percent(self) -> float:
        """The share of the window that is sent, in percent with one decimal."""
        return round(100 * self.sent / self.context_window, 1)

    def parts(self) -> tuple[WindowPart, ...]:
        """The bar's segments in the request's order; their tokens are the window plus `over`."""
        whole = self.context_window + self.over
        tokens = {name: getattr(self, name) for name in PARTS} | {"history": self.texts}
        if self.calibration < 0:  # A bar cannot have a segment of negative length.
            tokens = _less(tokens | {"calibration": 0}, -self.calibration)
        return tuple(
            WindowPart(name, tokens[name], round(100 * tokens[name] / whole, 2))
            for name in PARTS
            if tokens[name] or name not in APART
        )


def _less(tokens: dict[str, int], tokens_over: int) -> dict[str, int]:
    """Reduce the history by the tokens that our count has too many: first its texts, then its other
    parts.
    """
    sizes = dict(tokens)
    for name in APART:
        share = min(sizes[name], max(0, tokens_over - sizes["history"]))
        sizes[name] -= share
        tokens_over -= share
    sizes["history"] -= tokens_over
    return sizes
