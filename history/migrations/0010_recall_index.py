from django.db import migrations

from history.services.recall import install, remove


class Migration(migrations.Migration):

    dependencies = [
        ('history', '0009_fill_call_figures'),
    ]

    operations = [
        migrations.RunPython(
            lambda apps, schema_editor: install(schema_editor.connection),
            lambda apps, schema_editor: remove(schema_editor.connection),
        ),
    ]
