"""Make what the matrices of access need in a cluster's database, and print its names as JSON.

python manage.py shell -c "from tests.running.cluster.worlds import access; access(3)"
"""

import json
import sys
from collections.abc import Mapping
from typing import Any
from uuid import uuid4

from django.conf import settings
from django.contrib.auth.models import User
from django.test import Client

from agents.models import AgentTemplate
from history.services.access import Actor
from tests.chatapp.scenes import make_scene, make_scenes, stored
from tests.chatapp.test_permissions import OTHERS, make_names, make_users


def access(count: int) -> None:
    """Make worlds for the matrix of addresses, each with people of its own."""
    agent = AgentTemplate.objects.get(slug="demo")
    worlds = []
    for number in range(count):
        users = make_users(str(number))
        names = make_names(users["owner"], agent)
        sessions = {name: _session(users.get(name)) for name in OTHERS if name != "nobody"}
        worlds.append({"names": names, "sessions": sessions})
    _print(worlds)


def scenes(people: Mapping[str, bool]) -> None:
    """Make own and foreign scenes for each user; `people` maps names to whether they are staff."""
    made = {}
    for name, is_staff in people.items():
        user = User.objects.create_user(f"{name}{uuid4().hex[:6]}", is_staff=is_staff)
        own, foreign = make_scene(Actor(user), "my own"), make_scenes(Actor(user))
        made[name] = {
            "session": _session(user),
            "own": own.names,
            "foreign": {kind: scene.names for kind, scene in foreign.items()},
            "running": [scene.names["RUNNING"] for scene in (own, *foreign.values())],
            "before": stored(foreign),
        }
    _print(made)


def _session(user: User | None) -> str:
    """Sign a user in, or a visitor; return the value of the session's cookie."""
    client = Client(SERVER_NAME="127.0.0.1")
    if user is None:
        client.post("/visitor")
    else:
        client.force_login(user)
    return str(client.cookies[settings.SESSION_COOKIE_NAME].value)


def _print(made: Any) -> None:
    sys.stdout.write(json.dumps(made, default=str))
