"""The rules by which a model accepts earlier reasoning. The app has the table of models."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from enum import StrEnum
from typing import Any

from history.core.transcript.parts import ALTERED, Reasoning, ReasoningForm


class NotTaken(StrEnum):
    """The reasons why a model does not accept earlier reasoning back."""

    NO_TAKER = "no_taker"
    OTHER_FAMILY = "other_family"
    WITHHELD = "withheld"
    NO_EFFORT = "no_effort"
    FOREIGN_LOOP = "foreign_loop"
    ALTERED = "altered"
    OTHER_FORM = "other_form"
    OTHER_MODEL = "other_model"


@dataclass(frozen=True, slots=True)
class ReasoningAccepted:
    """The rules by which a model accepts earlier reasoning back.

    `family` is the family whose reasoning it accepts: empty for nobody's, None for everybody's. A
    part needs one of the provider's `fields`, unless no fields are named. `thinks`: the model is
    asked to think; with `only_thinking` it accepts reasoning only then. A model that `minds_loop`
    does not think in a `foreign_loop`, which is a tool loop that it did not begin by thinking, and
    accepts no reasoning after a text. One that `needs_sequel` accepts only reasoning that something
    in its message follows. `withheld_by` names a provider to which, by its settings, no
    reasoning is sent back. `bound_to` names a model that accepts only its own reasoning, and only
    after exactly what came before it when it was written; it is empty for all other models.
    """

    family: str | None = None
    fields: tuple[str, ...] = ()
    thinks: bool = True
    only_thinking: bool = False
    minds_loop: bool = False
    foreign_loop: bool = False
    withheld_by: str = ""
    bound_to: str = ""
    needs_sequel: bool = False

    @property
    def moves_blocks(self) -> bool:
        """Whether litellm would move some blocks within their message, which bound blocks forbid:
        it moves Claude's.
        """
        return bool(self.bound_to) and self.minds_loop

    def refusal(self, part: Reasoning, beside: Sequence[Reasoning]) -> NotTaken | None:
        """Say why a part is not accepted; None if it is accepted. `beside` is all reasoning of its
        message.

        If one part of a message was altered, the others no longer fit together.
        """
        if self.family not in {None, part.family}:
            return NotTaken.OTHER_FAMILY if self.family else NotTaken.NO_TAKER
        if self.withheld_by:
            return NotTaken.WITHHELD
        if self.only_thinking and not self.thinks:
            return NotTaken.NO_EFFORT
        if self.only_thinking and self.foreign_loop:
            return NotTaken.FOREIGN_LOOP
        return self._unfit(part, beside)

    def _unfit(self, part: Reasoning, beside: Sequence[Reasoning]) -> NotTaken | None:
        """Say why a part does not fit, although the model's own family wrote it."""
        if any(ALTERED in thought.fields for thought in beside):
            return NotTaken.ALTERED
        has_field = not self.fields or any(name in part.fields for name in self.fields)
        if not has_field or (self.moves_blocks and _parts_text(beside)):
            return NotTaken.OTHER_FORM
        is_own = not self.bound_to or (part.bond and part.bond.model == self.bound_to)
        return None if is_own else NotTaken.OTHER_MODEL

    def as_dict(self) -> dict[str, Any]:
        return {**asdict(self), "fields": list(self.fields)}

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> "ReasoningAccepted":
        return cls(**{**data, "fields": tuple(data.get("fields", ()))})


def _parts_text(thoughts: Sequence[Reasoning]) -> bool:
    """Whether some thinking stands between texts, and other thinking is sealed. litellm can send
    sealed thinking only at the start of a message, together with all the other thinking.
    """
    is_sealed = any(thought.form is ReasoningForm.REDACTED for thought in thoughts)
    return is_sealed and any(thought.at for thought in thoughts)
