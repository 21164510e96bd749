"""Show every plan of a database, at every place where plans are shown, in one process.

It prints JSON: how many plans were shown, and what could not be.
"""

import json
import os
from io import StringIO

import django

from chatapp import env

MATCHES = "Its hash matches the stored one"


def main():
    from django.contrib.auth.models import User  # noqa: PLC0415 -- needs Django to be set up
    from django.test import Client  # noqa: PLC0415 -- as above

    from history.models import ContextPlan, Conversation  # noqa: PLC0415 -- as above

    client = Client(headers={"host": "localhost"})
    client.force_login(User.objects.get(username="stan"))
    plans = list(ContextPlan.objects.select_related("generation").order_by("pk"))
    faults = [fault for plan in plans for fault in on_pages(client, plan)]
    for conversation in Conversation.objects.filter(generations__plans__isnull=False).distinct():
        own = [plan for plan in plans if plan.generation.conversation_id == conversation.pk]
        faults += [*at_the_api(client, conversation, own), *at_the_command(conversation)]
    print(json.dumps({"plans": len(plans), "faults": faults}))  # noqa: T201 -- its answer


def on_pages(client, plan):
    """Find what the inspector does not show of a plan, its raw request included."""
    generation = plan.generation
    panel = f"/chat/{generation.conversation_id}/panel"
    query = f"generation={generation.pk}&step={plan.step}"
    shown = client.get(f"{panel}?turn={generation.turn}&{query}")
    if shown.status_code != 200 or f"Turn {generation.turn} of" not in shown.content.decode():
        yield ["panel", str(plan.pk), shown.status_code]
    raw = client.get(f"{panel}/raw/request?{query}")
    if raw.status_code != 200 or MATCHES not in raw.content.decode():
        yield ["raw", str(plan.pk), raw.status_code, raw.content.decode()[:300]]


def at_the_api(client, conversation, plans):
    answer = client.get(f"/api/conversations/{conversation.pk}/plans?limit=200")
    told = {(p["generation"], p["step"]) for p in answer.json()}
    if told != {(str(plan.generation_id), plan.step) for plan in plans}:
        yield ["API", str(conversation.pk), answer.status_code, len(told)]


def at_the_command(conversation):
    from django.core.management import CommandError, call_command  # noqa: PLC0415 -- as above

    try:
        call_command("context", "explain", str(conversation.pk), stdout=(out := StringIO()))
    except CommandError as error:
        yield ["context", str(conversation.pk), str(error)]
    else:
        if "settings" not in out.getvalue():
            yield ["context", str(conversation.pk), out.getvalue()]


if __name__ == "__main__":
    os.environ.setdefault("ENV_FILE", os.devnull)
    env.use_settings("chatapp.settings")
    django.setup()
    main()
