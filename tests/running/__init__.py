import pytest

# Failed assertions in this module should show both sides, as they do in tests.
pytest.register_assert_rewrite("tests.running.request_checks")
