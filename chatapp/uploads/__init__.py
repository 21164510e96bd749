"""Recognise the type of attached files by their bytes, and make the cleaned copy that is stored.

They are parsed in a process of its own, with limits on memory and time.
"""
