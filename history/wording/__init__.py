"""Sentences made of facts: each rule of `history.core.words.facts` has a function here."""
