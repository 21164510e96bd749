from django.db import migrations

from history.services.search.index import install, remove


def make_again(apps, schema_editor):
    """Index all texts without their accents."""
    remove(schema_editor.connection)
    install(schema_editor.connection)


class Migration(migrations.Migration):

    dependencies = [
        ('history', '0041_answer_of_file'),
    ]

    operations = [
        migrations.RunPython(make_again, migrations.RunPython.noop),
    ]
