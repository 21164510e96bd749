"""Refuse images that the model cannot take, before anything is sent."""

from collections.abc import Iterable

from django.utils.translation import gettext as _

from agents.catalogue import catalogue
from history.core.parts import Image, Part
from history.services.errors import Refused


def refuse_images(model: str, parts: Iterable[Part]) -> None:
    """Raise Refused if there is an image among the parts, and the model is known to take none."""
    if any(isinstance(part, Image) for part in parts) and not catalogue().takes_images(model):
        sentence = _(
            "{model} doesn't take images. Remove them, or start a chat with an agent whose model"
            " takes images."
        )
        raise Refused("no_images", sentence.format(model=model))
