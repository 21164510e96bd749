"""SQLite's plan for a query."""

from django.db import connection


def query_plan(sql: str) -> list[str]:
    """Return the plan's steps through tables: each either uses an index or scans a whole table."""
    with connection.cursor() as cursor:
        cursor.execute(f"EXPLAIN QUERY PLAN {sql}")
        return [row[3] for row in cursor.fetchall() if "INDEX" in row[3] or "SCAN" in row[3]]
