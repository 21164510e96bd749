"""Look at the images that a tool returned, and store them with its result."""

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from hashlib import sha256

from agents.tools import Picture, ToolResult
from chatapp.limits.fair_pool import FairPool
from chatapp.limits.shared_places import FILES, behind
from chatapp.limits.sharing import working_for
from chatapp.uploads.cleaned import FileRefused
from chatapp.uploads.process import look_at
from chatapp.uploads.supplying import bounds, charging, image_of, kept_of
from history.core.transcript.parts import Image
from history.models import Message
from history.services.media.attaching import attach_result

_lookers: FairPool[Picture] = FairPool(FILES)
# The text that the model reads in place of an image.
LEFT_OUT = "[A picture was left out: {reason}.]"
REASONS = {
    "slow": "looking at it took too long",
    "crash": "it could not be read",
}


async def with_safe_images(result: ToolResult) -> ToolResult:
    """Return the result with its images in a form that can be stored and sent.

    Its text says why an image was left out.
    """
    whose = working_for.get()
    pictures, texts = [], [result.text] if result.text else []
    for picture in result.pictures:
        try:
            looking = _lookers.submit(partial(_safe_image, picture, whose), behind(whose))
            pictures.append(await asyncio.wrap_future(looking))
        except FileRefused as unfit:
            reason = REASONS.get(unfit.code, "it is no picture that can be sent")
            texts.append(LEFT_OUT.format(reason=reason))
    return replace(result, text="\n".join(texts), pictures=tuple(pictures))


def _safe_image(picture: Picture, whose: str) -> Picture:
    content = look_at(picture.data, bounds(), charging(whose))
    if not content.is_picture:
        raise FileRefused("no_picture")
    (image,) = content.pictures
    digest = sha256(picture.data).hexdigest()
    return Picture(image.data, image.type, image.width, image.height, digest)


def images_of(pictures: Sequence[Picture], tool: str) -> tuple[Image, ...]:
    """Return the parts that a tool result gets for its images."""
    return tuple(
        image_of(picture, f"{tool} {number}" if len(pictures) > 1 else tool, picture.supplied)
        for number, picture in enumerate(pictures, 1)
    )


def keep_with(pictures: Sequence[Picture], tool: str, store: Callable[[], Message]) -> None:
    """Store a tool result together with its images."""
    if pictures:
        files = {picture.supplied: kept_of(picture) for picture in pictures}
        attach_result(tool, files, store)
    else:
        store()
