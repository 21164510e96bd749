"""The transcript in the database: how a path is read, and how messages are added to it."""
