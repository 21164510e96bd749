"""A sample of typical chat text, to compare a registered tokenizer with o200k."""

REFERENCE = """\
Could you look at the nightly export again? It failed on Tuesday and on Thursday, both times a few
minutes after two o'clock, and the only hint in the log is a timeout while the archive was being
uploaded. I have already tried a smaller batch, which made it slower but not more reliable.

Certainly. The upload begins before the archive is complete, so a slow disk makes it wait. I suggest
writing to a temporary file first, and sending it only once it has been closed:

```python
def export(rows: Iterable[Row], target: Path, limit: int = 10_000) -> int:
    with NamedTemporaryFile("w", suffix=".csv", delete=False) as file:
        written = sum(file.write(row.as_csv()) > 0 for row in islice(rows, limit))
    shutil.move(file.name, target)
    return written
```

{"job": "export", "runs": [{"at": "2026-03-05T02:04:11Z", "rows": 8412, "ok": false}], "next": null}

Vielen Dank, das hat geholfen! Gibt es eine Möglichkeit, die Ergebnisse auch per E-Mail zu bekommen?
Oui, il suffit d'ajouter une adresse dans les réglages ; le rapport est envoyé chaque matin.
"""
