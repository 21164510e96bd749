"""The addresses to which the rows of the overview lead."""

from django import template

from chatapp.overview.failing.listed import ListedFailed
from chatapp.overview.failing.page import FailedPage
from chatapp.overview.page import OverviewPage

register = template.Library()


@register.simple_tag
def failures_of(page: OverviewPage, **parameters: object) -> str:
    """Return the address of the failures that a row counts."""
    return page.failures(**parameters)


@register.filter
def each_like(page: FailedPage, row: ListedFailed) -> str:
    """Return the address of all failures identical to this one; empty if there are no others."""
    return page.each(row)
