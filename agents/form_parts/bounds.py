"""The bounds that Django's own errors name, with numbers written as on all other pages."""

from collections.abc import Iterator

from django.core.exceptions import ValidationError

from history.core.words.wording import number

BOUNDS = {"min_value", "max_value"}  # Django's codes.


def write_bounds(error: object) -> None:
    """Write the bound that each refused number broke with separators."""
    for each in _errors(error):
        figures = each.params or {}
        bound = figures.get("limit_value")
        if each.code in BOUNDS and isinstance(bound, int):
            each.params = {**figures, "limit_value": number(bound)}


def _errors(error: object) -> Iterator[ValidationError]:
    """Yield the single errors; a text has none."""
    if isinstance(error, ValidationError):
        lists = error.error_dict.values() if hasattr(error, "error_dict") else [error.error_list]
        yield from (each for errors in lists for each in errors)
