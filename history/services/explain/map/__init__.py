"""The map of a plan, as rows."""
