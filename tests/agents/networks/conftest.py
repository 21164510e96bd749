import pytest

from agents.models import AgentTemplate
from agents.networks.models import Network


@pytest.fixture
def agents(db):
    """Make three agents; only the first may begin a conversation."""
    return {
        slug: AgentTemplate.objects.create(
            slug=slug, name=slug.title(), description=f"Knows {slug}s.", enabled=slug == "ada"
        )
        for slug in ("ada", "bob", "eve")
    }


@pytest.fixture
def network(agents):
    return Network.objects.create(slug="trio", name="Trio", entry="ada", members=[*agents])
