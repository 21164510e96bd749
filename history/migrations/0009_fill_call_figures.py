"""Apart from the table: PostgreSQL changes no table that has rows of the same transaction."""

from decimal import Decimal
from itertools import islice

from django.db import migrations

BATCH = 500
SENT = ("system_prompt", "tool_schemas", "injected", "history", "summaries")


def fill(apps, schema_editor):
    """Take the figures of what was stored before there were any."""
    figures = apps.get_model("history", "CallFigures")
    plans = apps.get_model("history", "ContextPlan").objects.filter(outcome__isnull=False)
    plans = plans.select_related("outcome", "generation").defer("generation__snapshot")
    summaries = apps.get_model("history", "Checkpoint").objects.filter(usage__isnull=False)
    rows = (figures(**of_plan(plan)) for plan in plans.order_by("pk").iterator(BATCH))
    store(figures, rows)
    rows = (figures(**of_summary(row)) for row in summaries.order_by("pk").iterator(BATCH))
    store(figures, rows)


def store(figures, rows):
    while batch := list(islice(rows, BATCH)):
        figures.objects.bulk_create(batch)


def of_plan(plan):
    messages = [entry for entry in plan.plan["entries"] if entry["first"] is not None]
    there = sum(entry["tokens"] for entry in messages)
    left_out = there - sum(entry["sent_tokens"] for entry in messages)
    return {
        "plan": plan,
        "conversation_id": plan.generation.conversation_id,
        "model": plan.parameters["model"],
        "counted": sum(plan.plan["window"].get(part, 0) for part in SENT),
        "transcript": there,
        "left_out": max(0, left_out),
        "created": plan.created,
        **reported(plan.outcome.usage, plan.outcome.cost),
    }


def of_summary(row):
    return {
        "summary": row,
        "conversation_id": row.conversation_id,
        "model": row.model,
        "created": row.created,
        **reported(row.usage, row.cost),
    }


def reported(usage, cost):
    names = {"prompt": "prompt", "output": "completion", "cache_read": "cache_read"}
    tokens = {column: (usage or {}).get(name) for column, name in names.items()}
    possible = {
        column: value if value is not None and 0 <= value < 2**31 else None
        for column, value in tokens.items()
    }
    return {**possible, "cost": Decimal(cost["total"]) if cost else None}


class Migration(migrations.Migration):

    dependencies = [
        ('history', '0008_call_figures'),
    ]

    operations = [
        migrations.RunPython(fill, migrations.RunPython.noop, elidable=True),
    ]
