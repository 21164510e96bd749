"""Markdown to safe HTML, once and on the server: whole texts, and texts still arriving."""

from chatapp.markdown.rendering import render, to_html
from chatapp.markdown.stream import BlockStream

__all__ = ["BlockStream", "render", "to_html"]
