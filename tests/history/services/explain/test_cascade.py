import pytest

from history.core.settings.layers import Layer
from history.core.settings.resolution import resolve
from history.core.settings.spec import LayerName
from history.services.explain.cascade import changes


@pytest.mark.words
def test_a_change_from_unset_is_said_in_words():
    before = resolve([])
    now = resolve([Layer(LayerName.TEMPLATE, "template demo v1", {"max_items": 40})])

    assert changes(before, now) == ("History window (items) 40, from template demo v1 (was off)",)
