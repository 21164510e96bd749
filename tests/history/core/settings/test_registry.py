import pytest

from history.core.settings import registry
from history.core.settings.registry import OwnPruner
from history.core.settings.table import BY_NAME
from history.core.stages.processors import PROCESSORS
from history.core.stages.pruners import PRUNERS
from history.core.words.errors import SettingError, Unfit


@pytest.fixture(autouse=True)
def empty(monkeypatch):
    for table, start in (("processors", {}), ("pruners", {}), ("_expected", set())):
        monkeypatch.setattr(registry, table, start)


def keep_all(turns, settings, budget):
    return 0


def nothing(**options):
    return lambda segments: ()


def test_what_is_registered_is_found_by_its_name():
    registry.register_pruner("mine", keep_all)
    registry.register_processor("mine", nothing)

    assert (registry.pruners, registry.processors) == (
        {"mine": OwnPruner("mine", keep_all)},
        {"mine": nothing},
    )


def test_the_setting_may_name_a_registered_pruner():
    with pytest.raises(Unfit):
        BY_NAME["pruner"].kind.from_text("mine")

    registry.register_pruner("mine", keep_all)

    assert BY_NAME["pruner"].kind.from_text("mine") == "mine"


def test_an_expected_pruner_may_be_named_before_it_is_registered():
    registry.expect_pruners(["mine"])

    assert BY_NAME["pruner"].kind.from_text("mine") == "mine"
    assert registry.pruners == {}


@pytest.mark.parametrize("register", [registry.register_pruner, registry.register_processor])
@pytest.mark.parametrize(
    "name", ["", "Mine", "1st", "_mine", "my-own", "a b", "a" * 41, "\u00e9tude", "mine\n"]
)
def test_a_name_is_plain(register, name):
    with pytest.raises(SettingError, match="must be at most 40 lower-case letters"):
        register(name, keep_all)


@pytest.mark.parametrize(
    ("register", "name"),
    [(registry.register_pruner, n) for n in PRUNERS]
    + [(registry.register_processor, n) for n in PROCESSORS],
)
def test_a_built_in_name_is_taken(register, name):
    with pytest.raises(SettingError, match=rf"^{name}: is taken, choose another name$"):
        register(name, keep_all)


def test_the_registry_knows_every_built_in_name():
    assert (
        tuple(PRUNERS),
        tuple(PROCESSORS),
    ) == (registry.BUILT_IN_PRUNERS, registry.BUILT_IN_PROCESSORS)


def test_a_name_is_given_once():
    registry.register_pruner("mine", keep_all)

    with pytest.raises(SettingError, match=r"^mine: is taken, choose another name$"):
        registry.register_pruner("mine", lambda turns, settings, budget: 1)
    assert registry.pruners == {"mine": OwnPruner("mine", keep_all)}


def test_only_a_function_is_registered():
    with pytest.raises(SettingError, match=r"^mine: must be a function$"):
        registry.register_pruner("mine", "fifo")


class Window:
    """A class with `apply`, like a built-in processor; but its objects cannot be called."""

    def apply(self, segments, flow):
        return segments


class Tail:
    def __init__(self, count):
        self.count = count

    def __call__(self, segments):
        return segments[-self.count :]


def test_a_class_is_a_factory_only_if_what_it_makes_can_be_called():
    registry.register_processor("tail", Tail)

    with pytest.raises(
        SettingError, match=r"^window: what Window makes is no function of segments"
    ):
        registry.register_processor("window", Window)
    assert registry.processors == {"tail": Tail}


def test_a_class_is_no_pruner():
    with pytest.raises(SettingError, match=r"^mine: must be a function, not a class$"):
        registry.register_pruner("mine", Tail)
