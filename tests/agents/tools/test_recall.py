"""How the tool `recall` presents search results to a model."""

from agents.tools import FoundMessage, ToolContext, ToolResult, call

FOUND = [FoundMessage(3, "user", "the blue pot"), FoundMessage(1, "tool search", "a pot")]


def recall(arguments, found=()):
    return call("recall", arguments, ToolContext(search=lambda query, most: found[:most]))


def test_each_message_is_named_by_turn_and_speaker():
    assert recall('{"query": "pot"}', FOUND) == ToolResult(
        "Earlier messages, best match first:\n\n"
        "[turn 3, user] the blue pot\n\n"
        "[turn 1, tool search] a pot"
    )


def test_no_more_come_than_were_asked_for():
    assert "tool search" not in recall('{"query": "pot", "most": 1}', FOUND).text


def test_nothing_found_is_said():
    assert recall('{"query": "pot"}') == ToolResult(
        "No earlier message contains any of 'pot'. Try other words."
    )


def test_a_blank_query_is_refused():
    assert recall('{"query": " "}', FOUND).failed
