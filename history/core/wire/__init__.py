"""The body that a library is handed, and the one that left."""
