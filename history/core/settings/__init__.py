"""The settings: their table, the layers that set them, and what came of it."""
