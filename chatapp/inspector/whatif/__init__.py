"""Zone 5: try other settings for the request shown, at once and without a model."""
