"""A conversation asked again under other settings."""
