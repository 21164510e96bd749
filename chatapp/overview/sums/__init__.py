"""Sums of the overview's figures, made in as few passes over the requests as possible."""
