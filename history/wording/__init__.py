"""Sentences made of facts: for each rule of `history.core.words.facts`, a function is here."""
