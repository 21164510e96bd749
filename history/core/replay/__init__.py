"""Replays: plan the requests of a conversation again under other settings."""
