"""Attached files: stored once, sent with a message, shown to the owner, deleted with the chat."""
