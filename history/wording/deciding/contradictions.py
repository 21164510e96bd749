"""Sentences on settings that contradict each other: values, sources, and what to do."""

from collections.abc import Mapping

from django.utils.translation import gettext

from history.core.settings.contradictions import Contradiction, Step, Way
from history.core.settings.resolved import ResolvedSetting
from history.core.settings.spec import gettext_noop as _
from history.core.settings.spec import shown_value
from history.core.words.facts import Rule
from history.wording.deciding.sources import source_name
from history.wording.faults import Say, either, fill
from history.wording.names import quoted
from history.wording.settings import reason_of, shown_setting

PROBLEMS: Mapping[Rule, str] = {
    Rule.NOTHING_TO_SUMMARISE: _(
        "{keep_recent} must be less than {trigger_at}, or there is nothing to summarise"
    ),
    Rule.NO_SUMMARY_SENT: _("{policy} sends no summaries, but {summarize} turns them on"),
    Rule.ITEMS_BELOW_TRIGGER: _(
        "{max_items} limits what is sent, but up to {waiting} messages wait for a summary "
        "({causes}), so some are neither sent nor summarised"
    ),
    Rule.LENGTH_BELOW_TRIGGER: _(
        "{length} sends about {room} messages, but up to {waiting} wait for a summary "
        "({causes}), so some are neither sent nor summarised"
    ),
    Rule.RESERVE_TAKES_ALL: _("{output_reserve} uses up all of {bound}"),
    Rule.STRIDE_TAKES_ALL: _(
        "{token_stride} must be less than the {room} tokens that {bound} "
        "leaves after {output_reserve}, or a cut would remove every older "
        "turn"
    ),
    Rule.PRUNES_PROTECTED: _(
        "{sliding_window_turns} must be at least {min_history_turns}, because "
        "no pruner removes protected turns"
    ),
    Rule.MODEL_REFUSED: _("{summary_model} can't be used: {why}"),
    Rule.THINKING_TAKES_ALL: _(
        "{reasoning_effort} may use {budget} tokens for thinking, which leaves no room for an "
        "answer within {bound}"
    ),
    Rule.LIMIT_ABOVE_MODEL: _("{output_limit} is more than the {most} that the model can write"),
    Rule.LIMIT_TAKES_ALL: _("{output_limit} uses up all of {context_window}"),
    Rule.LIMIT_ABOVE_RESERVE: _("{output_limit} is more than {output_reserve}"),
}
STEPS: Mapping[Step, str] = {
    Step.RAISE: _("raise {setting}"),
    Step.RAISE_TO: _("raise {setting} to {value}"),
    Step.RAISE_ABOVE: _("raise {setting} above {value}"),
    Step.LOWER: _("lower {setting}"),
    Step.TURN_OFF: _("turn {setting} off"),
    Step.CHOOSE_ANOTHER: _("choose another {setting}"),
    Step.CHOOSE_ALL: _("set {setting} to all"),
}


def sentence_of(contradiction: Contradiction, say: Say = gettext) -> str:
    problem = _problem(contradiction, say)
    if not contradiction.ways:
        return problem
    ways = either([_way(way, say) for way in contradiction.ways], say)
    if contradiction.limit is None:
        return say(_("{problem}: {ways}.")).format(problem=problem, ways=ways)
    most = {"variable": contradiction.limit.variable, "most": shown_value(contradiction.limit.most)}
    text = say(_("{problem}: {ways}; {variable} allows no more than {most}."))
    return text.format(problem=problem, ways=ways, **most)


def _problem(contradiction: Contradiction, say: Say) -> str:
    labels = {setting.name: _named(setting, say) for setting in contradiction.about}
    figures = dict(contradiction.figures)
    for role in figures.keys() & {"bound", "causes"}:
        figures[role] = ", ".join(labels[name] for name in figures[role])
    return fill(say(PROBLEMS[contradiction.rule]), {**labels, **figures})


def _way(way: Way, say: Say) -> str:
    return say(STEPS[way.step]).format(
        setting=quoted(way.setting, say), value=shown_value(way.value)
    )


def _named(setting: ResolvedSetting, say: Say) -> str:
    """Name a setting: `“Token budget” 300 (agent demo v3)`; if a cap lowered it, add the cap."""
    winner = setting.winner
    more = f"; {reason_of(winner, say)}" if winner.capped else ""
    source = source_name(winner, say)
    value = shown_setting(setting.name, winner.value)
    return f"{quoted(setting.name, say)} {value} ({source}{more})"
