"""What the templates need beyond Django's own tags."""

from django import template
from django.utils.html import format_html
from django.utils.safestring import SafeString

register = template.Library()
ICON = '<svg class="icon" aria-hidden="true"><use href="#icon-{}"></use></svg>'


@register.simple_tag
def icon(name: str) -> SafeString:
    """One of the drawings of includes/icons.html; decoration only, the control has its own name."""
    return format_html(ICON, name)


@register.filter
def short(tokens: int) -> str:
    """9412 as `9.4k`: for a gauge, where the exact figure is one click away."""
    if tokens < 1_000:
        return str(tokens)
    if tokens < 1_000_000:
        return f"{tokens / 1_000:.1f}".removesuffix(".0") + "k"
    return f"{tokens / 1_000_000:.1f}".removesuffix(".0") + "M"
