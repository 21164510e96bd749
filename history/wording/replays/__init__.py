"""Sentences on the results of replays under other settings."""
