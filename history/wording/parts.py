"""Word what became of a message's images, files and reasoning."""

from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import ngettext, ngettext_lazy

from history.core.wording import number

OMITTED: dict[str, Any] = {
    "image": ngettext_lazy("{count} image of {held} omitted", "{count} images of {held} omitted"),
    "file": ngettext_lazy("{count} file of {held} omitted", "{count} files of {held} omitted"),
}


def omitted(kind: str, count: int, held: int, keep: int, stride: int) -> str:
    sentence: str = OMITTED[kind] % count
    said = sentence.format(count=number(count), held=number(held))
    name = f"{kind}s_keep {number(keep)}"
    if stride > 1:
        name = _("{name} in steps of {steps}").format(name=name, steps=number(stride))
    return _("{omitted}, because {setting} only sends the newest {keep}").format(
        omitted=said, setting=name, keep=number(keep)
    )


def no_images(count: int) -> str:
    return ngettext(
        "{count} image omitted, because the model takes none",
        "{count} images omitted, because the model takes none",
        count,
    ).format(count=number(count))


def images_too_large(count: int) -> str:
    return ngettext(
        "{count} image omitted, because it is too large for the limit of a message",
        "{count} images omitted, because they are too large for the limit of a message",
        count,
    ).format(count=number(count))
