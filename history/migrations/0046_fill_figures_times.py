"""Apart from the table: PostgreSQL changes no table that has rows of the same transaction."""

from django.db import migrations
from django.db.models import OuterRef, Subquery


def fill(apps, schema_editor):
    """Take the times of what was answered before there were columns for them."""
    outcomes = apps.get_model("history", "RequestOutcome").objects
    own = outcomes.filter(plan=OuterRef("plan"), first_token_ms__isnull=False)
    figures = apps.get_model("history", "CallFigures").objects.filter(plan__isnull=False)
    figures.update(
        first_ms=Subquery(own.values("first_token_ms")[:1]),
        total_ms=Subquery(own.values("total_ms")[:1]),
    )


class Migration(migrations.Migration):
    dependencies = [
        ("history", "0045_figures_times"),
    ]

    operations = [
        migrations.RunPython(fill, migrations.RunPython.noop, elidable=True),
    ]
