"""Facts, errors, and the way in which all packages write numbers and texts."""
