from django.db import migrations

from history.services.search.index import install, remove


def make_again(apps, schema_editor):
    """Give PostgreSQL's index the owners, by which the newest messages are looked up."""
    database = schema_editor.connection
    if database.vendor != "postgresql":
        return
    with database.cursor() as cursor:
        columns = database.introspection.get_table_description(cursor, "history_search")
    if "owner" not in {column.name for column in columns}:
        remove(database)
        install(database)


class Migration(migrations.Migration):

    dependencies = [
        ('history', '0042_plain_letters'),
    ]

    operations = [
        migrations.RunPython(make_again, migrations.RunPython.noop),
    ]
