"""Make sentences of facts. This package has a function for each rule of
`history.core.words.facts`.
"""
