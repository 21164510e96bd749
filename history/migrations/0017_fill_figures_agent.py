"""Apart from the table: PostgreSQL changes no table that has rows of the same transaction."""

from itertools import islice

from django.db import migrations

BATCH = 500


def fill(apps, schema_editor):
    """Name the agent of each call that was stored before there was a column for it."""
    figures = apps.get_model("history", "CallFigures")
    rows = figures.objects.filter(agent="").select_related(
        "plan__generation", "conversation__agent"
    )
    named = map(with_agent, rows.defer("plan__plan").order_by("pk").iterator(BATCH))
    while batch := list(islice(named, BATCH)):
        figures.objects.bulk_update(batch, ["agent"])


def with_agent(row):
    """As the plan's step says; a summary is the conversation's agent's."""
    if row.plan is None:
        row.agent = row.conversation.agent.slug
        return row
    snapshot = row.plan.generation.snapshot
    parts = [snapshot, *snapshot.get("handed_over", ())]
    held = [part for part in parts if part.get("step", 0) <= row.plan.step]
    row.agent = held[-1]["agent"]["slug"]
    return row


class Migration(migrations.Migration):
    dependencies = [
        ("history", "0016_figures_agent"),
    ]

    operations = [
        migrations.RunPython(fill, migrations.RunPython.noop, elidable=True),
    ]
