"""A script for `manage.py shell -c` that makes the account and the agents that the views show."""

MAKE = '''
from django.contrib.auth.models import User
from agents.models import AgentTemplate

User.objects.create_superuser("ada", "ada@example.org", password="{password}")
AgentTemplate.objects.create(
    slug="trips",
    name="Trip planner",
    description="Plans journeys by train, with fares.",
    model="openai/gpt-4o",
    system_prompt={prompt!r},
    tools=["calculator"],
    history_settings={{"policy": "lastN", "length": 10, "context_window": 8192,
                      "output_reserve": 1024}},
    starters="""Which railway line in Europe has the best views?
How do we get from Hamburg to Rome in two days?
What does a week by train cost for four?
My name is Ada, and I travel with a child of six.""",
)
AgentTemplate.objects.filter(slug="demo").update(asks=["trips"])
'''
