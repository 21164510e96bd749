"""The request itself, and how it differs from the previous one."""
