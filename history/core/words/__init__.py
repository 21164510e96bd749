"""Facts, errors, and how all packages write numbers and texts."""
