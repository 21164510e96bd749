import pytest

from history.core.kinds import Boolean, Choice, Integer
from history.core.settings import SETTINGS, LayerName


@pytest.mark.parametrize(
    ("kind", "raw", "value"),
    [
        (Integer(0, 10_000), "0", 0),
        (Integer(0, 10_000), "10000", 10_000),
        (Integer(0, 10_000), "007", 7),
        (Integer(512), "128000", 128_000),
        (Choice(("none", "lastN", "all")), "lastN", "lastN"),
        (Boolean(), "true", True),
        (Boolean(), "false", False),
    ],
)
def test_text_is_read(kind, raw, value):
    assert kind.from_text(raw) == value


@pytest.mark.parametrize(
    "raw",
    [
        *["-1", "+1", "5abc", "2.7", "1e3", "1_000", "1,000", "0x10", " 5", "5 ", "5\n", ""],
        *["10001", "9" * 5_000, "\u0665", "\uff15", "\u00b2", "5\x00", "None", "true"],
    ],
)
def test_only_ascii_digits_in_range_are_a_number(raw):
    with pytest.raises(ValueError, match=r"^must be ASCII digits 0 to 10,000$"):
        Integer(0, 10_000).from_text(raw)


@pytest.mark.parametrize("raw", ["", "ALL", "lastn", "LASTN", " all", "all\n", "everything", "0"])
def test_a_choice_is_exact(raw):
    with pytest.raises(ValueError, match=r"^must be none, lastN or all$"):
        Choice(("none", "lastN", "all")).from_text(raw)


@pytest.mark.parametrize("raw", ["", "True", "1", "yes", "FALSE"])
def test_a_boolean_is_true_or_false(raw):
    with pytest.raises(ValueError, match=r"^must be true or false$"):
        Boolean().from_text(raw)


@pytest.mark.parametrize("raw", [True, 5.0, "5", -1, 10_001, None, [5], {"n": 5}])
def test_a_stored_number_is_a_whole_number(raw):
    with pytest.raises(ValueError, match=r"^must be a whole number 0 to 10,000$"):
        Integer(0, 10_000).from_json(raw)


@pytest.mark.parametrize("raw", ["true", 1, 0, None, []])
def test_a_stored_boolean_is_a_boolean(raw):
    with pytest.raises(ValueError, match=r"^must be true or false$"):
        Boolean().from_json(raw)


@pytest.mark.parametrize("spec", SETTINGS, ids=lambda spec: spec.name)
def test_every_setting_has_a_valid_default_a_label_and_help(spec):
    assert spec.kind.from_json(spec.default) == spec.default
    assert spec.label
    assert spec.help.endswith(".")


@pytest.mark.parametrize(
    ("name", "layers"),
    [
        ("policy", "environment url conversation template site"),
        ("length", "environment url conversation template site"),
        ("preserve_system_messages", "environment template site"),
        ("context_window", "environment template"),
        ("output_reserve", "environment template site"),
    ],
)
def test_who_may_set_what(name, layers):
    allowed = {spec.name: spec.layers for spec in SETTINGS}

    assert allowed[name] == frozenset(map(LayerName, layers.split()))


def test_names_are_used_once():
    variables = [name for spec in SETTINGS for name in spec.environment]

    assert len(set(variables)) == len(variables)
    assert [spec.url for spec in SETTINGS if spec.url] == ["historyPolicy", "historyLength"]
