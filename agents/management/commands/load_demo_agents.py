"""`manage.py load_demo_agents`: add the demo agents. It is safe to run at every start."""

from typing import Any

from django.core.management.base import BaseCommand

from agents.demo import load_demo_agents, load_demo_network


class Command(BaseCommand):
    help = "Create the demo agents and network that are missing; existing ones stay unchanged."

    def handle(self, *args: Any, **options: Any) -> None:
        for slug, outcome in (load_demo_agents() | load_demo_network()).items():
            self.stdout.write(f"{slug}: {outcome}")
