import pytest

# So that a failure shows both sides.
pytest.register_assert_rewrite("tests.running.request_checks")
