"""Find what was said: for an agent on one path, for a person in all of their chats."""

from history.services.search.finding import find
from history.services.search.index import install, remove
from history.services.search.meaning import corrected
from history.services.search.recalling import recall
from history.services.search.results.found import FoundChats
from history.services.search.results.older import Older
from history.services.search.titles import titled

__all__ = ["FoundChats", "Older", "corrected", "find", "install", "recall", "remove", "titled"]
