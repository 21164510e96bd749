"""Fixtures for the pseudo-language: the app translated into it, and a check of every visible
text.
"""

import pytest

from tests.browser.tab import PASSWORD, Tab
from tests.people import Person
from tests.pseudo.untouched import Reader
from tests.running.raw_connections import warm
from tests.servers import manage, running

JAPANESE = [
    """UPDATE agents_agenttemplate SET slug = slug || '1', name = '太郎', description = '答えます',
       starters = '何ですか', system_prompt = '親切に'""",
    """UPDATE agents_network SET slug = 'team1', name = '仲間', description = '三人',
       starters = '何ですか', entry = 'greeter1', members = '["greeter1", "accountant1"]'""",
    """UPDATE agents_agenttemplate SET asks = '["goldfish1"]',
       history_settings = '{"policy": "lastN", "length": 2}' WHERE slug = 'demo1'""",
    "UPDATE history_conversation SET title = '挨拶'",
    """UPDATE agents_agenttemplate SET context = '[{"use": "none1"}]',
       tools = '["mcp:files1", "mcp:none1"]' WHERE slug IN ('accountant1', 'greeter1')""",
]
TIGHT = {"SENDS_PER_MINUTE": "12", "LOGIN_TRIES": "1", "MAX_MESSAGE_BYTES": "2000"}
PEOPLE = f"""from django.contrib.auth.models import User
from agents.mcp.models import McpServer
User.objects.create_superuser("花子", password="{PASSWORD}")
McpServer.objects.create(slug="files1", name="書類")"""


@pytest.fixture(scope="module")
def served(migrated, package_provider, tmp_path_factory):
    """Run the app in the pseudo-language, with Japanese names."""
    folder = tmp_path_factory.mktemp("pseudo") / "data"
    environment = {**package_provider.environment, **TIGHT}
    environment["DJANGO_SETTINGS_MODULE"] = "tests.pseudo.settings"
    with running(migrated, folder, **environment) as server:
        warm(Person(server))
        for statement in JAPANESE:
            server.write(statement)
        yield server


@pytest.fixture(scope="module")
def ada(served):
    """Make a superuser; return the name."""
    manage(served.folder, "shell", "-c", PEOPLE, ENV_FILE="/dev/null")
    return "花子"


@pytest.fixture
def reader():
    reading = Reader()
    yield reading
    if reading.found:
        pytest.fail(f"Not translated:\n{reading.told()}", pytrace=False)


@pytest.fixture
def tab(somebody, served, provider):
    return Tab(somebody(reduced_motion="reduce", locale="ja-JP").new_page(), served)


@pytest.fixture
def forgiven(complaints):
    """Ignore the errors that the browser logs for refused requests."""
    yield
    complaints[:] = [
        text for text in complaints if "the server responded with a status" not in text
    ]
