"""Sentences made of facts: each rule of `history.core.facts` has a function here."""
