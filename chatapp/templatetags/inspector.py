"""Write figures in the panel's templates as every sentence of a plan does."""

from django import template

from history.core.wording import number

register = template.Library()
register.filter("number", number)
