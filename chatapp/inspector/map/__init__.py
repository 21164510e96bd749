"""The panel's zone that shows what became of every message."""
