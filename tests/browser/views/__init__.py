"""All views of the app, in one table that tests and docs/images use."""
