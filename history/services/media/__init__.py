"""Attached files: kept once, sent with a message, shown to its owner, deleted with its chat."""
