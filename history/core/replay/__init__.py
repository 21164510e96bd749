"""Replay a conversation under other settings."""
