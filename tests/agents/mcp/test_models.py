"""What an administrator may enter for a server, and how it is stored."""

import pytest
from django.core.exceptions import ValidationError

from agents.mcp.config import ConfigRefused, config_of
from agents.mcp.models import McpServer
from agents.models import AgentTemplate

CHILD = {"slug": "files", "name": "Files", "command": "npx", "transport": "stdio"}
REMOTE = {"slug": "wiki", "name": "Wiki", "url": "http://wiki:8000/mcp", "transport": "http"}
NO_VALUE = "name of an environment variable"


@pytest.mark.parametrize(
    ("values", "field", "says"),
    [
        pytest.param({"slug": "a__b"}, "slug", "lower-case letters", id="a slug with lines"),
        pytest.param({"slug": "1a"}, "slug", "lower-case letters", id="a slug that begins with 1"),
        pytest.param({"command": ""}, "command", "Required", id="no command"),
        pytest.param({"url": "http://a"}, "url", "Not used", id="an address for a program"),
        pytest.param({"variables": "TOKEN=abc"}, "variables", NO_VALUE, id="a secret"),
        pytest.param({"timeout": 0}, "timeout", "greater", id="no time"),
        pytest.param({"result_limit": 9}, "result_limit", "greater", id="no room"),
        pytest.param({**REMOTE, "command": "npx"}, "command", "Not used", id="both"),
        pytest.param({**REMOTE, "command": "", "url": ""}, "url", "Required", id="no address"),
        pytest.param(
            {**REMOTE, "command": "", "url": "ftp://a"}, "url", "http://", id="another protocol"
        ),
        pytest.param(
            {**REMOTE, "command": "", "url": "http://a:b@c"}, "url", "password", id="a password"
        ),
        pytest.param(
            {"headers": "Authorization: Bearer abc"}, "headers", NO_VALUE, id="a header's value"
        ),
        pytest.param({"headers": "Host: NAME"}, "headers", "set here", id="a header of ours"),
        pytest.param({"headers": "X-A: A\nX-A: B"}, "headers", "once", id="a header twice"),
    ],
)
def test_what_may_not_be_entered(db, values, field, says):
    with pytest.raises(ValidationError) as refused:
        McpServer(**{**CHILD, **values}).full_clean()

    assert list(refused.value.message_dict) == [field]
    assert says in " ".join(refused.value.message_dict[field])


@pytest.mark.parametrize(
    "values", [pytest.param(CHILD, id="a program"), pytest.param(REMOTE, id="an address")]
)
def test_what_may_be_entered(db, values):
    server = McpServer(**values)
    server.full_clean()

    assert not server.enabled


def test_a_program_gets_what_it_names_and_little_else():
    server = McpServer(**CHILD, arguments="-y\nserver files\n", variables="TOKEN")
    config = config_of(server, {"PATH": "/bin", "HOME": "/root", "TOKEN": "abc", "OTHER": "d"})

    assert config.command == ("npx", "-y", "server files")
    assert config.environment == {"PATH": "/bin", "HOME": "/root", "TOKEN": "abc"}
    assert config.secrets == ["abc"]
    assert "abc" not in repr(config)


def test_an_address_gets_its_headers():
    server = McpServer(**REMOTE, headers="Authorization: TOKEN")
    config = config_of(server, {"TOKEN": "Bearer abc", "PATH": "/bin"})

    assert (config.url, config.headers) == (
        "http://wiki:8000/mcp",
        {"Authorization": "Bearer abc"},
    )
    assert config.environment == {}
    assert "abc" not in repr(config)


@pytest.mark.parametrize(
    "values",
    [
        pytest.param({**CHILD, "variables": "TOKEN"}, id="of a program"),
        pytest.param({**REMOTE, "headers": "Authorization: TOKEN"}, id="of an address"),
    ],
)
def test_a_variable_that_is_not_set_is_named(values):
    with pytest.raises(ConfigRefused, match=r"^the environment variable TOKEN is not set$"):
        config_of(McpServer(**values), {"PATH": "/bin"})


def test_a_template_may_name_a_server_that_there_is(db):
    McpServer.objects.create(**CHILD)
    template = AgentTemplate(slug="a", name="A", tools=["calculator", "mcp:files"])
    template.full_clean()

    template.tools = ["mcp:gone"]
    with pytest.raises(ValidationError, match="Unknown tools: mcp:gone"):
        template.full_clean()
