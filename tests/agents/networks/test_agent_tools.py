import pytest

from agents.networks.agent_tools import Transfer, line, tool_name


@pytest.mark.parametrize(
    ("slug", "name"),
    [
        pytest.param("accountant", "transfer_to_accountant", id="as it is"),
        pytest.param("tax-2_b", "transfer_to_tax-2_b", id="signs that providers take"),
        pytest.param("caf\u00e9 1", "transfer_to_caf__1", id="signs that they do not"),
        pytest.param("a" * 60, "transfer_to_" + "a" * 52, id="64 characters at most"),
    ],
)
def test_a_tool_has_a_name_that_providers_take(slug, name):
    assert tool_name(Transfer.prefix, slug) == name


@pytest.mark.parametrize(
    ("reason", "said"),
    [
        pytest.param("a sum", "Ada handed over to Bob: a sum", id="with a reason"),
        pytest.param("", "Ada handed over to Bob", id="without"),
        pytest.param(" two\n lines ", "Ada handed over to Bob: two lines", id="on one line"),
    ],
)
def test_the_line_says_who_and_why(reason, said):
    assert line("Ada", "Bob", reason) == said


def test_the_schema_offers_a_reason():
    function = Transfer("transfer_to_bob", "bob", "Bob", "Knows bobs.").schema["function"]

    assert function["name"] == "transfer_to_bob"
    assert function["description"] == (
        "Hand the conversation over to Bob, who answers from then on. Knows bobs."
    )
    assert [*function["parameters"]["properties"]] == ["reason"]
