"""The tools that demonstrate slow calls and long results."""

from agents.tools import ToolResult, call


def test_a_report_is_as_long_as_was_asked_and_always_the_same():
    result = call("report", '{"topic": "tea", "lines": 200}')

    assert result.text.splitlines()[0] == "Report on tea: 200 lines."
    assert len(result.text.splitlines()) == 201
    assert call("report", '{"topic": "tea", "lines": 200}') == result


def test_the_longest_report_is_whole():
    assert "Shortened" not in call("report", '{"topic": "tea", "lines": 1000}').text


def test_waiting_says_how_long():
    assert call("wait", '{"seconds": 0}') == ToolResult("Waited 0 seconds.")


def test_nobody_waits_for_ever():
    assert call("wait", '{"seconds": 61}').text == (
        "Error: the argument 'seconds' is invalid: input should be less than or equal to 60."
    )
