"""Hash what is already there; apart from the table, because PostgreSQL changes no table that has
rows of the same transaction.
"""

from itertools import groupby, islice

from django.db import migrations

from history.core.messages import ToolCall
from history.core.path_hash import START, path_hash

BATCH = 2_000
COLUMNS = ("branch_id", "position", "pk", "conversation_id", "role", "text", "tool_calls")


def fill(apps, schema_editor):
    """Go along each branch; an older branch always has a lower number than those that left it."""
    hashes = apps.get_model("history", "MessageHash")
    begins = dict(apps.get_model("history", "Branch").objects.values_list("pk", "lineage"))
    begins = {branch: tuple(lineage[-1]) for branch, lineage in begins.items() if lineage}
    messages = apps.get_model("history", "Message").objects.order_by("branch_id", "position")
    rows = hashed(messages.values_list(*COLUMNS).iterator(BATCH), begins)
    while batch := [hashes(**row) for row in islice(rows, BATCH)]:
        hashes.objects.bulk_create(batch)


def hashed(messages, begins):
    """Yield each message's hash. `begins` says after which branch and position a branch begins."""
    forks = {place: START for place in begins.values()}
    for branch, own in groupby(messages, lambda row: row[0]):
        before = forks[begins[branch]] if branch in begins else START
        for _, position, pk, conversation, role, text, calls in own:
            made = [ToolCall(call["id"], call["name"], call["arguments"]) for call in calls]
            before = path_hash(before, role, text, made)
            if (branch, position) in forks:
                forks[branch, position] = before
            yield {"message_id": pk, "conversation_id": conversation, "hash": before}


class Migration(migrations.Migration):
    dependencies = [("history", "0021_path_hashes")]

    operations = [migrations.RunPython(fill, migrations.RunPython.noop)]
