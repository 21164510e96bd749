from decimal import Decimal

import pytest

from history.core.money.cost import UNPRICED, Prices

CENT = Decimal("0.01")
PRICED = {
    "large/model": Prices(CENT, 2 * CENT, CENT / 10, cache_minimum=0),
    "small/model": Prices(CENT / 10, CENT / 5, cache_minimum=0),
}


def prices(model):
    """What `MODEL_PRICES` names here."""
    return PRICED.get(model, UNPRICED)


@pytest.fixture(autouse=True)
def known_models(settings):
    settings.MODEL_CATALOGUE = "tests.agents.catalogue.limits"
    settings.MODEL_FAULT = "tests.agents.catalogue.fault"
    settings.MODEL_PRICES = "tests.history.services.whatif.conftest.prices"
