"""Settings for programs that use the engine by itself."""

import pytest

from history.core import settings_of
from history.core.settings.table import SETTINGS
from history.core.words.errors import SettingErrors


def test_what_is_not_given_is_built_in():
    settings = settings_of(length=5)

    assert settings.value("length") == 5
    assert {spec.name: settings.value(spec.name) for spec in SETTINGS if spec.name != "length"} == {
        spec.name: spec.default for spec in SETTINGS if spec.name != "length"
    }


def test_every_setting_can_be_given_even_one_of_templates_alone():
    settings = settings_of(context_window=100_000, policy="all")

    assert (settings.value("context_window"), settings.value("policy")) == (100_000, "all")


def test_each_that_is_wrong_is_named():
    with pytest.raises(SettingErrors) as error:
        settings_of(lenght=5, length="two", policy="all")

    assert list(error.value.by_setting) == ["lenght", "length"]
