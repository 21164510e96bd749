"""The database: where it is, which processes may use it, and what to do when it fails."""
