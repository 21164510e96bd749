"""The context inspector: a stored plan as a page. `history.services.explain` explains it."""
