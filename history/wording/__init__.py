"""Sentences made of facts, for people: each rule of `history.core.facts` has a function here."""
