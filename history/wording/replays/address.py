"""Say which address a what-if of the next request assumes."""

from urllib.parse import parse_qs

from django.utils.translation import gettext as _

from history.core.settings.resolved import Settings
from history.core.settings.spec import LayerName
from history.core.settings.table import BY_NAME, SETTINGS


def whose_address(settings: Settings, page: str = "") -> str:
    """Say what the newest message's address sets. If it sets nothing, say that only if the open
    page's address, with the query `page`, sets something.
    """
    urls = [setting for setting in settings.values() if setting.winner.layer is LayerName.URL]
    if urls:
        parameters = ", ".join(f"{BY_NAME[each.name].url}={each.winner.raw}" for each in urls)
        sentence = _("Counts with the address that the newest message was sent from: {parameters}.")
        return sentence.format(parameters=parameters)
    if any(spec.url in parse_qs(page) for spec in SETTINGS if spec.url):
        return _("Counts with the address that the newest message was sent from, not this page's.")
    return ""
