"""The statements of a plan and its settings as data: each is a rule and its figures.
`history.wording` makes sentences of them.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any


class Rule(StrEnum):
    """The kinds of facts. A fact of the rule `told` contains a sentence that an extension wrote."""

    TOLD = "told"
    LENGTH_ACTS_AS_ONE = "length_acts_as_one"
    SUMMARY_NOT_PAST = "summary_not_past"
    PINS_UNDER_NONE = "pins_under_none"
    TOO_MANY_PINS = "too_many_pins"
    PINS_TOO_LARGE = "pins_too_large"
    SUMMARY_IS_DUE = "summary_is_due"
    OVER_BUDGET = "over_budget"
    WITHIN_BUDGET = "within_budget"
    TURNS_EXPOSED = "turns_exposed"
    LOST = "lost"
    CONTEXT_LEFT_OUT = "context_left_out"
    CONTEXT_LEFT_OUT_BEFORE = "context_left_out_before"
    AGENT_UNKNOWN = "agent_unknown"
    AGENTS_TOO_DEEP = "agents_too_deep"
    ANSWERER_GONE = "answerer_gone"
    SERVER_UNKNOWN = "server_unknown"
    SERVER_LEFT_OUT = "server_left_out"
    TOO_MANY_TOOLS = "too_many_tools"
    UNLEARNT = "unlearnt"
    MODEL_CHOSEN = "model_chosen"
    MODEL_NOT_ALLOWED = "model_not_allowed"
    MODEL_TRIED = "model_tried"

    CURRENT_TURN = "current_turn"
    SYSTEM_KEPT = "system_kept"
    SYSTEM_NOT_KEPT = "system_not_kept"
    PINNED = "pinned"
    EXCLUDED = "excluded"
    WITHHELD = "withheld"
    POLICY = "policy"
    HISTORY_WINDOW = "history_window"
    EXCHANGE = "exchange"
    BUDGET = "budget"
    NO_ROOM = "no_room"
    SUMMARISED = "summarised"
    TOOL_CALL_FILTER = "tool_call_filter"
    TOKEN_LIMITER = "token_limiter"
    OWN_PROCESSOR = "own_processor"
    PLACEHOLDER = "placeholder"
    CLAMPED = "clamped"
    OMITTED = "omitted"
    NO_IMAGES = "no_images"
    IMAGES_TOO_LARGE = "images_too_large"
    QUOTED = "quoted"
    EMPTY = "empty"
    UNPAIRED_CALL = "unpaired_call"
    NOTHING_ELSE = "nothing_else"
    UNPAIRED_RESULT = "unpaired_result"
    INJECTED = "injected"
    NEW_PROMPT = "new_prompt"
    PROMPT_WAITS = "prompt_waits"
    CALLS_NOTE = "calls_note"
    OPENING = "opening"

    SAME_VALUE = "same_value"
    LOWER_RANK = "lower_rank"
    CAPPED = "capped"
    ALL_CAPPED = "all_capped"
    ALL_AS_LAST = "all_as_last"
    LOCKED = "locked"
    OWN_STRIDE = "own_stride"
    OTHER_LENGTH = "other_length"
    STEPS_BEYOND = "steps_beyond"
    STEPS_OF_PREFIX = "steps_of_prefix"
    LAYER_REFUSED = "layer_refused"
    MAY_NOT_SET = "may_not_set"
    NO_CHOICE = "no_choice"
    NO_NUMBER = "no_number"
    NO_BOOLEAN = "no_boolean"
    NO_MODEL = "no_model"
    REPEATED = "repeated"
    NO_OBJECT = "no_object"
    NO_SETTING = "no_setting"
    NO_SUCH_NAME = "no_such_name"
    VARIABLES_DIFFER = "variables_differ"

    NO_LEVELS = "no_levels"
    NO_LEVEL = "no_level"
    NO_LIST = "no_list"
    BAD_PROCESSOR = "bad_processor"
    NO_USE = "no_use"
    NO_PROCESSOR = "no_processor"
    NO_OPTION = "no_option"
    OPTION_MISSING = "option_missing"
    NO_NAMES = "no_names"
    BOTH_FILTERS = "both_filters"
    NO_FUNCTION = "no_function"

    PROCESSOR_FAILED = "processor_failed"
    PRUNER_FAILED = "pruner_failed"
    NO_TURN = "no_turn"
    MESSAGE_CHANGED = "message_changed"
    DOES_NOT_FIT = "does_not_fit"
    LARGEST = "largest"
    LARGEST_SHORTENED = "largest_shortened"
    NO_MESSAGE = "no_message"

    NOTHING_TO_SUMMARISE = "nothing_to_summarise"
    NO_SUMMARY_SENT = "no_summary_sent"
    ITEMS_BELOW_TRIGGER = "items_below_trigger"
    LENGTH_BELOW_TRIGGER = "length_below_trigger"
    RESERVE_TAKES_ALL = "reserve_takes_all"
    STRIDE_TAKES_ALL = "stride_takes_all"
    PRUNES_PROTECTED = "prunes_protected"
    THINKING_TAKES_ALL = "thinking_takes_all"
    LIMIT_ABOVE_MODEL = "limit_above_model"
    LIMIT_TAKES_ALL = "limit_takes_all"
    LIMIT_ABOVE_RESERVE = "limit_above_reserve"
    MODEL_REFUSED = "model_refused"

    TEXT_CHANGED = "text_changed"
    TEXT_MOVED = "text_moved"
    TEXT_ADDED = "text_added"
    TEXT_REMOVED = "text_removed"
    MESSAGE_BECAME = "message_became"
    MESSAGE_GONE = "message_gone"
    MESSAGE_NEW = "message_new"
    REASONING_LEFT = "reasoning_left"
    REASONING_AGAIN = "reasoning_again"
    PARTS_CHANGED = "parts_changed"
    WINDOW_MOVED = "window_moved"
    CACHE_EXPIRED = "cache_expired"
    PREFIX_CHANGED = "prefix_changed"

    WIRE_DROPPED = "wire_dropped"
    WIRE_CHANGED = "wire_changed"
    WIRE_MOVED = "wire_moved"
    WIRE_SPELLED = "wire_spelled"
    WIRE_ADDED = "wire_added"
    WIRE_IN_ADDRESS = "wire_in_address"
    NOT_TAKEN = "not_taken"
    NOT_WHILE_THINKING = "not_while_thinking"
    THINKING_OFF = "thinking_off"
    THINKING_UNKNOWN = "thinking_unknown"
    NO_ROOM_TO_THINK = "no_room_to_think"
    LIMIT_LOWERED = "limit_lowered"

    STREAM_LOST = "stream_lost"
    STREAM_BROKEN = "stream_broken"
    STREAM_REPLACED = "stream_replaced"
    STREAM_UNREAD = "stream_unread"
    STREAM_TRANSFORMED = "stream_transformed"


class Severity(StrEnum):
    """How serious a note is. A warning means that something that was asked for was not possible."""

    INFO = "info"
    WARNING = "warning"


@dataclass(frozen=True, slots=True)
class Fact:
    """A rule and its figures, which are JSON values by name."""

    rule: Rule
    figures: Mapping[str, Any] = field(default_factory=dict, hash=False)

    def __str__(self) -> str:
        """Show the rule and figures in logs; people read the sentence from `history.wording`."""
        sentence = self.figures.get("sentence")
        return str(sentence) if sentence else f"{self.rule} {dict(self.figures)}"

    def having(self, **figures: Any) -> "Fact":
        """Return the same fact with these figures added."""
        return Fact(self.rule, {**self.figures, **figures})

    def without(self, name: str) -> "Fact":
        return Fact(self.rule, {key: self.figures[key] for key in self.figures if key != name})

    def as_dict(self) -> dict[str, Any]:
        return {"rule": self.rule, "figures": dict(self.figures)}

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> "Fact":
        return cls(Rule(data["rule"]), data["figures"])


@dataclass(frozen=True, slots=True)
class Note:
    """A fact about the request as a whole, and how serious it is."""

    fact: Fact
    severity: Severity = Severity.INFO

    @property
    def is_warning(self) -> bool:
        return self.severity is Severity.WARNING

    def as_dict(self) -> dict[str, Any]:
        return {**self.fact.as_dict(), "severity": self.severity}

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> "Note":
        return cls(Fact.from_dict(data), Severity(data["severity"]))


def fact(rule: Rule, **figures: Any) -> Fact:
    return Fact(rule, figures)


def note(rule: Rule, **figures: Any) -> Note:
    return Note(Fact(rule, figures))


def warning(rule: Rule, **figures: Any) -> Note:
    return Note(Fact(rule, figures), Severity.WARNING)
