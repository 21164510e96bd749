"""The dialog with a chat's settings."""
