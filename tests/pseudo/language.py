"""A language that shows which texts are translated.

Every letter is circled: `Chat` becomes `Ⓒⓗⓐⓣ`. This needs no catalogue of translations.
"""

import re
import string

from django.utils.translation.trans_real import CONTEXT_SEPARATOR, DjangoTranslation

LETTERS = string.ascii_uppercase + string.ascii_lowercase
CIRCLES = str.maketrans(LETTERS, "".join(map(chr, range(0x24B6, 0x24EA))))
KEPT = re.compile(
    r"%(?:\(\w+\))?[-#0+]*\d*(?:\.\d+)?[A-Za-z%]"  # A placeholder of the operator `%`.
    r"|\{[^{}]*\}"  # A placeholder of `str.format`.
    r"|</?[A-Za-z][^<>]*>"  # An HTML tag.
    r"|&#?\w+;"  # An HTML entity.
)


def circled(text: str) -> str:
    kept = [*KEPT.findall(text), ""]
    free = KEPT.split(text)
    return "".join(a.translate(CIRCLES) + b for a, b in zip(free, kept, strict=True))


class Pseudo(DjangoTranslation):
    """A translation of Django's that circles every letter of its result."""

    def gettext(self, message: str) -> str:
        return circled(super().gettext(message).rpartition(CONTEXT_SEPARATOR)[2])

    def ngettext(self, msgid1: str, msgid2: str, n: int) -> str:
        return circled(super().ngettext(msgid1, msgid2, n).rpartition(CONTEXT_SEPARATOR)[2])
