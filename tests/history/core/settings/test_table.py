import pytest

from history.core.settings.spec import LayerName, shown_value
from history.core.settings.table import BY_NAME, SETTINGS
from history.core.words.errors import Unfit

EVERYONE = "environment url conversation template site"
CONVERSATIONS = "environment conversation template site"
ADMINISTRATORS = "environment template site"


@pytest.mark.parametrize("spec", SETTINGS, ids=lambda spec: spec.name)
def test_every_setting_has_a_valid_default_a_label_and_help(spec):
    assert spec.default is None or spec.kind.from_json(spec.default) == spec.default
    assert (spec.default is None) == bool(spec.unset)
    assert spec.label
    assert spec.help.endswith(".")


@pytest.mark.parametrize(
    ("name", "default", "fits", "refused", "layers"),
    [
        ("policy", "lastN", ["none", "all"], ["LASTN"], EVERYONE),
        ("length", "20", [0, 10_000], [-1, 10_001], EVERYONE),
        ("preserve_system_messages", "on", [False], [1], ADMINISTRATORS),
        ("max_items", "off", [2, 10_000], [1, 10_001], CONVERSATIONS),
        ("token_budget", "the context window", [256], [255], CONVERSATIONS),
        ("context_window", "8,192", [512], [511], "environment template"),
        ("output_reserve", "4,096", [1], [0], ADMINISTRATORS),
        ("pruner", "fifo", ["sliding_window", "summarize"], ["lru"], CONVERSATIONS),
        ("sliding_window_turns", "10", [1, 10_000], [0, 10_001], ADMINISTRATORS),
        ("min_history_turns", "3", [0, 100], [101], ADMINISTRATORS),
        ("max_message_tokens", "half of the history budget", [64], [63], ADMINISTRATORS),
        ("tool_results_keep", "0 (all)", [0, 1_000], [1_001], CONVERSATIONS),
        ("images_keep", "0 (all)", [0, 1_000], [-1, 1_001], CONVERSATIONS),
        ("files_keep", "0 (all)", [0, 1_000], [-1, 1_001], CONVERSATIONS),
        ("reasoning_keep", "0 (none)", [0, 1_000], [-1, 1_001], CONVERSATIONS),
        ("reasoning_effort", "default", ["none", "max"], ["", "HIGH"], CONVERSATIONS),
        ("length_stride", "1", [1, 1_000], [0, 1_001], ADMINISTRATORS),
        ("results_stride", "1", [1, 1_000], [0, 1_001], ADMINISTRATORS),
        ("images_stride", "1", [1, 1_000], [0, 1_001], ADMINISTRATORS),
        ("files_stride", "1", [1, 1_000], [0, 1_001], ADMINISTRATORS),
        ("token_stride", "1", [1, 100_000], [0, 100_001], ADMINISTRATORS),
        ("prefix", "free", ["stable"], ["", "Stable"], ADMINISTRATORS),
        ("summarize", "off", [True], ["true"], CONVERSATIONS),
        ("trigger_at", "100", [2, 10_000], [1, 10_001], ADMINISTRATORS),
        ("keep_recent", "10", [2, 10_000], [1, 10_001], ADMINISTRATORS),
        ("summarize_every", "same as recent messages not summarised", [2], [1], ADMINISTRATORS),
        ("max_checkpoints", "8", [1, 100], [0, 101], ADMINISTRATORS),
        ("summary_model", "the agent's own", ["openai/gpt-4o"], ["", "a" * 121], ADMINISTRATORS),
    ],
)
def test_the_table(name, default, fits, refused, layers):
    spec = BY_NAME[name]

    assert spec.shown(spec.default) == default
    assert spec.layers == frozenset(map(LayerName, layers.split()))
    assert [spec.kind.from_json(value) for value in fits] == fits
    for value in refused:
        with pytest.raises(Unfit):
            spec.kind.from_json(value)


def test_names_are_used_once():
    variables = [name for spec in SETTINGS for name in spec.environment]

    assert len(set(variables)) == len(variables)
    assert len(BY_NAME) == len(SETTINGS)
    assert [spec.url for spec in SETTINGS if spec.url] == ["historyPolicy", "historyLength"]


def test_variables_are_named_as_documented():
    old = {name for spec in SETTINGS for name in spec.environment[1:]}
    variables = [name for spec in SETTINGS for name in spec.environment if name not in old]

    assert variables == [
        *("DEFAULT_HISTORY_POLICY", "DEFAULT_HISTORY_LENGTH"),
        *("HISTORY_PRESERVE_SYSTEM_MESSAGES", "HISTORY_MAX_ITEMS", "HISTORY_TOKEN_BUDGET"),
        *("HISTORY_CONTEXT_WINDOW", "HISTORY_OUTPUT_RESERVE", "HISTORY_PRUNER"),
        *("HISTORY_SLIDING_WINDOW_TURNS", "HISTORY_MIN_TURNS", "HISTORY_MAX_MESSAGE_TOKENS"),
        *("HISTORY_TOOL_RESULTS_KEEP", "HISTORY_IMAGES_KEEP", "HISTORY_FILES_KEEP"),
        *("HISTORY_REASONING_KEEP", "HISTORY_REASONING_EFFORT"),
        *("HISTORY_LENGTH_STRIDE", "HISTORY_RESULTS_STRIDE", "HISTORY_IMAGES_STRIDE"),
        *("HISTORY_FILES_STRIDE", "HISTORY_TOKEN_STRIDE", "HISTORY_PREFIX"),
        *("HISTORY_SUMMARIZE", "HISTORY_TRIGGER_AT"),
        *("HISTORY_KEEP_RECENT", "HISTORY_SUMMARIZE_EVERY", "HISTORY_MAX_CHECKPOINTS"),
        "HISTORY_SUMMARY_MODEL",
    ]
    assert old == {
        "NEXT_PUBLIC_DEFAULT_HISTORY_POLICY",
        "NEXT_PUBLIC_DEFAULT_HISTORY_LENGTH",
    }


@pytest.mark.parametrize(
    ("value", "text"),
    [(True, "true"), (8_192, "8,192"), ("lastN", "lastN"), (None, "unset"), (0, "0")],
)
def test_values_are_shown_alike(value, text):
    assert shown_value(value) == text
