"""Every view of the app, as one table: what is checked of each, and what docs/images shows."""
