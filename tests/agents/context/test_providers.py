import pytest
from django.core.exceptions import ImproperlyConfigured

from agents.context import register_providers

HERE = "tests.agents.context.test_providers"


def favourite(facts):
    return f"{facts.person} likes green."


def test_a_dotted_path_is_registered_by_its_name(providers):
    register_providers({"notes": f"{HERE}.favourite"})

    assert providers == {"notes": favourite}


@pytest.mark.parametrize(
    ("path", "reason"),
    [
        (f"{HERE}.gone", f'Module "{HERE}" does not define a "gone" attribute/class'),
        ("no.such.module", "No module named 'no'"),
        (f"{HERE}.HERE", "it is not a function"),
    ],
)
def test_what_cannot_be_had_stops_the_start(providers, path, reason):
    with pytest.raises(ImproperlyConfigured) as refused:
        register_providers({"notes": path})

    assert str(refused.value) == f"CONTEXT_PROVIDERS, notes={path}: {reason}"
