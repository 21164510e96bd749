"""Files that people attach: their type by content, and what of them is kept, made harmless.

What parses them runs in a process of its own, with limits on memory and time.
"""
