"""Finds the notes that a message asks to send, so that the offline model can call a tool."""

import re

NOTE = re.compile(r"\bnote (?:to|for) ([^:\n]{1,100}):[ \t]*(\S.{0,1999})", re.IGNORECASE)


def notes_in(text: str) -> list[tuple[str, str]]:
    """Whom each is for, and what it says; one on a line."""
    return [(to.strip(), said.strip()) for to, said in NOTE.findall(text) if to.strip()]
