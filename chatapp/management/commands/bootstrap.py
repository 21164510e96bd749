"""Create what a new Vitrine needs before its first visitor comes. Running this again at a later
start is harmless.
"""

import secrets
from typing import Any

from django.conf import settings
from django.contrib.auth.models import User
from django.core.management.base import BaseCommand
from django.urls import reverse

from agents.demo import LoadOutcome, load_demo_agents, load_demo_network

ADMIN = "admin"


class Command(BaseCommand):
    help = "Load the demo agents; in local mode, create the first administrator."

    def handle(self, *args: Any, **options: Any) -> None:
        self._load_agents()
        if User.objects.filter(is_superuser=True).exists():
            return
        if settings.PRODUCTION or User.objects.filter(username=ADMIN).exists():
            self.stdout.write("No administrator yet. Create one with manage.py createsuperuser.")
            return
        self._make_admin()

    def _load_agents(self) -> None:
        outcomes = (load_demo_agents() | load_demo_network()).items()
        if created := [slug for slug, outcome in outcomes if outcome is LoadOutcome.CREATED]:
            self.stdout.write(f"Demo agents: {', '.join(created)}.")

    def _make_admin(self) -> None:
        password = secrets.token_urlsafe(12)
        User.objects.create_superuser(ADMIN, password=password)
        self.stdout.write(
            f"\n  Administrator: {ADMIN}, password {password}\n"
            f"  The password won't be shown again. Sign in at {reverse('admin:index')};"
            f" change it with manage.py changepassword {ADMIN}.\n"
        )
