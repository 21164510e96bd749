"""Refuse images that the model cannot take, before anything is sent."""

from collections.abc import Iterable

from django.utils.translation import gettext as _

from agents.catalogue import catalogue
from history.core.transcript.parts import File, Image, Part
from history.services.errors import Refused


def refuse_images(model: str, parts: Iterable[Part], others: Iterable[str] = ()) -> None:
    """Raise Refused if the parts contain an image, and the model is known to accept none. `others`
    are models that can be chosen instead. Scanned pages of a PDF that also has text don't count:
    the model reads the text, which says which pages are missing.
    """
    takes = catalogue().takes_images
    if not _needs_images(tuple(parts)) or takes(model):
        return
    seeing = ", ".join(other for other in others if takes(other))
    sentence = _(
        "{model} doesn't take images. Remove them, or start a chat with an agent whose model"
        " takes images."
    )
    if seeing:
        sentence = _("{model} doesn't take images. Remove them, or choose another model: {others}.")
    raise Refused("no_images", sentence.format(model=model, others=seeing))


def _needs_images(parts: tuple[Part, ...]) -> bool:
    files = [part for part in parts if isinstance(part, File)]
    legible = {file.supplied for file in files if file.text and not file.is_scanned}
    images = (part for part in parts if isinstance(part, Image))
    return any(not image.page or image.supplied not in legible for image in images)
