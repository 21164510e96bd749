"""The index on PostgreSQL: a table with the words of each message, and with words for its branch
and owner.

It contains only what a search needs, and nothing of the message itself. So it is small, and its
statistics don't mislead PostgreSQL's planner into computing the words of every row. The index is
not ordered by age, so common words are first searched for among the owner's newest messages.
"""

from collections.abc import Iterator, Sequence

from history.services.search.corpus import Corpus
from history.services.search.letters import ACCENTS, OTHERS, OTHERS_PLAIN
from history.services.search.terms import (
    DENSE,
    DOT,
    INDEXED,
    LONGEST,
    RUN,
    SIGNS,
    Statement,
    Term,
    words_of,
)

_PUNCTUATION = "!\"#$%&''()*+,-./:;<=>?@[\\]^_`{|}~"
_SIGNS = "\u2000-\u206f\u3000-\u303f\uff00-\uff0f"

_PLAIN = f"""
CREATE OR REPLACE FUNCTION history_plain(said text) RETURNS text
LANGUAGE plpgsql IMMUTABLE STRICT AS $$ BEGIN
  IF octet_length(said) > length(said) THEN
    said := regexp_replace(normalize(said, NFD), '[{ACCENTS}]', '', 'g');
    said := translate(normalize(said, NFC), '{OTHERS}', '{OTHERS_PLAIN}');
  END IF;
  RETURN lower(said);
END $$
"""
_WORDS = f"""
CREATE OR REPLACE FUNCTION history_search_words(said text) RETURNS tsvector
LANGUAGE plpgsql IMMUTABLE STRICT COST 500 AS $$ BEGIN
  said := history_plain(left(said, {INDEXED}));
  said := translate(said, '{_PUNCTUATION}', '{" " * (len(_PUNCTUATION) - 1)}');
  IF octet_length(said) > length(said) THEN
    said := regexp_replace(said, '([{_SIGNS}{DENSE}])', ' \\1 ', 'g');
  END IF;
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
NEWEST = 10_000  # Common words are searched for among so many of the owner's newest messages first.
_SCOPES = "array_remove(ARRAY['@' || {row}.branch_id, 'u' || {owner}], NULL)"
_FILL = f"""
INSERT INTO history_search(message, owner, words)
SELECT m.id, c.owner_id, history_search_words(history_search_said(m.text, m.parts))
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
# In kB: every search reads the newest words one by one; the default of 4 MB would take 25 ms.
_PENDING = 256

TABLE = (
    "CREATE TABLE history_search(message bigint NOT NULL, owner bigint, words tsvector NOT NULL)",
)
TRIGGERS = (
    _PLAIN,
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
FILL = (
    _FILL,
    "CREATE INDEX history_search_words ON history_search USING gin (words)"
    f" WITH (gin_pending_list_limit = {_PENDING})",
    # The only index in the order of messages. With another one, the planner may look for the newest
    # messages of an owner among everybody's.
    "CREATE UNIQUE INDEX history_search_owned ON history_search (owner, message)",
    "CREATE INDEX history_search_message ON history_search USING hash (message)",
    "ANALYZE history_search",
)
REMOVE = (
    "DROP TRIGGER IF EXISTS history_search_insert ON history_message",
    "DROP TRIGGER IF EXISTS history_search_delete ON history_message",
    "DROP TRIGGER IF EXISTS history_search_truncate ON history_message",
    "DROP TRIGGER IF EXISTS history_search_owner ON history_conversation",
    "DROP TABLE IF EXISTS history_search",
    "DROP FUNCTION IF EXISTS history_search_changed",
    "DROP FUNCTION IF EXISTS history_search_words",
    "DROP FUNCTION IF EXISTS history_plain",
    "DROP FUNCTION IF EXISTS history_search_said",
)

# Materialized, because without statistics the planner would read all messages instead.
_MATCHING = (
    "WITH found AS MATERIALIZED (SELECT message FROM history_search WHERE words @@ %s::tsquery"
    "{older}) SELECT message FROM found"
)
_AMONG_NEWEST = (
    "SELECT message FROM (SELECT message, words FROM history_search WHERE owner = {owner}{older}"
    " ORDER BY message DESC LIMIT {most}) newest WHERE words @@ %s::tsquery"
)
_SAID_IN = (
    "CASE WHEN history_message.parts = '[]' THEN history_message.text"
    " ELSE history_search_said(history_message.text, history_message.parts) END"
)
_READ = f"history_plain({_SAID_IN})"
_CONTAINING, _AS_WORDS = f"strpos({_READ}, %s) > 0", f"{_READ} ~ %s"


def matching(corpus: Corpus, terms: Sequence[Term]) -> Statement:
    """Return the messages in which the index finds all words."""
    query = " & ".join(filter(None, [_everything(corpus), _query(corpus, terms)]))
    return _MATCHING.format(older=_older(corpus)), [query]


def newest_matching(corpus: Corpus, terms: Sequence[Term]) -> Statement | None:
    """Return such messages only among the newest of the corpus's owner; None without an owner."""
    if corpus.owner is None:
        return None
    sql = _AMONG_NEWEST.format(owner=corpus.owner, older=_older(corpus), most=NEWEST)
    return sql, [_query(corpus, terms)]


def reading(terms: Sequence[Term]) -> Statement | None:
    """Return the condition to check in the text: the index knows the words, but not their order."""
    read = [term for term in terms if term.is_dense or term.is_phrase]
    texts = [term.whole if term.is_closed else term.text for term in read]
    return (" AND ".join(map(_condition, read)), texts) if read else None


def _condition(term: Term) -> str:
    condition = _AS_WORDS if term.is_closed else _CONTAINING
    return f"NOT {condition}" if term.is_excluded else condition


def _older(corpus: Corpus) -> str:
    return f" AND message < {corpus.before}" if corpus.before else ""


def _everything(corpus: Corpus) -> str:
    return _branches(corpus.branches) if corpus.owner is None else f"'u{corpus.owner}'"


def _branches(branches: Sequence[int]) -> str:
    anywhere = " | ".join(f"'@{branch}'" for branch in branches)
    return f"({anywhere})"


def _query(corpus: Corpus, terms: Sequence[Term]) -> str:
    """Leave excluded phrases to `reading`, because excluding their words would exclude too much."""
    words = [term for term in terms if not (term.is_excluded and (term.is_phrase or term.is_dense))]
    without = f"!{_branches(corpus.without)}" if corpus.without else ""
    return " & ".join(filter(None, [*map(_word, words), without]))


def _word(term: Term) -> str:
    """Match words that begin with the term, or equal it; in dense scripts, single characters."""
    if term.is_phrase:
        return " & ".join([*map(_word, words_of(term)), *_whole_words(term)])
    characters = " & ".join(f"'{character}'" for character in term.text)
    word = f"'{term.text}'" if term.is_closed else f"'{term.text}':*"
    words = f"({characters})" if term.is_dense else word
    return f"!{words}" if term.is_excluded else words


def _whole_words(phrase: Term) -> Iterator[str]:
    """Yield the words that must be complete because a sign follows: in "c++" the word is "c"."""
    for match in RUN.finditer(phrase.text[:LONGEST]):
        if match[2] and phrase.text[match.end() : match.end() + 1] in {*SIGNS, DOT}:
            yield f"'{match[2]}'"
