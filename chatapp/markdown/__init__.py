"""Turn Markdown into safe HTML, only on the server: whole texts, and texts that still grow."""

from chatapp.markdown.rendering import render, to_html
from chatapp.markdown.stream import BlockStream

__all__ = ["BlockStream", "render", "to_html"]
