"""The network of a fresh installation: what one agent's tools do to the next."""

from django.db import transaction

from agents.demo import DemoAgent, LoadOutcome
from agents.models import AgentTemplate
from agents.networks.models import Network

MEMBERS = (
    DemoAgent(
        slug="greeter",
        name="Greeter",
        description="Finds out what you need.",
        system_prompt=(
            "You welcome people and hand them over to whoever can help: the researcher for "
            "reports, the accountant for sums. Only answer questions that need neither."
        ),
        history_settings={"policy": "lastN", "length": 20},
        starters="",
        tools=[],
        enabled=False,
    ),
    DemoAgent(
        slug="researcher",
        name="Researcher",
        description="Writes long reports.",
        system_prompt=(
            "You look things up in reports and say in a few words what they contain. Hand over to "
            "the accountant for sums."
        ),
        history_settings={"policy": "lastN", "length": 20},
        starters="",
        tools=["report"],
        enabled=False,
    ),
    DemoAgent(
        slug="accountant",
        name="Accountant",
        description="Does sums with the calculator.",
        system_prompt=(
            "You do sums with your calculator, never in your head. Hand over to the researcher "
            "for reports."
        ),
        history_settings={"policy": "lastN", "length": 20},
        starters="",
        tools=["calculator"],
        processors=[{"use": "tool_call_filter", "exclude": ["report"]}],
        enabled=False,
    ),
)
NETWORK = {
    "slug": "support",
    "name": "Support",
    "description": "A greeter, a researcher and an accountant answer in one chat.",
    "entry": "greeter",
    "members": [member.slug for member in MEMBERS],
    "processors": [{"use": "token_limiter", "limit": 16_000}],
    "starters": "Please write a report on harbour fees.\nWhat is 12 * (3 + 4)?",
}


@transaction.atomic
def load_demo_network() -> dict[str, LoadOutcome]:
    """Create it with its members, if its slug is free; members that exist stay as they are."""
    slug = str(NETWORK["slug"])
    if Network.objects.filter(slug=slug).exists():
        return {slug: LoadOutcome.KEPT}
    taken = set(AgentTemplate.objects.values_list("slug", flat=True))
    made = [member.template() for member in MEMBERS if member.slug not in taken]
    for row in (*made, Network(**NETWORK)):
        row.full_clean()
        row.save()
    return {row.slug: LoadOutcome.CREATED for row in made} | {slug: LoadOutcome.CREATED}
