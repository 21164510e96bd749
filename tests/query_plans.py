"""How SQLite says that it answers a query."""

from django.db import connection


def query_plan(sql: str) -> list[str]:
    """Its steps through tables: each names an index, or scans."""
    with connection.cursor() as cursor:
        cursor.execute(f"EXPLAIN QUERY PLAN {sql}")
        return [row[3] for row in cursor.fetchall() if "INDEX" in row[3] or "SCAN" in row[3]]
