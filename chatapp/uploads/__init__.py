"""Recognise attached files by their bytes, and make the cleaned copies that are stored.

Each file is parsed in a process of its own, with limits on memory and time.
"""
