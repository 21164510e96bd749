"""Accounts: signing in, passwords, and who may reset them."""
