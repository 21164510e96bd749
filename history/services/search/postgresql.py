"""The index on PostgreSQL: a table with each message's words, among them its branch and its owner.

It holds what a look-up needs and nothing of the message, so it is small, and its statistics mislead
no planner into computing the words of every row.
"""

from collections.abc import Sequence

from history.services.search.terms import DENSE, INDEXED, Statement, Term

_PUNCTUATION = "!\"#$%&''()*+,-./:;<=>?@[\\]^_`{|}~"

_WORDS = f"""
CREATE OR REPLACE FUNCTION history_search_words(said text) RETURNS tsvector
LANGUAGE plpgsql IMMUTABLE STRICT COST 500 AS $$ BEGIN
  said := translate(left(said, {INDEXED}), '{_PUNCTUATION}', '{" " * (len(_PUNCTUATION) - 1)}');
  said := regexp_replace(said, '([\u2000-\u206f\u3000-\u303f\uff00-\uff0f{DENSE}])', ' \\1 ', 'g');
  RETURN strip(to_tsvector('pg_catalog.simple', said));
END $$
"""
_SAID = """
CREATE OR REPLACE FUNCTION history_search_said(said text, parts jsonb) RETURNS text
LANGUAGE sql IMMUTABLE STRICT AS $$
  SELECT concat_ws(chr(10), said, string_agg(concat_ws(chr(10), part->>'name', part->>'text'),
    chr(10) ORDER BY place))
  FROM jsonb_array_elements(parts) WITH ORDINALITY AS given(part, place)
  WHERE part->>'kind' <> 'reasoning'
$$
"""
_SCOPES = "array_remove(ARRAY['@' || {row}.branch_id, 'u' || {owner}], NULL)"
_FILL = f"""
INSERT INTO history_search(message, words)
SELECT m.id, history_search_words(history_search_said(m.text, m.parts))
  || array_to_tsvector({_SCOPES.format(row="m", owner="c.owner_id")})
FROM history_message m JOIN history_conversation c ON c.id = m.conversation_id
"""
_CHANGED = f"""
CREATE OR REPLACE FUNCTION history_search_changed() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
  IF TG_OP = 'INSERT' THEN {_FILL} WHERE m.id = new.id;
  ELSIF TG_OP = 'DELETE' THEN DELETE FROM history_search WHERE message = old.id;
  ELSIF TG_OP = 'TRUNCATE' THEN DELETE FROM history_search;
  ELSE
    DELETE FROM history_search WHERE message IN
      (SELECT id FROM history_message WHERE conversation_id = new.id);
    {_FILL} WHERE c.id = new.id;
  END IF;
  RETURN NULL;
END $$
"""
_TRIGGER = (
    "CREATE OR REPLACE TRIGGER history_search_{name} AFTER {event} {once}"
    " EXECUTE FUNCTION history_search_changed()"
)
_ROW = "FOR EACH ROW"

TABLE = (
    "CREATE TABLE history_search(message bigint PRIMARY KEY, words tsvector NOT NULL)",
    "CREATE INDEX history_search_words ON history_search USING gin (words)",
)
TRIGGERS = (
    _WORDS,
    _SAID,
    _CHANGED,
    _TRIGGER.format(name="insert", event="INSERT ON history_message", once=_ROW),
    _TRIGGER.format(name="delete", event="DELETE ON history_message", once=_ROW),
    _TRIGGER.format(name="truncate", event="TRUNCATE ON history_message", once=""),
    _TRIGGER.format(
        name="owner",
        event="UPDATE OF owner_id ON history_conversation",
        once=f"{_ROW} WHEN (old.owner_id IS DISTINCT FROM new.owner_id)",
    ),
)
FILL = (_FILL,)
REMOVE = (
    "DROP TRIGGER IF EXISTS history_search_insert ON history_message",
    "DROP TRIGGER IF EXISTS history_search_delete ON history_message",
    "DROP TRIGGER IF EXISTS history_search_truncate ON history_message",
    "DROP TRIGGER IF EXISTS history_search_owner ON history_conversation",
    "DROP TABLE IF EXISTS history_search",
    "DROP FUNCTION IF EXISTS history_search_changed",
    "DROP FUNCTION IF EXISTS history_search_words",
    "DROP FUNCTION IF EXISTS history_search_said",
    # The index of earlier versions, which knew branches only.
    "DROP INDEX IF EXISTS history_recall",
    "DROP INDEX IF EXISTS history_recall_parts",
    "DROP FUNCTION IF EXISTS history_recall_words",
    "DROP FUNCTION IF EXISTS history_recall_attached",
)

# Materialized, or a planner without statistics walks all messages instead.
_MATCHING = (
    "WITH found AS MATERIALIZED (SELECT message FROM history_search WHERE words @@ %s::tsquery)"
)
_CONTAINING = "strpos(lower(history_search_said(m.text, m.parts)), %s) > 0"


def can_look_up(term: Term) -> bool:
    return bool(term.text)


def of_branches(branches: Sequence[int], terms: Sequence[Term]) -> Statement:
    """Select the messages of these branches that contain all terms."""
    anywhere = " | ".join(f"'@{branch}'" for branch in branches)
    return _statement(f"({anywhere})", terms)


def of_owner(owner: int, terms: Sequence[Term]) -> Statement:
    """Select the messages of an owner that contain all terms."""
    return _statement(f"'u{owner}'", terms)


def _statement(scope: str, terms: Sequence[Term]) -> Statement:
    query = " & ".join([scope, *map(_word, terms)])
    dense = [term.text for term in terms if term.is_dense]
    if not dense:
        return f"{_MATCHING} SELECT message FROM found", [query]
    containing = " AND ".join([_CONTAINING] * len(dense))
    joined = "found JOIN history_message m ON m.id = message"
    return f"{_MATCHING} SELECT message FROM {joined} WHERE {containing}", [query, *dense]


def _word(term: Term) -> str:
    """Match words that begin with the term; for dense scripts, its single characters."""
    characters = " & ".join(f"'{character}'" for character in term.text)
    return f"({characters})" if term.is_dense else f"'{term.text}':*"
