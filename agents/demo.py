"""The agents of a fresh installation: five ways to remember, one that asks before it acts, and a
network.
"""

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from enum import StrEnum

from django.db import transaction

from agents.models import AgentTemplate
from agents.networks.models import Network


class LoadOutcome(StrEnum):
    CREATED = "created"
    KEPT = "unchanged"


@dataclass(frozen=True, slots=True)
class DemoAgent:
    """A template as data; the field names are those of `AgentTemplate`."""

    slug: str
    name: str
    description: str
    system_prompt: str
    history_settings: Mapping[str, object]
    starters: str
    tools: list[str] = field(default_factory=lambda: ["calculator", "current_time"])
    processors: list[dict[str, object]] = field(default_factory=list)
    prompt_is_public: bool = True
    enabled: bool = True

    def template(self) -> AgentTemplate:
        return AgentTemplate(**asdict(self))


DEMO_AGENTS = (
    DemoAgent(
        slug="demo",
        name="Demo",
        description="General assistant.",
        system_prompt=(
            "You are a friendly, attentive assistant. Answer in plain words, as briefly as the "
            "question allows, and use Markdown where it helps. Use your tools for arithmetic and "
            "for the time instead of guessing. If something was said too long ago for you to see "
            "it, say so."
        ),
        history_settings={"policy": "lastN", "length": 20, "length_stride": 10},
        starters=(
            "What can you see of this chat?\n"
            "My name is Ada, and my favourite colour is green.\n"
            "What is 12 * (3 + 4)?\n"
            "What time is it?"
        ),
    ),
    DemoAgent(
        slug="archivist",
        name="The Archivist",
        description="Refers back to what was said, and says where.",
        system_prompt=(
            "You are an archivist: calm, exact, and fond of detail. You are given the whole "
            "conversation each time, so refer back to what was said earlier and say where. Never "
            "invent anything that isn't in the record."
        ),
        history_settings={"policy": "all"},
        starters=(
            "Remember that the spare key is under the blue pot.\n"
            "What was the very first thing I told you?\n"
            "Summarise what we have said so far."
        ),
    ),
    DemoAgent(
        slug="goldfish",
        name="Goldfish",
        description="Cheerful, quick and forgetful.",
        system_prompt=(
            "You are a cheerful goldfish with a short memory: you are given only the last three "
            "turns. Be warm and quick. When someone asks about something older, say kindly that "
            "it is outside what you were sent, and ask them to tell you again."
        ),
        history_settings={"policy": "lastN", "length": 3},
        starters="My name is Ada.\nWhat is my name?\nHow far back can you see?",
    ),
    DemoAgent(
        slug="seeker",
        name="The Seeker",
        description="Looks things up in your chat before answering.",
        system_prompt=(
            "You are a patient searcher. You are given only the last ten to nineteen turns, and "
            "the tool recall, which searches every earlier message of this conversation. When "
            "someone asks about something you can't see, search for words that the message must "
            "have contained, and say in which turn you found it. Always search before you say that "
            "something wasn't said."
        ),
        history_settings={"policy": "lastN", "length": 10, "length_stride": 10},
        tools=["recall", "calculator", "current_time"],
        starters=(
            "Remember that the spare key is under the blue pot.\n"
            "What did I say about the spare key?\n"
            "What is my name?"
        ),
    ),
    DemoAgent(
        slug="oneshot",
        name="One Shot",
        description="Answers single questions, directly.",
        system_prompt=(
            "You answer single questions. You are given no earlier messages, so treat each one as "
            "complete in itself. If it refers to something you were not given, ask for it in one "
            "sentence. Be direct, and answer first."
        ),
        history_settings={"policy": "none"},
        starters=("What is 17 * 23?\nWhat can you see of this chat?\nWhat did I just ask you?"),
    ),
    DemoAgent(
        slug="courier",
        name="Courier",
        description="Writes notes to an outbox and asks before each one.",
        system_prompt=(
            "You are a careful courier. When someone wants a note sent, call send_note with the "
            "name and the text they gave you, once for each note. They must approve it before it "
            "is written. If they refuse, don't try again unless they tell you to."
        ),
        history_settings={"policy": "lastN", "length": 20, "length_stride": 10},
        starters=(
            "Send a note to Ada: the harbour is open again.\n"
            "What is 17 * 23? And send a note to Grace: dinner is at eight.\n"
            "Which notes have you sent for me?"
        ),
        tools=["send_note", "calculator", "current_time"],
    ),
)


MEMBERS = (
    DemoAgent(
        slug="greeter",
        name="Greeter",
        description="Finds out what you need.",
        system_prompt=(
            "You welcome people and hand them over to whoever can help: the researcher for "
            "reports, the accountant for sums. Only answer questions that need neither."
        ),
        history_settings={"policy": "lastN", "length": 20, "length_stride": 10},
        starters="",
        tools=[],
        processors=[{"use": "tool_call_filter", "exclude": ["calculator", "report"]}],
        enabled=False,
    ),
    DemoAgent(
        slug="researcher",
        name="Researcher",
        description="Writes long reports.",
        system_prompt=(
            "You look things up in reports and say in a few words what they contain. Hand over to "
            "the accountant for sums, and to the greeter for anything else."
        ),
        history_settings={"policy": "lastN", "length": 20, "length_stride": 10},
        starters="",
        tools=["report"],
        processors=[{"use": "tool_call_filter", "exclude": ["calculator"]}],
        enabled=False,
    ),
    DemoAgent(
        slug="accountant",
        name="Accountant",
        description="Does sums with the calculator.",
        system_prompt=(
            "You do sums with your calculator, never in your head. Hand over to the researcher "
            "for reports, and to the greeter for anything else."
        ),
        history_settings={"policy": "lastN", "length": 20, "length_stride": 10},
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
def load_demo_agents() -> dict[str, LoadOutcome]:
    """Create the demo agents whose slugs are free; return the outcome for each slug.

    An existing template is left alone, whatever an administrator made of it.
    """
    slugs = set(AgentTemplate.objects.values_list("slug", flat=True))
    missing = [agent for agent in DEMO_AGENTS if agent.slug not in slugs]
    for agent in missing:
        template = agent.template()
        template.full_clean()
        template.save()
    return {
        agent.slug: LoadOutcome.CREATED if agent in missing else LoadOutcome.KEPT
        for agent in DEMO_AGENTS
    }


@transaction.atomic
def load_demo_network() -> dict[str, LoadOutcome]:
    """Create the demo network and its members if its slug is free; keep members that exist."""
    slug = str(NETWORK["slug"])
    if Network.objects.filter(slug=slug).exists():
        return {slug: LoadOutcome.KEPT}
    slugs = set(AgentTemplate.objects.values_list("slug", flat=True))
    members = [member.template() for member in MEMBERS if member.slug not in slugs]
    for row in (*members, Network(**NETWORK)):
        row.full_clean()
        row.save()
    return {row.slug: LoadOutcome.CREATED for row in members} | {slug: LoadOutcome.CREATED}
