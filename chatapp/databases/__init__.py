"""The database: where it is, who may hold it, and what happens while it refuses."""
