"""The layers below the conversation, as `resolve` takes them."""

from agents.catalogue import catalogue
from agents.models import AgentTemplate, SiteDefaults
from history.core.settings.layers import Layer
from history.core.settings.spec import LayerName
from history.core.settings.table import BY_NAME


def template_layer(template: AgentTemplate) -> Layer:
    return Layer(LayerName.TEMPLATE, template.source, template.history_settings)


def site_layer(site: SiteDefaults | None) -> Layer:
    return Layer(LayerName.SITE, "site", site.history_settings if site else {})


def built_in_layer(model: str) -> Layer:
    """Return what the catalogue knows of the model; the table's defaults cover the rest.

    The reserve is never more than the model can write, nor than half of what it can read.
    """
    limits = catalogue().limits(model)
    values = {"context_window": limits.context_window}
    reserve = int(BY_NAME["output_reserve"].default or 0)
    most = min(limits.max_output or reserve, (limits.context_window or 2 * reserve) // 2)
    if most < reserve:
        values["output_reserve"] = most
    return Layer(LayerName.BUILT_IN, "model catalogue", values)
