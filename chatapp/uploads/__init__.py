"""Files that people attach: their type by content, and the harmless content that is kept.

They are parsed in a process of its own, with limits on memory and time.
"""
