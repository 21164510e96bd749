"""Compare the characters that were kept of an answer with those that its bytes contained."""

import logging
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from chatapp.llm.chunks import Reading
from chatapp.llm.reasoning.deltas import TAG, ReasoningDelta
from chatapp.llm.retries import Attempts
from chatapp.llm.streams.counts import plain
from chatapp.llm.streams.tally import Tally
from history.core.transcript.messages import ToolCall
from history.core.transcript.parts import Reasoning
from history.core.wire.streamed import StreamCounts
from history.core.words.json_text import read_json
from history.core.words.storable import storable

logger = logging.getLogger(__name__)
MOST_NAMES, LONGEST_NAME = 20, 40
MOST_TRANSFORMED = 100


def compared(
    attempts: Attempts,
    text: str,
    thoughts: Iterable[Reasoning | ReasoningDelta],
    calls: Sequence[ToolCall] = (),
    *,
    is_whole: bool = True,
) -> StreamCounts | None:
    """Compare the characters kept of an answer with its bytes; None if these were not counted.

    A difference is logged. The last bytes of an answer that was stopped or failed may not have been
    read: then the text before them must be complete, and nothing may be kept that never came.
    """
    if (tally := attempts.tally) is None or not tally.is_known:
        return None
    in_text, apart = _unkept(attempts.reading), 0
    for thought in thoughts:  # The provider sent this reasoning as part of the text, between tags.
        if TAG in thought.fields:
            in_text += len(thought.text)
        else:
            apart += len(thought.text)
    arguments = sum(_length(call.arguments, tally) for call in calls)
    # Some arguments came as objects and some as texts, and nobody knows which.
    if tally.has_objects and tally.has_texts:
        arguments = tally.arguments
    kept_counts = {"text": len(text) + in_text, "reasoning": apart, "arguments": arguments}
    comparison = StreamCounts(
        said=tally.said if is_whole else _read(tally, kept_counts),
        kept=kept_counts,
        replaced=tally.replaced,
        broken=tally.broken if is_whole else tally.before.get("broken", 0),
        unread=[storable(name)[:LONGEST_NAME] for name in sorted(tally.unread)[:MOST_NAMES]],
        transformed=[_transformed(each) for each in tally.transformed[:MOST_TRANSFORMED]],
    )
    if comparison.transformed:
        logger.error("Reasoning was not accepted as it was sent: %s", comparison.transformed)
    if comparison.differing or comparison.broken:
        lost = "Part of an answer was not kept: said %s, kept %s; %d events could not be read"
        logger.error(lost, comparison.said, comparison.kept, comparison.broken)
    return comparison


def _transformed(report: Mapping[str, Any]) -> dict[str, str]:
    """Return what a provider says that it changed in a block of the request."""
    names = ("type", "path", "reason")
    return {name: storable(str(report[name]))[:LONGEST_NAME] for name in names if report.get(name)}


def _read(tally: Tally, kept_counts: Mapping[str, int]) -> dict[str, int]:
    """Return how many characters of each kind were read of an incomplete answer.

    This is the number kept, but at least what came before the newest bytes, and at most all that
    came.
    """
    return {
        kind: min(max(kept_counts[kind], tally.before.get(kind, 0)), count)
        for kind, count in tally.said.items()
    }


def _unkept(reading: Reading | None) -> int:
    """Return how many characters of the text were not kept: tags, minus repeated reasoning."""
    if reading is None or reading.tags is None:
        return 0
    return reading.tags.removed - reading.repeated


def _length(arguments: str, tally: Tally) -> int:
    if not tally.has_objects:
        return len(arguments)
    try:
        return len(plain(read_json(arguments)))
    except ValueError:
        return len(arguments)
