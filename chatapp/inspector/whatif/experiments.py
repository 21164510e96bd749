"""Experiments as the panel shows them: each beside the original answer of the turn."""

from collections.abc import Iterator
from dataclasses import dataclass
from decimal import Decimal
from functools import cached_property

from django.utils.safestring import SafeString
from django.utils.translation import gettext as _

from agents.snapshot import AgentSnapshot
from chatapp.inspector.cost import example
from chatapp.inspector.whatif.asking import asking_body
from chatapp.inspector.whatif.result import difference, figure
from chatapp.inspector.whatif.word_difference import answer_html, words_compared
from chatapp.transcript.endings import EndingLine, ending_of
from history.core.money.cost import UNKNOWN, dollars
from history.models import ContextPlan, GenerationStatus
from history.services.settings.layers import TriedSettings
from history.services.whatif.answered import TurnAnswer, answer_of, experiments_beside
from history.services.whatif.experiments import TRIABLE
from history.wording.settings import changes


@dataclass(frozen=True)
class ExperimentBeside:
    """An experiment's answer, `tried`, beside the `original` one, which `record` asked for.
    `with_money` says whether the reader may see costs.
    """

    record: ContextPlan
    original: TurnAnswer
    tried: TurnAnswer
    with_money: bool

    @property
    def is_active(self) -> bool:
        return self.tried.generation.is_active

    @property
    def state(self) -> str:
        match self.tried.generation.status:
            case GenerationStatus.QUEUED:
                return _("Waiting for its turn…")
            case GenerationStatus.RUNNING:
                return _("Asking…")
            case GenerationStatus.WAITING:
                return _("A tool needs approval. Open this branch to decide.")
            case GenerationStatus.DONE:
                return _("Answered.")
        return ""

    @property
    def was(self) -> str:
        """The heading of the original answer."""
        return _("As sent") if self.original.has_left else _("Nothing was sent")

    @property
    def ending(self) -> EndingLine | None:
        return ending_of(self.tried.generation, has_text=bool(self.tried.text))

    @property
    def again(self) -> str:
        """The command that asks once more for an answer that ended badly; empty for others."""
        variant = TriedSettings.of(self.tried.generation.snapshot)
        settings = {name: variant.settings[name] for name in TRIABLE if name in variant.settings}
        if not self.ending or not (settings or variant.model):
            return ""
        return asking_body(self.record, settings, variant.model or "")

    @property
    def differences(self) -> list[str]:
        """List how the requests for the two answers differed."""
        was, now = self.original.generation.parts[0], self.tried.generation.parts[0]
        return [*_agents(was.agent, now.agent), *changes(was.settings, now.settings)]

    @property
    def sides(self) -> tuple[SafeString, SafeString]:
        was, now = self.original.text, self.tried.text
        return self.compared or (answer_html(was), answer_html(now))

    @cached_property
    def compared(self) -> tuple[SafeString, SafeString] | None:
        """Both answers with their differences marked; None while unfinished, or if too long."""
        return None if self.is_active else words_compared(self.original.text, self.tried.text)

    @property
    def is_same(self) -> bool:
        return self.original.text == self.tried.text

    @property
    def figures(self) -> Iterator[tuple[str, str, str, str]]:
        """Yield each figure's name, its two values, and their difference."""
        was, now = self.original, self.tried
        if (was.requests, now.requests) != (1, 1):
            yield figure(_("Requests"), was.requests, now.requests)
        is_estimated = was.is_estimated or now.is_estimated
        label = _("Tokens in (estimated)") if is_estimated else _("Tokens in")
        yield figure(label, was.sent, now.sent)
        if was.output is not None and now.output is not None:
            yield figure(_("Tokens out"), was.output, now.output)
        if self.with_money:
            yield _cost(was, now)


def experiments_of(record: ContextPlan, *, with_money: bool) -> list[ExperimentBeside]:
    """List the experiments with a record's turn. If there are none, this takes one query."""
    generations = experiments_beside(record)
    if not generations:
        return []
    original = answer_of(record.generation, record.branch)
    answers = [answer_of(each, each.branch) for each in generations]
    return [ExperimentBeside(record, original, each, with_money) for each in answers]


def _cost(was: TurnAnswer, now: TurnAnswer) -> tuple[str, str, str, str]:
    """Compare what the answers cost; if both were free, what they would have cost, as an example,
    as the forecast did.
    """
    examples = [example.example_cost(each) for each in (was, now)]
    if was.money == now.money == 0 and None not in examples:
        before, after = examples
        label = _("Cost, as {model}").format(model=example.NAME)
        return label, dollars(before), dollars(after), _more(before, after)
    return _("Cost"), spent(was.money), spent(now.money), _more(was.money, now.money)


def spent(money: Decimal | None) -> str:
    return _("free") if money == 0 else dollars(money)


def _more(was: Decimal | None, now: Decimal | None) -> str:
    return UNKNOWN if was is None or now is None else difference(now - was, dollars)


def _agents(was: AgentSnapshot, now: AgentSnapshot) -> Iterator[str]:
    if was.model != now.model:
        yield _("Model {model} (was {before})").format(model=now.model, before=was.model)
    if was.source != now.source:
        yield _("Answered by {agent} (was {before})").format(agent=now.source, before=was.source)
