"""The request itself, and how it differs from the one before it."""
