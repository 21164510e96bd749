"""The transcript in the database: reading a path, and adding to it."""
