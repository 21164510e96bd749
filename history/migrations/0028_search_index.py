from django.db import migrations

from history.services.search.index import remove


def remove_index(apps, schema_editor):
    """Remove the index of earlier versions. Migration 0042 makes the new one."""
    remove(schema_editor.connection)


class Migration(migrations.Migration):

    dependencies = [
        ('history', '0027_originals'),
    ]

    operations = [
        migrations.RunPython(remove_index, remove_index),
    ]
