"""Everything of a chat in files that somebody can keep, and that Vitrine reads again."""
