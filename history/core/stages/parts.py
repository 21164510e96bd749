"""The stages for images and files: what they cost the model, and placeholders for older ones.

The newest `images_keep` images are sent whole, and so are those of the current message and of the
newest round, because the model has not seen these yet. The same is true of files and `files_keep`.
Pins are held, so this stage does not see them.
"""

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import TypeAlias

from history.core.draft.draft import Draft
from history.core.draft.rulings import Ruling, sums_before
from history.core.plan.verdict import Verdict
from history.core.settings.resolved import Settings
from history.core.stages.rewriting import last_cold
from history.core.transcript.clamp import Count, omitted, with_parts
from history.core.transcript.messages import Message, Role
from history.core.transcript.parts import File, Image, Omitted, Part, Reasoning
from history.core.transcript.segments import Segment, Segments, flat
from history.core.words.facts import Fact, Rule, fact

Price: TypeAlias = Callable[[Image], int]
IsKept: TypeAlias = Callable[[Message, Part, int], bool]

RULE = "parts"


def as_counted(image: Image) -> int:
    """Return the tokens that were stored with the image."""
    return image.tokens


def priced(parts: Segments, price: Price) -> Segments:
    """Count images as the model does; their stored tokens follow the rule of the models that have
    the tokenizer o200k.
    """

    def fitting(message: Message) -> Message:
        now = tuple(
            replace(part, tokens=price(part)) if isinstance(part, Image) else part
            for part in message.parts
        )
        return with_parts(message, now)

    return _changed(parts, fitting)


def without_images(draft: Draft, count: Count) -> None:
    """Replace every image by a placeholder, for a model that accepts none."""

    def kept(message: Message, part: Part, ordinal: int) -> bool:
        return not isinstance(part, Image)

    draft.replace(_changed(draft.live, lambda m: omitting(m, kept, count)), _no_images)


@dataclass(frozen=True, slots=True)
class _Cut:
    """A cut through a path's images or files: those with numbers below `whole_from` are left
    out.
    """

    kind: type[Image] | type[File]
    before: dict[int, int]
    whole_from: int

    def has_one(self, message: Message) -> bool:
        return any(isinstance(part, self.kind) for part in message.parts)

    def leaves(self, message: Message) -> bool:
        """Whether an image or file of the message would be left out if only its number counted."""
        return self.has_one(message) and self.before[message.position] < self.whole_from


class PartsStage:
    """The stage that omits old images and files. Only counts along the path decide, so no older
    message need be read.
    """

    def __init__(self, draft: Draft, settings: Settings, count: Count) -> None:
        self.draft = draft
        self.settings = settings
        self.count = count
        # The reasons why older parts are sent whole, by kind.
        self.besides: dict[str, list[str]] = {}

    def apply(self, live: Segments) -> Segments:
        """Return the segments with placeholders. Usually nothing changes, and the same object is
        returned.
        """
        cuts = [cut for cut in self._cuts(live) if cut.whole_from]
        if not cuts:
            return live
        newest = live[-1].position
        self.besides = {cut.kind.kind: list(self._besides(live, cut)) for cut in cuts}

        def kept(message: Message, part: Part, ordinal: int) -> bool:
            ours = (cut for cut in cuts if isinstance(part, cut.kind))
            return all(c.before[message.position] + ordinal >= c.whole_from for c in ours)

        def short(message: Message) -> Message:
            return message if self._is_asked(message) else omitting(message, kept, self.count)

        return tuple(
            part if part.position == newest else changed
            for part, changed in zip(live, _changed(live, short), strict=True)
        )

    def ruling(self, message: Message, now: Message | None) -> Ruling:
        """Say how many of a message's images and files are left out, and by which setting."""
        gone = _omitted(now) - _omitted(message) if now else Counter[str]()
        reasons = tuple(self._reason(message, kind, count) for kind, count in gone.items())
        setting = f"{next(iter(gone))}s_keep" if gone else ""
        return Ruling(_verdict(now), RULE, setting, reasons)

    def _reason(self, message: Message, kind: str, count: int) -> Fact:
        keep, stride = self._value(f"{kind}s_keep"), self._value(f"{kind}s_stride")
        attachments = message.images if kind == Image.kind else message.files
        why = fact(Rule.OMITTED, kind=kind, count=count, held=attachments, keep=keep, stride=stride)
        besides = self.besides.get(kind)
        return why.having(besides=besides) if besides else why

    def _besides(self, live: Segments, cut: _Cut) -> Iterator[str]:
        """Yield the reasons why older parts are sent whole."""
        if any(self._is_asked(message) and cut.leaves(message) for message in flat(live)):
            yield "current"
        if any(cut.leaves(m) and not self._is_asked(m) for m in live[-1].messages):
            yield "newest_round"
        if any(map(cut.has_one, flat(self.draft.held))):
            yield "pinned"

    def _is_asked(self, message: Message) -> bool:
        return message.role is Role.USER and self.draft.is_current(message)

    def _cuts(self, live: Segments) -> Iterator[_Cut]:
        if self._value("images_keep"):
            yield self._cut(live, Image, [item.images for item in self.draft.transcript])
        if self._value("files_keep"):
            yield self._cut(live, File, [item.files for item in self.draft.transcript])

    def _cut(self, live: Segments, kind: type[Image] | type[File], counts: list[int]) -> _Cut:
        before = sums_before(self.draft.transcript, counts)
        keep, step = self._value(f"{kind.kind}s_keep"), self._value(f"{kind.kind}s_stride")
        places = [
            (before[message.position] + ordinal, message.position)
            for message in flat(live)
            if message.parts and not message.label
            for ordinal, _ in enumerate(p for p in message.parts if isinstance(p, kind))
        ]
        cold = last_cold(live)
        plain = _first_whole(places, keep)
        free = _first_whole([place for place in places if place[1] < cold], keep)
        return _Cut(kind, before, max(plain // step * step, free))

    def _value(self, name: str) -> int:
        return int(self.settings.value(name))


def _omitted(message: Message) -> Counter[str]:
    """Count a message's placeholders by kind, also those for a model that accepts no images."""
    return Counter(part.of for part in message.parts if isinstance(part, Omitted))


def omitting(message: Message, is_kept: IsKept, count: Count) -> Message:
    """Replace the images and files for which `is_kept` is false. It gets the number of each among
    the message's parts of its kind.
    """
    seen = {Image.kind: 0, File.kind: 0}
    now: list[Part] = []
    for part in message.parts:
        if not isinstance(part, Image | File):
            now.append(part)
            continue
        ordinal = seen[part.kind]
        seen[part.kind] += 1
        now.append(part if is_kept(message, part, ordinal) else omitted(part, count))
    return with_parts(message, tuple(now))


def _verdict(now: Message | None) -> Verdict:
    """Return PLACEHOLDER if only placeholders are left of the message, otherwise ALTERED."""
    if now is None or now.has_text or now.tool_calls:
        return Verdict.ALTERED
    others = (part for part in now.parts if not isinstance(part, Reasoning))
    is_gone = all(isinstance(part, Omitted) for part in others)
    return Verdict.PLACEHOLDER if is_gone else Verdict.ALTERED


def _no_images(message: Message, now: Message | None) -> Ruling:
    return Ruling(_verdict(now), RULE, "", (fact(Rule.NO_IMAGES, count=message.images),))


def _changed(parts: Segments, change: Callable[[Message], Message]) -> Segments:
    def changed(part: Segment) -> Segment:
        now = tuple(change(m) if m.parts else m for m in part.messages)
        return part if now == part.messages else replace(part, messages=now)

    return tuple([changed(p) if any(m.parts for m in p.messages) else p for p in parts])


def _first_whole(places: Sequence[tuple[int, int]], keep: int) -> int:
    return places[-keep][0] if len(places) > keep else 0
