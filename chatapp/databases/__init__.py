"""The database: where it is, who may use it, and what to do when it fails."""
