"""The panel's zone on what became of every message."""
