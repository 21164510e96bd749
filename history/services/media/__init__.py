"""Attached files: stored once, sent with a message, shown to their owner, deleted with its chat."""
