"""Parameters of a page's address that are named like a setting, but set none."""

from collections.abc import Iterator
from urllib.parse import parse_qs

from django.utils.translation import gettext as _

from history.core.settings.spec import SettingSpec
from history.core.settings.table import SETTINGS
from history.wording.settings import label_of

LONGEST = 40  # Characters of a name.


def misnamed(query: str) -> Iterator[str]:
    """Say of each why it sets nothing: an address may not set it, or names it in another way."""
    by_letters = {_letters(spec.name): spec for spec in SETTINGS}
    for name in parse_qs(query.removeprefix("?"), keep_blank_values=True):
        spec = by_letters.get(_letters(name))
        if spec and name != spec.url:
            yield _sentence(spec).format(
                name=name[:LONGEST], label=label_of(spec.name), url=spec.url
            )


def _letters(name: str) -> str:
    """Leave out how it is written: `imagesKeep`, `HISTORY_IMAGES_KEEP`."""
    return name.lower().replace("_", "").removeprefix("history")


def _sentence(spec: SettingSpec) -> str:
    if spec.url:
        return _("{name}: in an address, {label} is {url}")
    return _(
        "{name}: {label} can't be set in an address, only in the chat's or the agent's settings"
    )
