"""How long an answer may be: the agent, the settings and the model's provider all limit it.

A request asks for no more than the plan reserves, and no more than the model can write.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace

from history.core.settings.contradictions import Contradiction, Step, Way
from history.core.settings.resolved import (
    Candidate,
    CandidateOutcome,
    ResolvedSetting,
    Settings,
    default,
)
from history.core.settings.spec import LayerName
from history.core.settings.steps import with_token_step
from history.core.settings.table import BY_NAME
from history.core.words.facts import Rule

LIMIT, RESERVE, EFFORT, WINDOW = (
    "output_limit",
    "output_reserve",
    "reasoning_effort",
    "context_window",
)


@dataclass(frozen=True, slots=True)
class OutputRules:
    """The provider's rules for the length of a model's answer, for one reasoning effort.

    `usual` tokens are reserved if nobody says how many tokens to reserve, and `room` more for
    thinking; `most` is the most that the model writes. `needs_limit`: a request without a limit
    would get one that nobody chose. A limit that is not above `budget` is refused, since thinking
    may take all of it. The effort itself is `refused` if the model accepts only other efforts.
    """

    usual: int = 4_096
    room: int = 0
    most: int | None = None
    needs_limit: bool = False
    budget: int = 0
    refused: bool = False


def with_reserve(settings: Settings, rules: OutputRules, limit: int | None) -> Settings:
    """Set the output reserve to the tokens asked for, unless somebody has set the reserve."""
    setting = settings[RESERVE]
    if setting.winner.layer is not LayerName.BUILT_IN:
        return settings
    tokens, source = _reserved(settings, rules, limit)
    reserve = replace(default(BY_NAME[RESERVE], source), raw=tokens, value=tokens)
    reserve = replace(reserve, outcome=setting.winner.outcome, reason=setting.winner.reason)
    others = (reserve if each is setting.winner else each for each in setting.candidates)
    reserving = replace(setting, candidates=tuple(others))
    return with_token_step(Settings({**settings.resolved, RESERVE: reserving}))


def _reserved(settings: Settings, rules: OutputRules, limit: int | None) -> tuple[int, str]:
    window, built_in = settings.value(WINDOW), BY_NAME[RESERVE].default
    if limit is not None:
        room = limit if limit < window else window // 2
        return min(room, rules.most or room), "output limit"
    if rules.room:
        bound = min(window, settings.value("token_budget") or window) // 2
        more = min(rules.usual + rules.room, rules.most or bound, bound)
        if more > rules.usual:
            return more, "reasoning effort"
    return rules.usual, "" if rules.usual == built_in else "model catalogue"


def asked_for(settings: Settings, rules: OutputRules, limit: int | None) -> int | None:
    """Return how many tokens the answer may have; None if the request is not to say."""
    if limit is None and not rules.needs_limit:
        return None
    bounds = limit, settings.value(RESERVE), rules.most
    return min(tokens for tokens in bounds if tokens is not None)


def leaves_no_answer(tokens: int | None, rules: OutputRules) -> bool:
    """Whether thinking may use up all the tokens asked for. A provider refuses such a request."""
    return tokens is not None and tokens <= rules.budget


def limit_of(tokens: int | None, source: str) -> ResolvedSetting | None:
    """Return an agent's output limit as a setting, so that an error can name it like a setting."""
    if tokens is None:
        return None
    candidate = Candidate(LayerName.TEMPLATE, source, tokens, tokens, CandidateOutcome.WINNER)
    return ResolvedSetting(LIMIT, (candidate,), locked=False)


def find_in_output(
    settings: Settings, rules: OutputRules, limit: ResolvedSetting | None
) -> Iterator[Contradiction]:
    """Find settings that contradict an agent's output limit, or the reasoning effort."""
    if limit:
        yield from _limit(settings, rules, limit)
    tokens = asked_for(settings, rules, limit.value if limit else None)
    if leaves_no_answer(tokens, rules):
        bound = limit if limit and limit.value == tokens else settings[RESERVE]
        ways = Way(Step.LOWER, EFFORT), Way(Step.RAISE_ABOVE, bound.name, rules.budget)
        figures = {"budget": rules.budget, "bound": [bound.name]}
        about = settings[EFFORT], bound
        yield Contradiction(Rule.THINKING_TAKES_ALL, about, ways, figures=figures)


def _limit(
    settings: Settings, rules: OutputRules, limit: ResolvedSetting
) -> Iterator[Contradiction]:
    lower, reserve, window = Way(Step.LOWER, LIMIT), settings[RESERVE], settings[WINDOW]
    if rules.most and limit.value > rules.most:
        figures = {"most": rules.most}
        yield Contradiction(Rule.LIMIT_ABOVE_MODEL, (limit,), (lower,), figures=figures)
    elif limit.value >= window.value:
        ways = lower, Way(Step.RAISE, WINDOW)
        yield Contradiction(Rule.LIMIT_TAKES_ALL, (limit, window), ways)
    elif limit.value > reserve.value:
        ways = lower, Way(Step.RAISE_TO, RESERVE, limit.value)
        yield Contradiction(Rule.LIMIT_ABOVE_RESERVE, (limit, reserve), ways)
