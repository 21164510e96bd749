"""Make a long transcript at once: copy the newest turn's rows, with correct sums and hashes."""

from django.db import connection

from history.core.transcript.path_hash import path_hash
from history.models import Branch, Message, MessageHash

MESSAGES, HASHES = Message._meta.db_table, MessageHash._meta.db_table
GROWS = {
    "position": "position + 2 * number",
    "segment": "segment + 2 * number",
    "turn": "turn + number",
    "tokens_through": "tokens_through + %s * number",
}


def repeat_last_turn(branch: Branch, times: int) -> None:
    """Add copies of the newest plain question and its answer, as if each had been added by
    itself.
    """
    newest = Message.objects.filter(branch=branch).order_by("-position")[:2]
    answer, question = newest.select_related("path_hash")
    _copy(question, question.tokens + answer.tokens, times)
    _hash(answer, [question, answer] * times)


def _copy(question: Message, tokens: int, times: int) -> None:
    columns = [
        str(field.column) for field in Message._meta.concrete_fields if not field.primary_key
    ]
    values = [GROWS.get(column, column) for column in columns]
    with connection.cursor() as cursor:
        cursor.execute(
            "WITH RECURSIVE numbers(number) AS "
            "(SELECT 1 UNION ALL SELECT number + 1 FROM numbers WHERE number < %s) "
            f"INSERT INTO {MESSAGES} ({', '.join(columns)}) "
            f"SELECT {', '.join(values)} FROM {MESSAGES}, numbers "
            "WHERE branch_id = %s AND position >= %s ORDER BY number, position",
            [times, tokens, question.branch_id, question.position],
        )


def _hash(last: Message, added: list[Message]) -> None:
    """Store the path hashes of the messages whose primary keys follow `last`."""
    rows = Message.objects.filter(branch=last.branch_id, position__gt=last.position)
    ids = rows.order_by("position").values_list("pk", flat=True)
    hash_, hashes = last.path_hash.hash, []
    for pk, message in zip(ids, added, strict=True):
        hash_ = path_hash(hash_, message.role, message.text)
        hashes.append((hash_, pk))
    with connection.cursor() as cursor:
        cursor.executemany(
            f"INSERT INTO {HASHES} (message_id, conversation_id, hash) "
            f"SELECT id, conversation_id, %s FROM {MESSAGES} WHERE id = %s",
            hashes,
        )
