"""Finding what was said: a search of one path's whole transcript, whatever the model is sent."""

from history.services.recall.index import install, remove
from history.services.recall.searching import search

__all__ = ["install", "remove", "search"]
