"""The ratio of a model's token count to o200k's, before the provider has reported any.

Where a figure was measured, it is the quotient of the sums over tests/history/corpus: half prose in
many languages, half code and data. English by itself comes out lower, so a start errs on the safe
side.

- cl100k_base: measured, 1.26 (English and code 1.0, Chinese 1.5, Arabic 2.2, Hindi 2.9).
- Llama 3: its vocabulary is cl100k's plus 28,000 tokens for other languages; so cl100k's.
- Claude, earlier: measured with the tokenizer in litellm's wheel, 1.37 (English 1.05, code 1.15).
- Claude, newer (Opus 4.7 and later, Sonnet 5, Fable, Mythos): about 30% more than the earlier
  ones, says platform.claude.com/docs/en/build-with-claude/token-counting; so 1.37 * 1.3.
- Mistral: measured with the two tokenizers of mistral-common: Tekken 1.13, SentencePiece 1.49. The
  first releases of Llama have a SentencePiece vocabulary of the same size.
- Gemini: a token is about four characters, says ai.google.dev/gemini-api/docs/tokens; o200k's hold
  4.5 of the corpus's English; so 1.15.
- Any other model: as cl100k, which is older and smaller than what most models use today.
"""

import re
from dataclasses import dataclass
from functools import cache

from history.tokens.approximate import APPROXIMATE
from history.tokens.counting import count_text
from history.tokens.encodings import STORED_ENCODING, encoding_for
from history.tokens.tokenizers import Tokenizer, tokenizer_for


@dataclass(frozen=True, slots=True)
class StartFactor:
    """A model's factor before it is calibrated. `source` tells people where it comes from."""

    value: float
    source: str


ENCODINGS = {
    STORED_ENCODING: StartFactor(1.0, "the model's own counter"),
    "cl100k_base": StartFactor(1.26, "measured for cl100k_base"),
}
FAMILIES = (
    (
        r"claude-(mythos|[a-z]+-(4[-.][7-9]|[5-9]))",
        StartFactor(1.78, "estimated for newer Claude models"),
    ),
    ("claude", StartFactor(1.37, "measured for an earlier Claude tokenizer")),
    ("gemini|gemma", StartFactor(1.15, "estimated for Gemini models")),
    (
        "mixtral|mistral-(7b|tiny|large-24)|llama-?2",
        StartFactor(1.49, "measured for Mistral's SentencePiece tokenizer"),
    ),
    ("[a-z]+[sx]tral", StartFactor(1.13, "measured for Mistral's Tekken tokenizer")),
    ("llama", StartFactor(1.26, "estimated for Llama models")),
)
UNKNOWN = StartFactor(1.26, "estimated: nothing is known of how the model counts")


def start_of(model: str) -> StartFactor:
    own = tokenizer_for(model)
    if own and (measured := _measured(own)):
        return measured
    if encoding := encoding_for(model):
        return ENCODINGS[encoding]
    name = model.lower()
    return next((start for pattern, start in FAMILIES if re.search(pattern, name)), UNKNOWN)


@cache
def _measured(tokenizer: Tokenizer) -> StartFactor | None:
    """Compare a tokenizer with o200k; return None if the tokenizer fails."""
    counted = tokenizer.measure(REFERENCE)
    if counted.counter == APPROXIMATE:
        return None
    value = round(counted.tokens / count_text(REFERENCE), 3)
    return StartFactor(value, f"measured with the tokenizer for {tokenizer.pattern}")


REFERENCE = """\
Could you look at the nightly export again? It failed on Tuesday and on Thursday, both times a few
minutes after two o'clock, and the only hint in the log is a timeout while the archive was being
uploaded. I have already tried a smaller batch, which made it slower but not more reliable.

Certainly. The upload begins before the archive is complete, so a slow disk makes it wait. I suggest
writing to a temporary file first, and sending it only once it has been closed:

```python
def export(rows: Iterable[Row], target: Path, limit: int = 10_000) -> int:
    with NamedTemporaryFile("w", suffix=".csv", delete=False) as file:
        written = sum(file.write(row.as_csv()) > 0 for row in islice(rows, limit))
    shutil.move(file.name, target)
    return written
```

{"job": "export", "runs": [{"at": "2026-03-05T02:04:11Z", "rows": 8412, "ok": false}], "next": null}

Vielen Dank, das hat geholfen! Gibt es eine Möglichkeit, die Ergebnisse auch per E-Mail zu bekommen?
Oui, il suffit d'ajouter une adresse dans les réglages ; le rapport est envoyé chaque matin.
"""
