"""The pages that show staff all conversations: `/inspect/`, and any transcript, read-only."""
