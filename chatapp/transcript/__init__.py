"""How stored messages are shown."""
