from decimal import Decimal

import pytest

from history.core.money.cost import UNPRICED, Prices

CENT = Decimal("0.01")
PRICED = {
    "large/model": Prices(CENT, 2 * CENT, CENT / 10, cache_minimum=0),
    "small/model": Prices(CENT / 10, CENT / 5, cache_minimum=0),
}


@pytest.fixture(autouse=True)
def known_models(catalogue):
    catalogue.know_their_providers()
    catalogue.prices = lambda model: PRICED.get(model, UNPRICED)
