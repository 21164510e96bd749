"""Find what was said: search one path's whole transcript, whatever the model sees of it."""

from history.services.recall.index import install, remove
from history.services.recall.searching import search

__all__ = ["install", "remove", "search"]
