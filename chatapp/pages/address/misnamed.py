"""Parameters of an address that do not do what they seem to do: misspelt settings, a bad `debug`,
and values that people choose elsewhere.
"""

from collections.abc import Iterator, Sequence
from urllib.parse import parse_qs

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from chatapp.pages.beginning import PARTNERS
from history.core.settings.spec import SettingSpec
from history.core.settings.table import BY_NAME, SETTINGS
from history.core.words.wording import nearest
from history.wording.names import OF_AGENTS, label_of

LONGEST = 40  # The most characters of a name or a value that a notice repeats.
NEAR = 0.8  # How similar a name must be to a known one to count as misspelt.
OPENS_PANEL = ("true", "1")  # Values of `debug`, which is no setting but may stand among settings.
CLOSES_PANEL = ("false", "0")
NAMES = ("debug", *PARTNERS, *(spec.url for spec in SETTINGS if spec.url))
MODEL = gettext_lazy(
    "{name}: a model can't be set in an address, only beside the message field, where the agent "
    "offers a choice, or in the agent's settings"
)
PROMPT = gettext_lazy("{name}: a prompt can't be set in an address, only in the agent's settings")
CHOSEN_ELSEWHERE = {"model": MODEL, "prompt": PROMPT, "systemprompt": PROMPT}


def misnamed(query: str) -> Iterator[str]:
    """Explain each misnamed setting: an address can't set it, or calls it by another name."""
    parameters = parse_qs(query, keep_blank_values=True)
    yield from _debug(parameters.get("debug", []))
    for name in parameters:
        spec = _BY_LETTERS.get(_letters(name))
        if elsewhere := CHOSEN_ELSEWHERE.get(_letters(name)):
            yield elsewhere.format(name=name[:LONGEST])
        if own := _AGENTS.get(_letters(name)):
            text = _("{name}: {label} can't be set in an address, only in the agent's settings")
            yield text.format(name=name[:LONGEST], label=label_of(own))
        if spec and name != spec.url:
            yield _sentence(spec).format(
                name=name[:LONGEST], label=label_of(spec.name), url=spec.url
            )


def misspelt(query: str) -> Iterator[tuple[str, str]]:
    """Yield each unknown name with the known name that it resembles. Parameters of other programs,
    such as `utm_source`, are ignored.
    """
    for name, values in parse_qs(query, keep_blank_values=True).items():
        near = nearest(name[:LONGEST], NAMES, NEAR) or _half_named(name, values)
        if near and name not in NAMES and _letters(name) not in _KNOWN:
            yield name[:LONGEST], near


def _half_named(name: str, values: Sequence[str]) -> str | None:
    """Say which of two settings `history=40` or `historyTurns=40` was meant to set."""
    if not name.lower().startswith("history"):
        return None
    return BY_NAME["length" if values[-1].isdecimal() else "policy"].url


def _debug(values: Sequence[str]) -> Iterator[str]:
    different = list(dict.fromkeys(value[:LONGEST] for value in values))
    if len(different) > 1:
        sentence = _("debug={values}: may appear only once")
        yield sentence.format(
            values=_("{one} and {other}").format(one=different[0], other=different[1])
        )
    elif different and different[0] not in OPENS_PANEL + CLOSES_PANEL:
        yield _("debug={value}: must be true or false").format(value=different[0])


def _letters(name: str) -> str:
    """Reduce a name to its letters, so that `imagesKeep` and `HISTORY_IMAGES_KEEP` agree."""
    return name.lower().replace("_", "").removeprefix("history")


_AGENTS = {_letters(name): name for name in OF_AGENTS}
_BY_LETTERS = {_letters(spec.name): spec for spec in SETTINGS}
_KNOWN = {*_AGENTS, *_BY_LETTERS, *CHOSEN_ELSEWHERE}


def _sentence(spec: SettingSpec) -> str:
    if spec.url:
        return _("{name}: in an address, {label} is {url}")
    return _(
        "{name}: {label} can't be set in an address, only in the chat's or the agent's settings"
    )
