"""Cases for every mechanism of the engine: a transcript, settings, and the expected verdicts."""

from history.core.words.facts import Rule, fact
from tests.history.budget_cases import BUDGETS
from tests.history.case_parts import (
    BUDGET,
    GREETED,
    GREETING,
    TOLD,
    UNPROTECTED,
    case,
    rounds,
    turns,
    words,
)
from tests.history.chain_cases import CHAINS

POLICIES = [
    case("F01-at-most-n-keeps-the-greeting", GREETED, "length=3", "KKKKKK"),
    case(
        "F01-one-more-trims-it",
        GREETED,
        "length=2",
        "TTTKKK",
        fact(Rule.POLICY, policy="lastN", length=2, kept=[2, 3]),
    ),
    case(
        "F01-the-current-message-is-one-of-n",
        turns(3),
        "length=1",
        "TTTTTTK",
        fact(Rule.POLICY, kept=[4, 4]),
    ),
    case(
        "F01-consecutive-user-messages-count-each",
        ["user: a", "user: b", "user: c", "assistant: d"],
        "length=2",
        "TKKK",
    ),
    case(
        "F01-calls-belong-to-their-turn",
        ["user: a", *rounds(2), "assistant: b", "user: c"],
        "length=1",
        "TTTTTTK",
    ),
    case("F02-everything", turns(30), "policy=all", "K" * 61, fact(Rule.WITHIN_BUDGET)),
    case("F02-but-for-other-stages", turns(3), "policy=all max_items=3", "TTTTKKK"),
    case(
        "F03-only-the-current-turn",
        turns(2),
        "policy=none",
        "TTTTK",
        fact(Rule.POLICY, policy="none", kept=[3, 3]),
    ),
    case(
        "F03-with-all-its-own-messages",
        [*turns(1), *rounds(1)],
        "policy=none",
        "TTKKK",
        fact(Rule.CURRENT_TURN),
    ),
    case("F03-and-system-messages", TOLD, "policy=none", "KTTTTKK", sends=("prompt", "be kind")),
    case(
        "F04-survive-every-policy",
        TOLD,
        "length=1",
        "KTTTTKK",
        fact(Rule.SYSTEM_KEPT),
        sends=("be kind", "be brief"),
    ),
    case(
        "F04-false-removes-them-under-lastN",
        TOLD,
        "length=1 preserve_system_messages=false",
        "TTTTTTK",
        sends=("prompt",),
    ),
    case(
        "F04-false-removes-them-under-all",
        TOLD,
        "policy=all preserve_system_messages=false",
        "TKKKKTK",
        fact(Rule.SYSTEM_NOT_KEPT),
        sends=("prompt",),
    ),
    case("F05-acts-as-1", turns(2), "length=0", "TTTTK", fact(Rule.LENGTH_ACTS_AS_ONE)),
    case("F05-with-a-single-turn", ["user: a"], "length=0", "K", fact(Rule.LENGTH_ACTS_AS_ONE)),
    case("F01-a-greeting-alone-is-kept", GREETING, "length=1", "KKK"),
    case(
        "F03-a-greeting-alone-is-past",
        GREETING,
        "policy=none",
        "TTT",
        fact(Rule.POLICY, policy="none", kept=[]),
    ),
    case(
        "F06-the-default-is-lastN-20",
        turns(20),
        "",
        "TT" + "K" * 39,
        fact(Rule.POLICY, policy="lastN", length=20, kept=[2, 21]),
    ),
    case("F06-at-20-nothing-is-trimmed", turns(19), "", "K" * 39),
]


LOOP = ["user: go", "assistant: right away", *rounds(10)]

WINDOWS = [
    case("F25-off-when-unset", turns(30), "policy=all", "K" * 61),
    case("F25-at-the-cap", turns(3), "max_items=7", "KKKKKKK"),
    case(
        "F25-over-the-cap",
        turns(3),
        "max_items=5",
        "TTKKKKK",
        fact(Rule.HISTORY_WINDOW, size=5, kept=5),
    ),
    case("F25-a-greeting-alone", GREETING, "policy=all max_items=2", "TKK"),
    case(
        "F25-a-repeated-call-fills-nothing",
        ["user: a", *rounds(1), "assistant: b", *rounds(1), "user: c"],
        "max_items=4",
        "TKKK!!K",
    ),
    case(
        "F25-no-segment-is-cut",
        ["user: a", *rounds(1), "assistant: b", "user: c"],
        "max_items=3",
        "TTTKK",
    ),
    case(
        "F26-walks-back-to-an-answer-in-words",
        ["user: a", "assistant: b", *rounds(2), "user: c"],
        "max_items=2",
        "TKKKKKK",
        fact(Rule.HISTORY_WINDOW, size=2, kept=6, brought=5),
        fact(Rule.EXCHANGE, size=2),
    ),
    case(
        "F26-the-current-turn-stays-whole",
        LOOP,
        "max_items=4",
        "K" * 22,
    ),
    case(
        "F26-at-most-four-times-the-cap",
        ["user: a", "assistant: b", *rounds(6), "user: c"],
        "max_items=2",
        "TKTTTTTTKKKKKKK",
    ),
    case(
        "F26-a-role-that-exists-nowhere-moves-nothing",
        ["user: a", "user: b", "user: c"],
        "max_items=2",
        "TKK",
    ),
]

REPAIRED = {
    "call_without_result": "K!K",
    "result_without_call": "K!K",
    "user_between_call_and_result": "K!K!K",
    "assistant_between_call_and_result": "K!K!K",
    "system_between_call_and_result": "K!K!K",
    "same_call_id_twice_in_a_message": "KAK!K",
    "same_call_twice_with_other_arguments": "KAKK",
    "same_call_id_twice_in_a_turn": "KKKA!",
    "result_with_the_wrong_id": "K!!K",
    "parallel_round_missing_one": "KAKK",
    "results_in_another_order": "KKKKK",
    "pending_call_at_the_end": "KKK!",
    "pending_call_beside_text": "KA",
    "empty": "",
    "only_system_messages": "K",
    "only_a_greeting": "K",
    "result_before_any_call": "!K!K",
    "two_hundred_tool_messages": "K" + "!" * 200 + "K",
    "empty_assistant_message": "K!K",
}

PLACEHOLDERS = [
    case("F36-0-is-off", [*LOOP, "user: b"], "tool_results_keep=0", "K" * 23),
    case(
        "F36-exactly-the-newest",
        ["user: a", *rounds(3), "assistant: b", "user: c"],
        "tool_results_keep=2",
        "KKPKKKKKK",
        fact(Rule.PLACEHOLDER, text="[Omitted]"),
        sends=("[Omitted]", "page 2", "page 3"),
    ),
    case(
        "F36-a-repeated-call-has-no-newest-result",
        ["user: a", *rounds(3), "assistant: b", *rounds(1), "user: c"],
        "tool_results_keep=2",
        "KKPKKKKK!!K",
        fact(Rule.UNPAIRED_RESULT, why="repeats"),
        sends=("page 2", "page 3"),
    ),
    case("F36-inside-one-long-loop", LOOP, "tool_results_keep=1", "KK" + "KP" * 9 + "KK"),
    case(
        "F36-a-parallel-round-may-be-part-placeholder",
        ["user: a", "call c1 x, c2 y", "result c1: 1", "result c2: 2", "assistant: b", "user: c"],
        "tool_results_keep=1",
        "KKPKKK",
    ),
    case(
        "F36-the-newest-round-is-whole-until-it-is-answered",
        ["user: a", "call c1 x, c2 y", "result c1: 1", "result c2: 2"],
        "tool_results_keep=1",
        "KKKK",
    ),
    case(
        "F37-text-and-ids-stay",
        ["user: a", "call c7 look: I think so", "result c7: page", *rounds(1), "user: b"],
        "tool_results_keep=1",
        "KKPKKK",
        sends=("I think so", '"id": "c7"', '"tool_call_id": "c7"'),
    ),
]

STEPS = [
    case("B05-stays", turns(3), "length=2 length_stride=3", "K" * 7),
    case(
        "B05-moves-by-the-stride",
        turns(4),
        "length=2 length_stride=3",
        "TTTTTTKKK",
        fact(Rule.POLICY, length=2, stride=3, kept=[4, 5]),
    ),
    case("B05-stays-again", turns(6), "length=2 length_stride=3", "TTTTTTKKKKKKK"),
    case("B05-moves-again", turns(7), "length=2 length_stride=3", "T" * 12 + "KKK"),
    case("B05-stride-1-is-plain", turns(4), "length=2 length_stride=1", "TTTTTTKKK"),
    case("B05-messages", turns(4), "max_items=4 length_stride=4", "TTTTKKKKK"),
    case("B05-results-stay", LOOP, "tool_results_keep=1 results_stride=10", "K" * 22),
    case(
        "B05-results-move", LOOP, "tool_results_keep=1 results_stride=4", "KK" + "KP" * 8 + "KKKK"
    ),
    case("B05-tokens-within", turns(3, 44), f"{UNPROTECTED} token_stride=150", "K" * 7),
    case("B05-tokens-move", turns(4, 44), f"{UNPROTECTED} token_stride=150", "TTTTTTKKK"),
    case("B05-tokens-stay", turns(5, 44), f"{UNPROTECTED} token_stride=150", "TTTTTTKKKKK"),
]

CLAMPS = [
    case(
        "B11-head-and-tail",
        ["user: a", f"assistant: begin {words(300)} end", "user: b"],
        "max_message_tokens=64",
        "KAK",
        fact(Rule.CLAMPED),
        sends=("begin one", "characters left out", "one end"),
    ),
    case(
        "B11-a-tools-result",
        ["user: a", "call c1 look", f"result c1: {words(300)}", "assistant: b", "user: c"],
        "max_message_tokens=64",
        "KKAKK",
        fact(Rule.CLAMPED, tokens=304),
    ),
    case("B11-half-of-the-budget", turns(1, 140), BUDGET, "KAK", fact(Rule.CLAMPED, tokens=144)),
    case("B11-the-question-comes-whole", [f"user: {words(300)}"], "max_message_tokens=64", "K"),
    case(
        "B11-unless-the-window-is-too-small",
        [f"user: {words(600)}"],
        "output_reserve=1 context_window=512",
        "A",
        sends=("characters left out",),
    ),
]

ROWS = [*POLICIES, *BUDGETS, *CHAINS, *WINDOWS, *PLACEHOLDERS, *STEPS, *CLAMPS]
