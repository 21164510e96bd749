import pytest

# A failed assertion in this module should show both sides, as in a test.
pytest.register_assert_rewrite("tests.running.request_checks")
