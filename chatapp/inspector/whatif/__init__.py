"""The zone "What-if": try other settings for the request shown, at once and without a model."""
