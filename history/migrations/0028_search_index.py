from django.db import migrations

from history.services.search.index import install, remove


def make_again(apps, schema_editor):
    remove(schema_editor.connection)
    install(schema_editor.connection)


class Migration(migrations.Migration):

    dependencies = [
        ('history', '0027_originals'),
    ]

    operations = [
        migrations.RunPython(
            make_again, lambda apps, schema_editor: remove(schema_editor.connection)
        ),
    ]
