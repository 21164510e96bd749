"""A model's token factor learns from reported counts, and ignores implausible ones."""

from concurrent.futures import ThreadPoolExecutor

import pytest
from django.db import connection
from hypothesis import HealthCheck, given
from hypothesis import settings as hypothesis_settings
from hypothesis import strategies as st

from history.core.plan.window import WindowSums
from history.models import TokenCalibration
from history.services.settings.calibration import (
    LEAST,
    MOST,
    Factor,
    factor_of,
    record,
    record_texts,
)

OWN = "openai/gpt-4o"  # The factor starts at 1.0.
OTHER = "openai/gpt-4"  # The factor starts at 1.26.


def learn(*reported, model=OWN, estimated=1000):
    for tokens in reported:
        record(model, estimated, tokens)


@pytest.mark.django_db
class TestFactor:
    def test_starts_where_the_model_is_known_to_be(self):
        assert factor_of(OWN) == Factor(1.0, "the model's own counter", 0)
        assert factor_of(OTHER) == Factor(1.26, "measured for cl100k_base", 0)

    def test_does_not_move_before_three_requests(self):
        learn(1500, 1500)

        assert factor_of(OWN) == Factor(1.0, "the model's own counter", 2)

    def test_is_what_was_reported_over_what_was_counted(self):
        learn(1200, 1200, 1200)

        assert factor_of(OWN) == Factor(1.2, "calibrated on 3 requests", 3)

    def test_weighs_a_long_request_more(self):
        record(OWN, 100, 200)
        record(OWN, 9_900, 9_800)
        record(OWN, 100_000, 110_000)

        assert factor_of(OWN).value == 1.091

    def test_stays_where_it_is_for_less_than_a_fiftieth(self):
        learn(1015, 1015, 1015)
        assert factor_of(OWN) == Factor(1.0, "the model's own counter", 3)

        learn(*[1200] * 40)
        before = factor_of(OWN).value
        learn(1210, 1190, 1215)

        assert factor_of(OWN) == Factor(before, "calibrated on 46 requests", 46)

    def test_forgets_after_some_twenty_requests(self):
        learn(*[2000] * 20)
        learn(*[1000] * 60)

        assert factor_of(OWN).value == pytest.approx(1.0, abs=0.07)

    @pytest.mark.parametrize(
        ("reported", "factor"),
        [pytest.param(300, LEAST, id="little"), pytest.param(4900, MOST, id="much")],
    )
    def test_has_bounds(self, reported, factor):
        learn(*[reported] * 5)

        assert factor_of(OWN).value == factor

    def test_is_each_models_own(self):
        learn(1500, 1500, 1500)

        assert factor_of(OTHER) == Factor(1.26, "measured for cl100k_base", 0)


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("estimated", "reported"),
    [
        pytest.param(1000, 0, id="nothing"),
        pytest.param(1000, -5, id="below nothing"),
        pytest.param(1000, 199, id="far too little"),
        pytest.param(1000, 5001, id="far too much"),
        pytest.param(1000, 10**400, id="beyond all numbers"),
        pytest.param(1000, float("nan"), id="no number"),
        pytest.param(0, 10, id="nothing counted"),
        pytest.param(0, 0, id="nothing at all"),
    ],
)
def test_figures_that_cannot_be_are_left_out(estimated, reported):
    record(OWN, estimated, reported)

    assert TokenCalibration.objects.count() == 0


@pytest.mark.django_db
@hypothesis_settings(max_examples=20, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.lists(st.tuples(st.integers(0, 10**6), st.integers(-10, 10**7)), max_size=8))
def test_whatever_is_reported_the_factor_is_within_its_bounds(reports):
    TokenCalibration.objects.all().delete()

    for estimated, reported in reports:
        record(OTHER, estimated, reported)

    factor = factor_of(OTHER)
    assert LEAST <= factor.value <= MOST
    assert factor.value == round(factor.value, 3)


@pytest.mark.django_db(transaction=True)
def test_requests_that_end_at_once_are_all_counted():
    def report(_):
        record(OWN, 1000, 1200)
        connection.close()

    with ThreadPoolExecutor(4) as pool:
        list(pool.map(report, range(12)))

    assert factor_of(OWN) == Factor(1.2, "calibrated on 12 requests", 12)


@pytest.mark.django_db
def test_reading_a_factor_is_one_query(django_assert_num_queries):
    learn(1200, 1200, 1200)

    with django_assert_num_queries(1):
        factor_of(OWN)


@pytest.mark.django_db
class TestImages:
    """Images have a price of their own, so both counts leave them out."""

    @staticmethod
    def window(texts, images):
        return WindowSums(10_000, 0, 0, 0, texts + images, 1, images=images)

    def test_only_texts_are_learnt_from(self):
        for _ in range(3):
            record_texts(OWN, self.window(1_000, 800), 1.0, 1_200 + 800)

        assert factor_of(OWN).value == 1.2

    def test_what_is_mostly_images_teaches_nothing(self):
        for _ in range(3):
            record_texts(OWN, self.window(100, 800), 1.0, 2_000)

        assert factor_of(OWN).requests == 0
