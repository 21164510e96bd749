import pytest

pytest.register_assert_rewrite("tests.running.requested")  # So that a failure shows both sides.
