"""What a reader who may not see the prompt is shown of the sent request."""

import pytest

from history.core.wire.differing import facts_of
from history.services.explain.raw.wire import without_tools
from history.wording.wires import wire_sentence


@pytest.mark.words
def test_the_names_of_tools_arguments_are_not_in_what_differs():
    schema = {"customer_ssn": {"type": "string", "examples": ["078-05"]}, "age": {"minimum": 1}}
    tools = [{"function": {"name": "f", "parameters": {"properties": schema}}}]
    handed = {"model": "openai/m", "tools": tools, "messages": [{"content": "Hi"}]}
    facts = facts_of(handed, {"model": "m", "messages": [{"content": "Hi"}]})

    told = [wire_sentence(fact) for fact in without_tools(facts)]

    assert "customer_ssn" in " ".join(map(wire_sentence, facts))
    assert told == ["model openai/m was sent as m.", "tools[] was not sent."]
