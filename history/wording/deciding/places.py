"""The places where a setting can be set, in words."""

from collections.abc import Iterator

from django.utils.translation import gettext

from history.core.settings.spec import LayerName, SettingSpec
from history.core.settings.spec import gettext_noop as _
from history.wording.deciding.sources import IN_ADDRESS

PLACES = {
    LayerName.ENVIRONMENT: _("{variable} in the server's environment"),
    LayerName.URL: IN_ADDRESS,
    LayerName.CONVERSATION: _("this chat"),
    LayerName.TEMPLATE: _("the agent"),
    LayerName.SITE: _("the site defaults"),
}
OF_MODEL = {"context_window", "output_reserve"}  # The model catalogue knows these.
CATALOGUE = _("the model catalogue (“Known models”)")


def places_of(spec: SettingSpec) -> Iterator[str]:
    """Yield the places where the setting can be set, beginning with the strongest layer."""
    for layer, place in PLACES.items():
        if layer in spec.layers:
            yield gettext(place).format(variable=spec.environment[0], parameter=spec.url)
    if spec.name in OF_MODEL:
        yield gettext(CATALOGUE)
