"""The mirror: the model that works offline."""
