"""A large table gets its new columns without being copied, on SQLite too."""

from io import StringIO

import pytest
from django.core.management import call_command
from django.db import connection


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize(
    ("migration", "columns"), [("0020_parts", 1), ("0025_attachment_counts", 2)]
)
def test_the_messages_are_not_copied(migration, columns):
    told = StringIO()

    call_command("sqlmigrate", "history", migration, stdout=told)

    added = told.getvalue().count('ALTER TABLE "history_message" ADD COLUMN')
    assert added == columns
    assert "CREATE TABLE" not in told.getvalue()
    assert "UPDATE" not in told.getvalue()


@pytest.mark.django_db
def test_the_columns_hold_what_the_model_says():
    with connection.cursor() as cursor:
        described = connection.introspection.get_table_description(cursor, "history_message")
    found = {column.name: column for column in described}

    for name in ("parts", "images_through", "files_through"):
        assert not found[name].null_ok
