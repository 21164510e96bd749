"""Count what a message contains besides its text, only once, when it is stored."""

from dataclasses import replace

from history.core.transcript.parts import File, Image
from history.tokens.counting import count_text
from history.tokens.images import image_tokens


def counted_image(image: Image) -> Image:
    return replace(image, tokens=image_tokens(image.width, image.height))


def counted_file(file: File) -> File:
    """Count a file's text as it is sent; without a text the cost is unknown, and counts as 0."""
    return replace(file, tokens=count_text(file.quoted) if file.text else 0)
